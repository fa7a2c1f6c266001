"""What a workspace knows of a key before anyone has registered it."""

import re

#: Keys under which several values may stand side by side; all others hold one value at a time.
MANY = frozenset(
    {"likes", "dislikes", "allergy", "languages_spoken", "hobby", "pet", "episode", "fact", "travel_wish", "goal"}
)

WRITERS = ("user", "agent", "operator", "profile")

# What those keys are about in other words. A key that is one of them, or ends in its plural, names several things;
# "language" alone is mostly the one to reply in, and "favourite_hobby" is one hobby.
_NAMES = {
    "allergy": "allergies", "allergen": "allergens", "intolerance": "intolerances", "hobby": "hobbies",
    "pastime": "pastimes", "interest": "interests", "pet": "pets", "episode": "episodes", "fact": "facts",
    "wish": "wishes", "goal": "goals", "objective": "objectives", "like": "likes", "dislike": "dislikes",
    "aversion": "aversions", "wishlist": "wishlists",
}  # fmt: skip
_PLURALS = frozenset({*_NAMES.values(), "languages"})
_ZH = re.compile(r"(?:过敏原?|忌口|爱好|兴趣|宠物|喜好|喜欢|讨厌|目标|会说的语言|语言能力)$")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: What may stand behind the name of the things: "languages_spoken", "hobby_list".
_BEHIND = frozenset({"spoken", "known", "list"})


def default_cardinality(key: str) -> str:
    """ "many" for a key of several values, by its own name, a plural or a synonym; "one" for all others."""
    return "many" if key in MANY or _ZH.search(key) or _names_several(key) else "one"


def _names_several(key: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(key)]
    listed = bool(words) and words[-1] == "list"
    while words and words[-1] in _BEHIND:
        words.pop()
    if not words:
        return False
    return words[-1] in _PLURALS or (words[-1] in _NAMES and (listed or len(words) == 1))
