"""Why something holds, as the clauses right after it say."""

import re

_REASON = re.compile(
    r"^(?:因为|由于|医生|大夫|怕|容易|一[吃喝碰闻]|不然|[心肝胃肾膝腰血].{0,4}(?:不好|不行|差|疼)|because\b|since\b|'cause\b|(?:my |the )?(?:doctor|gp|dentist)(?:'s)?\b.{0,30}\b(?:orders|says?|said|advice)"
    r"|(?:bad|weak) (?:liver|stomach|knees?|back|heart)|my (?:liver|stomach|back|knees?|heart)\b|it (?:gives|makes|hurts|upsets)\b)",
    re.I | re.A,
)
_JOINT = re.compile(r"[，,]\s*")


def is_reason(clause: str) -> bool:
    """True when the clause says why the one before it holds."""
    return bool(_REASON.match(clause))


def reason_of(rest: str) -> str:
    """The clauses after the first one of the words that only give its reason, as they were said."""
    kept = []
    for part in _JOINT.split(rest)[1:3]:
        if not is_reason(part.strip()) or len(part) > 60:
            break
        kept.append(part.strip())
    return ", ".join(kept) if rest.isascii() else "，".join(kept)
