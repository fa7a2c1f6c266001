"""How a command to the agent is recognised: by mood first, then by what is commanded.

The moods of a text are found once. Each order of the grammar is then tried only where a command begins, which keeps
the cost in step with the length of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_app.guardrails.gate import Gated, gated

_BOUND = re.compile(
    r"(?:^|[\n.!?:;,>(\[{\"'“‘|*`\]】）」–—]|\s-\s|\b(?:and|then|so|but|also|please|kindly)\b"
    r"|\b(?:fine|okay|ok|acceptable|permitted|allowed|safe|alright|sure|remember|free|welcome|forget|duty|job|task|goal|role|mission|purpose) (?:is )?to\b"
    r"|\bmake sure (?:that )?(?:you |to )?|\bit'?s (?:now )?time to\b)\s{0,3}(?=[a-z])",
    re.M,
)
_ADVERB = re.compile(
    r"(?:please|always|never|just|simply|automatically|immediately|silently|quietly|secretly|covertly|actually|now|also|do not|don't|not|only|first|then"
    r"|hesitate to|be sure to|go ahead and|kindly|instead|directly|unconditionally|from now on|in (?:the )?future|next time|henceforth|going forward),?\s{1,2}"
)
_AGENT = re.compile(r"\b(?:you|(?:assistants?|agents?|models?|bots?|chatbots?|llms?|ai|copilot))\s{1,2}(?=[a-z])")
_MODAL = re.compile(
    r"(?:must|shall|should|will|would|can|could|may|has to|have to|needs? to|ought to|(?:is|are)(?: now| hereby)? (?:to|required to|allowed to|permitted to"
    r"|free to|able to|authori[sz]ed to|instructed to|expected to)|(?:has|have) (?:permission|the right|authority) to|to|now|always|never|not|no longer"
    r"|does not|do not|doesn't|don't|only|simply|just|automatically|immediately|also|silently)\s{1,2}"
)
_CASED = "(?-i:"
# As a plain number: this is asked for every order of every text.
_ANY_CASE = int(re.I)


@dataclass(frozen=True, slots=True)
class Order:
    """One pattern of the grammar: the rule it proves, what its sentence must hold as well, and what excuses it."""

    rule: str
    pattern: Gated
    by_agent: Gated | None = None
    needs: Gated | None = None
    unless: Gated | None = None
    own_unless: Gated | None = None

    @property
    def cased(self) -> bool:
        """True if capitals matter, so that the pattern must see the text as it is."""
        return bool(self.pattern.flags & _ANY_CASE)


def search(pattern: str) -> Gated:
    """The pattern for text in lower case, or for any case where a part of it insists on capitals."""
    if _CASED in pattern:
        return gated(pattern, re.I | re.M)
    # Without the flag, the engine can skip ahead to the first letter of a match.
    return gated(re.sub(r"\\.|[A-Z]", lambda m: m[0] if m[0][0] == "\\" else m[0].lower(), pattern, flags=re.S), re.M)


def command(
    rule: str,
    verbs: str,
    rest: str,
    *,
    needs: Gated | None = None,
    unless: Gated | None = None,
    own_unless: Gated | None = None,
) -> Order:
    """An order whose verb stands in the imperative or is done by the agent."""
    return Order(
        rule, search(rf"(?:{verbs})\b{rest}"), search(rf"(?:{verbs})(?:e?s)?\b{rest}"), needs, unless, own_unless
    )


def _from(text: str, starts: re.Pattern[str], steps: re.Pattern[str]) -> Iterator[int]:
    for start in starts.finditer(text):
        at = start.end()
        yield at
        for _ in range(4):
            step = steps.match(text, at)
            if step is None:
                break
            at = step.end()
            yield at


def imperatives(text: str) -> list[int]:
    """Where a clause begins, and after each adverb it begins with."""
    return sorted(set(_from(text, _BOUND, _ADVERB)))


def agent_verbs(text: str) -> list[int]:
    """Where the verb of a clause about the agent may stand."""
    return sorted(set(_from(text, _AGENT, _MODAL)))


def lowered(text: str) -> str:
    """The text in lower case, character for character."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
