"""What must not be kept or shown: check(), mask() and mask_json(), in plain Python."""

from memory_app.guardrails.fields import HANDED_OUT, Checked, check_fields, masked, strings
from memory_app.guardrails.findings import (
    CATEGORIES,
    JUDGED_CATEGORIES,
    MASKED_CATEGORIES,
    Finding,
    Masked,
    RuleInfo,
    Stage,
    Verdict,
)
from memory_app.guardrails.naming import names_in, pieces, told_by
from memory_app.guardrails.opaque import is_opaque
from memory_app.guardrails.own import BUILT_IN, OwnRule, OwnRuleError, RuleSet
from memory_app.guardrails.rules import RULE_SET_VERSION, describe_rules
from memory_app.guardrails.screen import check, excerpt, mask
from memory_app.guardrails.sensitive import sensitivity
from memory_app.guardrails.structure import mask_json
from memory_app.guardrails.together import scan_each

__all__ = [
    "BUILT_IN",
    "CATEGORIES",
    "HANDED_OUT",
    "JUDGED_CATEGORIES",
    "MASKED_CATEGORIES",
    "RULE_SET_VERSION",
    "Checked",
    "Finding",
    "Masked",
    "OwnRule",
    "OwnRuleError",
    "RuleInfo",
    "RuleSet",
    "Stage",
    "Verdict",
    "check",
    "check_fields",
    "describe_rules",
    "excerpt",
    "is_opaque",
    "mask",
    "mask_json",
    "masked",
    "names_in",
    "pieces",
    "scan_each",
    "sensitivity",
    "strings",
    "told_by",
]
