"""The API's operations and all of their fields, as its own description tells them: what is new is covered by itself."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from config.api import api

PREFIX = "/api/v1"
TIME = "2026-09-09T10:24:00+08:00"
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Operation:
    """One call: its method, its address below the prefix with {names} in it, its parameters and its body's schema."""

    method: str
    path: str
    parameters: tuple[dict[str, Any], ...]
    body: dict[str, Any] | None

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    def names(self, place: str) -> list[str]:
        return [p["name"] for p in self.parameters if p["in"] == place]


_DOCUMENT: dict[str, Any] = {}


def document() -> dict[str, Any]:
    if not _DOCUMENT:
        import json

        _DOCUMENT.update(json.loads(json.dumps(api.get_openapi_schema(), default=str)))
    return _DOCUMENT


def operations() -> list[Operation]:
    found = []
    for path, methods in document()["paths"].items():
        for method, told in methods.items():
            content = told.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            found.append(Operation(method.upper(), path.removeprefix(PREFIX), tuple(told["parameters"]), schema))
    return found


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema behind references and "or null"."""
    while True:
        if "$ref" in schema:
            schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        elif len(schema.get("allOf", ())) == 1:
            schema = schema["allOf"][0]
        elif any(choice.get("type") != "null" for choice in schema.get("anyOf", ())):
            choices = [c for c in schema["anyOf"] if c.get("type") != "null"]
            # Of several choices the one that takes text
            schema = next((c for c in choices if c.get("type") == "string"), choices[0])
        else:
            return schema


def leaves(schema: dict[str, Any], at: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every place where a value stands, of whatever type, and its schema."""
    schema = resolved(schema)
    if schema.get("properties"):
        for name, member in schema["properties"].items():
            yield from leaves(member, (*at, name))
    elif schema.get("type") == "array":
        yield from leaves(schema["items"], (*at, 0))
    else:
        yield at, schema


def is_text(schema: dict[str, Any]) -> bool:
    """A string of no closed form."""
    return schema.get("type") == "string" and not {"format", "enum", "const"} & set(schema)


def is_open(schema: dict[str, Any]) -> bool:
    """Any JSON value, or any object."""
    return "type" not in schema and "enum" not in schema or schema.get("type") == "object"


def smallest(schema: dict[str, Any]) -> Any:
    """A valid value: an example where there is one, else only what is required."""
    schema = resolved(schema)
    for example in schema.get("examples", ()):
        return copy.deepcopy(example)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            return {name: smallest(schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return [smallest(schema["items"])] * schema.get("minItems", 0)
        case "string" if schema.get("format") == "date-time":
            return TIME
        case "string" if schema.get("format") == "uuid":
            return "00000000-0000-4000-8000-000000000000"
        case "string":
            return "Prefers tea"
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
    return None


def placed(schema: dict[str, Any], body: Any, path: Path, value: Any) -> Any:
    """A copy of the body with the value at this place; what is missing on the way is made as the schema wants it."""
    if not path:
        return value
    schema, first = resolved(schema), path[0]
    if isinstance(first, int):
        items = list(body or [smallest(schema["items"])])
        items[0] = placed(schema["items"], items[0], path[1:], value)
        return items
    member = schema["properties"][first]
    made = dict(body if isinstance(body, dict) else smallest(schema))
    made[first] = placed(member, made.get(first), path[1:], value)
    return made
