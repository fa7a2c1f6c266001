"""Turns split into sentences and clauses, with quoted text, code and pasted lines taken out of sight.

Everything that is not the user's own statement is overwritten, length for length, before any rule looks at it:
`QUOTED` for quotations, `CODE` for code and logs, `HIDDEN` for secrets that a stop would cut in two. So offsets never move, and a rule cannot match inside a quotation.
"""

import re
from dataclasses import dataclass

from .drafts import SpokenTurn
from .folding import fold, squeeze
from .speech import HIDDEN, STOPPED_SECRET

QUOTED = "\ue000"
CODE = "\ue001"
MAX_TURN = 20_000
MAX_CLAUSE = 300
MAX_CLAUSES = 400
MAX_SENTENCE = 600


@dataclass(frozen=True)
class Clause:
    """A stretch of one sentence: `raw` is folded and masked, `plain` is `raw` squeezed, offsets are the turn's."""

    turn: SpokenTurn
    start: int
    end: int
    plain: str
    sentence: int
    place: int
    asked: bool = False
    raw: str = ""

    @property
    def said(self) -> str:
        """The very words, as the user wrote them."""
        return self.turn.text[self.start : self.end]


_QUOTES = re.compile(
    r"“[^”\n]{0,600}”|「[^」\n]{0,600}」|『[^』\n]{0,600}』|(?<![\w])\"[^\"\n]{0,600}\"(?!\w)"
    r"|(?<![\w])'[^'\n]{2,600}'(?![\w])"
)
_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,200}`", re.S)
_BLOCK_QUOTE = re.compile(r"\[(?:quote|引用)\].*?(?:\[/(?:quote|引用)\]|\n|\Z)", re.S | re.I)
_QUOTE_LINE = re.compile(r"^[ \t]*(?:>|＞|\|).*$", re.M)
_LOG_LINE = re.compile(
    r"^[ \t]*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b"
    r"|Traceback |File \"|at [\w.$]+\(|[A-Za-z.]*(?:Error|Exception): ).*$",
    re.M,
)
_COMMAND_LINE = re.compile(
    r"^[ \t]*(?:[$#%] \S|(?:sudo|cd|ls|cat|grep|curl|wget|git|docker|kubectl|npm|npx|yarn|pnpm|pip|pip3|uv|python3?"
    r"|node|cargo|go|make|cmake|gcc|mvn|gradle|ssh|scp|rsync|tar|chmod|export|echo|brew|apt|apt-get|systemctl|psql"
    r"|helm|terraform|ansible|pytest|rm|cp|mv) (?=\S)[^\u3400-\u9fff]*(?:-\w|--\w|/|\.\w|=|&&|\|)).*$",
    re.M,
)
_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:def|class|import|from|return|const|let|var|function|public|private|SELECT|INSERT|UPDATE|DELETE|#include)"
    r" .*[(;{=:,*].*|[\w.\[\]\"']+ ?(?:=|:=|\+=) ?.+;?|[{}()\[\];]+|<[/!]?\w[^>\n]*>.*|\"[\w-]+\": .*)$",
    re.M,
)
_MAIL_HEAD = re.compile(r"^(?:From|To|Subject|Date|Cc|发件人|收件人|主题|寄件者|主旨) ?[:：].*$", re.M)

_SENTENCE_END = re.compile(
    r"[。！？!?；;\n]+|(?<![A-Z]\.[A-Z])(?<!\b[aApP]\.[mM])(?<!\be\.g)(?<!\bi\.e)(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)"
    r"(?<!\bvs)(?<!\betc)\.+(?=\s|$|[\u3400-\u9fff])"
)
_CLAUSE_END = re.compile(
    r"[，]+|,(?=\s|[\u3400-\u9fff\ue000])(?!\s+(?:and\s+|or\s+)?(?:\d|(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?\b(?!,? (?:I|my|we|our|it|the)\b)))|(?<!\s)\s+[—–]\s*|——|(?<=\S)\s-\s+"
    r"|(?<![ ,])[ ,]+(?!and I (?:are|both)\b)(?=(?:and|but|so|though|although|because|'cause|while|whereas)\s+(?:I|I'm|I've|I'd|my|we|our|he|she|they|please|don't|in general|usually|always|never|for|this|the|I'll|we're|we've|it's|when I|if I)\b)"
    r"|(?<![ ,])[ ,]+(?=but\s+(?:do|make|keep|use|put|book|give|send) (?:it|this|that|these|those|me|us|the|my|a|an)\b)|(?<![ ,])[ ,]+(?=and\s+[A-Z][a-z]+(?: [A-Z][a-z]+)? (?:for|when|if|whenever|with)\b)"
    r"|(?<!\s)\s+(?=though\b|although\b|because\b|unless\b)|(?<=[\u3400-\u9fff])(?=但是|不过|可是|然后|另外|而且|因为|所以)"
)


def _blank(text: str, found: re.Pattern[str], fill: str) -> str:
    def cover(m: re.Match[str]) -> str:
        inside = m.group(0)
        return "".join(c if c in "\n" else fill for c in inside)

    return found.sub(cover, text)


def masked(text: str) -> str:
    """The folded text with quotations, code, logs and mail heads overwritten; the same length."""
    plain = fold(text[:MAX_TURN])
    for pattern in (_FENCE, _LOG_LINE, _COMMAND_LINE, _MAIL_HEAD):
        plain = _blank(plain, pattern, CODE)
    if plain.count("\n") >= 1 or plain.rstrip().endswith((";", "}", ")")):
        plain = _blank(plain, _CODE_LINE, CODE)
    for pattern in (_BLOCK_QUOTE, _QUOTE_LINE, _QUOTES):
        plain = _blank(plain, pattern, QUOTED)
    for secret in STOPPED_SECRET.finditer(plain):
        plain = plain[: secret.start("v")] + HIDDEN * len(secret["v"]) + plain[secret.end("v") :]
    return plain


def _pieces(text: str, start: int, end: int, breaks: re.Pattern[str]) -> list[tuple[int, int, str]]:
    out, at = [], start
    for m in breaks.finditer(text, start, end):
        if m.end() == m.start() == at:
            continue
        if m.start() > at or m.group(0).strip():
            out.append((at, m.start(), m.group(0)))
        at = m.end()
    if at < end:
        out.append((at, end, ""))
    return out


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \t\r\n,，、.…~～-–—:：*•·":
        start += 1
    while end > start and text[end - 1] in " \t\r\n,，、…~～":
        end -= 1
    return start, end


#: "My landlady, Mrs Eze, lives upstairs": whose name stands between commas, and does not part what is said of them.
_NAMELESS = re.compile(r"(?:[\w' ]{0,40}\b)?(?:my|our) (?:[\w-]+ ){0,2}[\w-]+", re.I | re.A)
_NAME_ALONE = re.compile(r"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?")


def _with_names(text: str, parts: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    out: list[tuple[int, int, str]] = []
    named = False
    for a, b, stop in parts:
        said = text[a:b].strip()
        name = bool(out) and out[-1][2].startswith(",") and bool(_NAME_ALONE.fullmatch(said))
        if name and _NAMELESS.fullmatch(text[out[-1][0] : out[-1][1]].strip()) or named and said[:1].islower():
            out[-1] = (out[-1][0], b, stop)
            named = name
        else:
            out.append((a, b, stop))
            named = False
    return out


def clauses(turn: SpokenTurn, plain: str | None = None) -> list[Clause]:
    """The clauses of a turn, in order; each knows its sentence and whether that sentence is asked."""
    plain = masked(turn.text) if plain is None else plain
    out: list[Clause] = []
    number = 0
    for start, end, stop in _pieces(plain, 0, len(plain), _SENTENCE_END):
        asked = "?" in stop or "？" in stop
        place, first, number = 0, start, number + 1
        for a, b, _ in _with_names(plain, _pieces(plain, start, end, _CLAUSE_END)):
            a, b = _trim(plain, a, b)
            if b - first > MAX_SENTENCE:  # what hangs on a sentence stays cheap, however long it is
                place, first, number = 0, a, number + 1
            if a < b and b - a <= MAX_CLAUSE and not set(plain[a:b]) <= {QUOTED, CODE, HIDDEN, " "}:
                out.append(Clause(turn, a, b, squeeze(plain[a:b]), number, place, asked, plain[a:b]))
                place += 1
        if len(out) >= MAX_CLAUSES:
            break
    return out
