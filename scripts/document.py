"""Writes the tables of docs/ that are taken from the code: rules, words, calls, commands, the default policy.

Each stands between `<!-- from the code: NAME -->` and `<!-- end -->`; a test says when one is out of date.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
APPS = ("config", "consolidation", "memory_app")
_SECTION = re.compile(r"(<!-- from the code: ([a-z ]+) -->\n).*?(<!-- end -->)", re.S)
_PARAM = re.compile(r"%\((\w+)\)s")


def filled(text: str) -> str:
    """The document with every table as the code has it now."""
    return _SECTION.sub(lambda found: f"{found[1]}\n{SECTIONS[found[2]]()}\n\n{found[3]}", text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(*words: str) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _sentences(found: Mapping[str, Any], head: tuple[str, str]) -> str:
    return table(head, ([code(name), _PARAM.sub(r"*\1*", str(said))] for name, said in found.items()))


def decision_rules() -> str:
    from memory_app.reasons import CONSOLIDATION, REASONS

    asked = re.compile(r"\.(operator|key|api|agent|policy|system)$")
    other = {rule: said for rule, said in REASONS.items() if rule not in CONSOLIDATION and not asked.search(rule)}
    return _sentences(CONSOLIDATION | other, ("rule", "reason"))


def asked_for() -> str:
    """One line for each action, with what is said when an operator, a key or a policy asks for it."""
    from memory_app.reasons import REASONS

    actions = dict.fromkeys(rule.partition(".")[0] for rule in REASONS if rule.endswith((".operator", ".key")))
    said = ([code(action), *(str(REASONS.get(f"{action}.{who}", "")) for who in _WHO)] for action in actions)
    return table(("action", *(f"`.{who}`" for who in _WHO)), said)


_WHO = ("operator", "key", "policy")


def checks() -> str:
    from memory_app.reasons import CHECKS

    return _sentences(CHECKS, ("check", "statement"))


def holds() -> str:
    from memory_app.reasons import HOLDS

    return _sentences(HOLDS, ("hold", "said"))


def default_policy() -> str:
    from consolidation.domain.policy import Policy

    policy = Policy()
    waits = [
        [code(hold.name), ", ".join(f"{k} `{v}`" for k, v in _given(hold)), code(hold.needs)] for hold in policy.holds
    ]
    fields = [
        [code(name), code(str(value).lower())]
        for name, value in policy.to_json().items()
        if name not in ("holds", "version")
    ]
    return table(("hold", "matches", "waits for"), waits) + "\n\n" + table(("field", "default"), fields)


def _given(hold: Any) -> Iterator[tuple[str, Any]]:
    for name in ("kind", "scope", "action", "sensitive"):
        if (value := getattr(hold, name)) is not None:
            yield name, str(value).lower()


def metrics() -> str:
    from memory_app.queries.metrics import METRICS

    units = {"percent": "%", "hundred": "for 100", "mean": "mean", "time": "mean time", "count": "count"}
    rows = (
        [code(one.name), str(one.title), str(one.formula), units[one.unit], one.over.source.dated] for one in METRICS
    )
    return table(("metric", "title", "definition", "unit", "counts on the day"), rows)


def guardrail_rules() -> str:
    from memory_app.guardrails import describe_rules

    rows = ([code(one.rule), one.title, code(*one.stages), one.why] for one in describe_rules())
    return table(("rule", "what", "stages", "why"), rows)


def words() -> str:
    """Every closed vocabulary, with its label in both languages."""
    from django.utils.translation import override

    from memory_app.models import choices

    names = ("Kind", "Scope", "MemoryStatus", "NoteStatus", "NoteOrigin", "SessionStatus", "Action", "DecisionStatus",
             "Origin", "Needs", "Stage", "Category", "BlockStatus", "Sensitivity", "Cardinality", "Exposure", "Role",
             "ActorKind", "Speaker", "Outcome")  # fmt: skip
    rows = []
    for name in names:
        title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
        for value, label in getattr(choices, name).choices:
            if value:
                with override("en"):
                    english = str(label)
                with override("zh-hans"):
                    rows.append([title, code(value), english, str(label)])
    return table(("vocabulary", "value", "English", "简体中文"), rows)


def commands() -> str:
    rows = []
    for name, command in sorted(_commands().items()):
        parser = command.create_parser("manage.py", name)
        own = [action for action in parser._actions if action.dest not in _COMMON]
        options = "; ".join(f"`{_usage(action)}`{_explained(action)}" for action in own)
        rows.append([code(f"manage.py {name}"), command.help, options or "none"])
    return table(("command", "does", "options"), rows)


_COMMON = frozenset(
    "help version verbosity settings pythonpath traceback no_color force_color skip_checks".split()
)  # fmt: skip


def _commands() -> dict[str, Any]:
    found = {}
    for app in APPS:
        for path in sorted((ROOT / app / "management" / "commands").glob("[a-z]*.py")):
            found[path.stem] = import_module(f"{app}.management.commands.{path.stem}").Command()
    return found


def _usage(action: argparse.Action) -> str:
    name = action.option_strings[-1] if action.option_strings else ""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if action.choices:
        value = "|".join(str(choice) for choice in action.choices)
    usage = " ".join(part for part in (name, value) if part)
    return usage if action.required else f"[{usage}]"


def _explained(action: argparse.Action) -> str:
    return f" {action.help}" if action.help else ""


def calls() -> str:
    from config.api import api

    summaries = _operations()
    rows = []
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                address = f"{prefix}{path}".replace("//", "/").replace("{uuid:", "{")
                for method in operation.methods:
                    roles = [role for one in operation.auth_callbacks for role in one.roles]
                    said = summaries[(method, address.rstrip("/") or "/")]
                    rows.append([code(f"{method} {address}"), ", ".join(roles), said])
    return table(("call", "roles", "does"), rows)


def _operations() -> dict[tuple[str, str], str]:
    from config.api import api

    found = {}
    for address, methods in api.get_openapi_schema()["paths"].items():
        for method, operation in methods.items():
            said = " ".join(operation.get("description", "").split())
            found[(method.upper(), address.removeprefix("/api/v1"))] = f"{operation['summary']}. {said}".strip()
    return found


PAGING = ("limit", "cursor")


def bodies() -> str:
    """The fields of every request body, and the filters of every list."""
    from config.api import api

    schema = api.get_openapi_schema()
    models = schema["components"]["schemas"]
    parts = []
    for address, methods in schema["paths"].items():
        for method, operation in methods.items():
            call = f"{method.upper()} {address.removeprefix('/api/v1')}"
            rows = [
                _parameter(one) for one in operation["parameters"] if one["in"] == "query" and one["name"] not in PAGING
            ]
            if "requestBody" in operation:
                body = operation["requestBody"]["content"]["application/json"]["schema"]
                rows += list(_fields(body, models))
            if rows:
                parts.append(f"**`{call}`**\n\n" + table(("field", "type", ""), rows))
    return "\n\n".join(parts)


def _parameter(one: Mapping[str, Any]) -> list[str]:
    return [code(one["name"]), _type(one["schema"]), _remark(one["schema"], one["required"], one.get("description"))]


def _fields(body: Mapping[str, Any], models: Mapping[str, Any]) -> Iterator[list[str]]:
    model = _model(body, models)
    for name, field in model["properties"].items():
        yield [code(name), _type(field), _remark(field, name in model.get("required", ()))]
        inner = _inner(field, models)
        for below, part in (inner or {}).get("properties", {}).items():
            needed = below in inner.get("required", ())  # type: ignore[union-attr]
            yield [code(f"{name}.{below}"), _type(part), _remark(part, needed)]


def _inner(field: Mapping[str, Any], models: Mapping[str, Any]) -> Mapping[str, Any] | None:
    for one in (field, field.get("items", {}), *field.get("anyOf", ())):
        if "$ref" in one:
            return _model(one, models)
    return None


def _model(reference: Mapping[str, Any], models: Mapping[str, Any]) -> Any:
    found = reference.get("$ref") or reference["allOf"][0]["$ref"]
    return models[found.rsplit("/", 1)[-1]]


def _type(field: Mapping[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"] if one.get("type") != "null")
    if "enum" in field:
        return code(*(str(one) for one in field["enum"]))
    if "const" in field:
        return code(str(field["const"]))
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    if "$ref" in field or "allOf" in field:
        return "object"
    return {"date-time": "time", "uuid": "id"}.get(field.get("format", ""), field.get("type", "any JSON"))


def _remark(field: Mapping[str, Any], needed: bool, said: str | None = None) -> str:
    default = field.get("default")
    parts = ["needed" if needed else "", said or field.get("description", "")]
    if default not in (None, "", [], {}):
        parts.append(f"default `{default}`".replace("True", "true").replace("False", "false"))
    return "; ".join(part.rstrip(".") for part in parts if part)


SECTIONS: dict[str, Callable[[], str]] = {
    "decision rules": decision_rules,
    "asked for": asked_for,
    "checks": checks,
    "holds": holds,
    "default policy": default_policy,
    "metrics": metrics,
    "guardrail rules": guardrail_rules,
    "words": words,
    "commands": commands,
    "calls": calls,
    "bodies": bodies,
}


def main() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(ROOT)} written anew\n")


if __name__ == "__main__":
    main()
