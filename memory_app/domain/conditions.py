"""When or for what a memory holds, held against a question: business trips, weekends, one error code, one project."""

import re
from functools import lru_cache

from memory_app.domain.words import fold, is_identifier, is_stop_word, words

# Families of conditions: within one, naming another than the memory's own says that the memory does not hold.
_FAMILIES = {
    "purpose": {
        "business": r"\bbusiness\b|\bwork trip|\bconference\b|\bclient visit|出差|商务|公务|差旅",
        "family": r"\bfamily\b|\b(?:with|bring) (?:the |my )?(?:kids|children|wife|husband|parents)\b|家人|家庭|全家|一家|带孩子|带娃|亲子|"
        r"陪父母|带爸妈|家里人",
        "leisure": r"\bholiday\b|\bvacation\b|\bleisure\b|\bpersonal trip|度假|休假|旅游|自由行|私人",
    },
    "length": {
        "long": r"\blong\b|长途|长线|长时间|远途|长期",
        "short": r"\bshort\b|短途|短线|短时间|近途|短期",
    },
    "day": {
        "weekend": r"\bweekends?\b|\bsaturdays?\b|\bsundays?\b|周末|双休|周六|周日|星期六|星期天|星期日",
        "weekday": r"\bweekdays?\b|\bworkdays?\b|\bworking days?\b|工作日|平日|周中",
        "holiday": r"\bpublic holidays?\b|节假日|节日|法定假",
    },
    "hour": {
        "night": r"\bnights?\b|\blate\b|深夜|夜里|熬夜|晚上|夜间",
        "morning": r"\bmornings?\b|\bearly\b|早上|清晨|上午|早晨",
        "day": r"\bday(?:time| (?:flight|train|shift|ride|bus))s?\b|白天|日间|白班",
    },
    "season": {
        "summer": r"\bsummer\b|夏天|夏季",
        "winter": r"\bwinter\b|冬天|冬季",
    },
    "stage": {
        "production": r"\bprod(?:uction)?\b|生产|线上|正式环境",
        "staging": r"\bstaging\b|预发|测试环境|\btest env",
        "development": r"\bdev(?:elopment)?\b|\blocal\b|开发环境|本地",
    },
}
_COMPILED = {
    family: {name: re.compile(pattern) for name, pattern in members.items()} for family, members in _FAMILIES.items()
}
_GENERIC = frozenset(("trip", "travel", "project", "own", "under", "over", "hour", "day", "except", "when", "during"))


@lru_cache(maxsize=4096)
def _members(text: str) -> dict[str, frozenset[str]]:
    folded = fold(text).replace("_", " ")
    return {
        family: frozenset(name for name, pattern in members.items() if pattern.search(folded))
        for family, members in _COMPILED.items()
    }


def condition_fit(condition: str, text: str) -> int:
    """1 where the text names the condition, -1 where it names another in its place, 0 where it does not say."""
    if not condition:
        return 0
    wanted, said = _members(condition), _members(text)
    known = [family for family in wanted if wanted[family]]
    if any(said[family] and not wanted[family] & said[family] for family in known):
        return -1
    if any(wanted[family] & said[family] for family in known):
        return 1
    own = {word for word in words(condition.replace("_", " ").replace(":", " ")) if not is_stop_word(word)} - _GENERIC
    asked = set(words(text))
    if own and own & asked == own:
        return 1
    codes = {word for word in own if is_identifier(word) and not word.isdigit()}
    if codes and not codes & asked and any(_alike(code, word) for code in codes for word in asked):
        return -1
    return 0


def _alike(code: str, word: str) -> bool:
    """Two codes of one family: E1024 and E1042."""
    return is_identifier(word) and re.sub(r"\d+", "9", code) == re.sub(r"\d+", "9", word)
