"""The JSON API, whole: its rooms' routers under /api/v1, one error shape, and its description."""

from typing import Any, cast

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.openapi.docs import Swagger

from config import problems
from config.rendering import JsonRenderer, StrictParser
from consolidation.api import blocks, bulk, policies, previews, runs
from consolidation.api import decisions as rulings
from consolidation.api import memories as combining
from consolidation.api import users as leaving
from memory_app.api import decisions, governing, guardrails, memories, recall, sessions, users
from memory_app.domain.errors import UNFIT, UNKNOWN_REFERENCE
from memory_app.schemas.problems import REFUSES, Problem

DESCRIPTION = """
Agents keep notes while they talk with a user; when a session ends, its notes are consolidated into memory, one recorded
decision each; recall and context bring memory back.

Times are ISO 8601 with an offset. Ids are UUIDs. Lists are `{items, next}`, newest first. Every error is a problem
document (RFC 9457). A POST may carry an `Idempotency-Key`: for 24 hours the same request gets the first answer again.
"""
REF = "#/components/schemas/"

#: The errors that any call can end with, and those of calls with a body.
ALWAYS = {401: "No valid key", 403: "The key's role or teams do not allow it", 429: "Too many calls", 500: "Our fault"}
WITH_BODY = {400: "Malformed JSON", 413: "Too large", 415: "Not sent as JSON"}
BY_PLACE = {404: "Unknown, or in another workspace", 422: "Invalid fields"}
WITH_CHANGE = {409: "State conflict"}
#: Refusals that no schema can foretell: what an operation says of itself, and how its answer 422 lists their types.
KINDS = "x-problem-types"
OF_KINDS = {
    "blocked": "the guardrails refuse it",
    UNKNOWN_REFERENCE: "what a field names is not there",
    UNFIT: "a field does not fit others, or what it is about",
}
CURSOR = (UNKNOWN_REFERENCE,)


class Docs(Swagger):
    """The browsable docs, from files of our own; their style sheet carries its icons in itself."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        def page(request: HttpRequest) -> HttpResponse:
            return super(Docs, self).render_page(request, api, **kwargs)

        return cast(HttpResponse, csp_update({"img-src": ["data:"]})(page)(request))


class Described(NinjaAPI):
    """Documents the problem documents of every operation, and the headers that any call may carry."""

    def get_openapi_schema(self, **options: Any) -> Any:
        schema = super().get_openapi_schema(**options)
        definition = Problem.model_json_schema(ref_template=REF + "{model}", mode="serialization")
        schema["components"]["schemas"] |= definition.pop("$defs", {}) | {"Problem": definition}
        for address, methods in schema["paths"].items():
            for method, operation in methods.items():
                for parameter in operation["parameters"]:
                    self._never_null(parameter)
                self._describe(address, method, operation)
        return schema

    @staticmethod
    def _never_null(parameter: dict[str, Any]) -> None:
        """What stands in an address or a header is left out, and never null."""
        schema = parameter["schema"]
        choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
        if len(choices) == 1:
            del schema["anyOf"]
            parameter["schema"] = choices[0] | schema

    @staticmethod
    def _describe(address: str, method: str, operation: dict[str, Any]) -> None:
        found = ALWAYS | BY_PLACE
        kinds = {
            *operation.pop(REFUSES, ()),
            *(CURSOR if any(p["name"] == "cursor" for p in operation["parameters"]) else ()),
        }
        if kinds:
            told = ", ".join(f"`{kind}` ({OF_KINDS[kind]})" for kind in sorted(kinds))
            found = found | {422: f"{BY_PLACE[422]}; or of a kind of its own: {told}"}
        if method in ("post", "put", "patch"):
            found |= WITH_BODY
        if method != "get":
            found |= WITH_CHANGE
        if any(p["name"] == "If-Match" for p in operation["parameters"]):
            found = found | {412: "Stale If-Match"}
        content = {problems.CONTENT_TYPE: {"schema": {"$ref": f"{REF}Problem"}}}
        for status, description in sorted(found.items()):
            answer: dict[str, Any] = {"description": description, "content": content}
            if status == 422 and kinds:
                answer[KINDS] = [f"urn:commonplace:problem:{kind}" for kind in sorted(kinds)]
            if status == 429:
                answer["headers"] = {"Retry-After": {"description": "Seconds to wait", "schema": {"type": "integer"}}}
            operation["responses"][status] = answer
        if method == "post" and not address.endswith("/preview"):
            operation["parameters"].append(
                {
                    "in": "header",
                    "name": "Idempotency-Key",
                    "required": False,
                    "description": "Any string of at most 200 characters; the same request is then done once.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
                }
            )


def _build() -> NinjaAPI:
    made = Described(
        title="Commonplace",
        version="1",
        description=DESCRIPTION,
        urls_namespace="api",
        docs=Docs({"persistAuthorization": False, "tryItOutEnabled": False}),
        parser=StrictParser(),
        renderer=JsonRenderer(),
    )
    problems.install(made)
    made.add_router("/sessions", sessions.router)
    made.add_router("", runs.router)
    made.add_router("", bulk.router)
    made.add_router("/decisions", decisions.router)
    made.add_router("/decisions", rulings.router)
    made.add_router("", guardrails.router)
    made.add_router("/blocks", blocks.router)
    made.add_router("", recall.router)
    made.add_router("/memories", memories.router)
    made.add_router("/memories", combining.router)
    made.add_router("/users", users.router)
    made.add_router("/users", leaving.router)
    made.add_router("", governing.router)
    made.add_router("/policy", policies.router)
    made.add_router("", previews.router)
    return made


api = _build()
