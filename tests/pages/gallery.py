"""Every component on one page, for the tests only: what pages are built from, with the values that are hard to draw."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.template import engines
from django.urls import include, path

from memory_app.labels import ACTIONS, CATEGORIES, KINDS, SCOPES, STATUSES

PRESSED: list[int] = []  # the parts asked for, in order
PAGE = Path(__file__).with_name("gallery.html")
SAID = "上次早上五点起来赶飞机太累了。以后别订早班机了，优先晚班，到酒店晚一点没关系。"
HOSTILE = 'Pay <script>alert(1)</script> "now" \u202eevil\u202c zero\u200bwidth 👨‍👩‍👧 & tag\U000e0041'
AT = datetime(2026, 9, 9, 2, 31, tzinfo=UTC)


class SampleForm(forms.Form):
    text = forms.CharField(label="Memory text", help_text="One sentence.")
    expires = forms.DateField(label="Expires", required=False)
    keep = forms.BooleanField(label="Keep", required=False)


def _step(text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "scope": "user", "kind": "semantic", **more}


def _flows() -> list[dict[str, Any]]:
    existing = _step("倾向早班机", ref="M-412", version=3, href="#m", facts=["41 recalls"])
    return [
        {
            "action": "override",
            "candidate": _step("以后不订早班机，优先晚班机", when=AT),
            "existing": existing,
            "result": _step("优先晚班机", before="倾向早班机", ref="M-412", version=4),
        },
        {
            "action": "promote",
            "candidate": {"text": "短途优先高铁", "badge": True},
            "nothing": "No memory says this. Nearest 0.48.",
            "result": {"text": "短途优先高铁", "before": None, "ref": "M-915", "version": 1},
        },
        {"action": "reject", "candidate": {"text": HOSTILE, "badge": True}, "result": None},
        {"action": "review", "candidate": {"text": "Tokyo was loud", "badge": True}, "result": None},
    ]


def _turns() -> list[dict[str, Any]]:
    anchor = {"action": "override", "text": "优先晚班机", "href": "#c5", "ref": "C5"}
    blocked = {"category": "pii", "text": "护照号 E12••••78", "href": "#g", "ref": "G-2207"}
    return [
        {"number": 7, "role": "user", "text": SAID, "at": AT, "spans": [(15, 28)], "anchors": [anchor]},
        {"number": 8, "role": "assistant", "text": "Noted.", "at": AT, "anchors": []},
        {
            "number": 9,
            "role": "user",
            "text": "护照号 E12••••78，卡号 •••• •••• •••• 4242。",
            "at": AT,
            "anchors": [blocked],
        },
    ]


def _versions() -> list[dict[str, Any]]:
    return [
        {"tone": "override", "badge": True, "title": "v4", "current": True, "at": AT, "before": "倾向早班机",
         "after": "优先晚班机", "said": "Lin Qiao approved", "href": "#d", "ref": "D-21", "note": "Explicit change"},
        {"tone": "promote", "badge": True, "title": "v1", "at": AT, "after": "倾向早班机", "restore": "confirm"},
        {"tone": "session_only", "title": "Turn 7", "title_href": "#t", "title_ref": "S-3", "quote": "优先晚班"},
    ]  # fmt: skip


def sample() -> dict[str, Any]:
    """A value for each name that gallery.html uses."""
    days = [f"09-{day:02d}" for day in range(1, 15)]
    near = [
        {"text": "倾向早班机", "href": "#1", "ref": "M-412", "similarity": 0.89, "note": "same key", "target": True},
        {"text": HOSTILE, "href": "#2", "ref": "M-733", "similarity": 0.71},
    ]
    return {
        "actions": list(ACTIONS), "statuses": list(STATUSES), "categories": list(CATEGORIES),
        "kinds": [{"value": one.name, "text": one.text, "count": 3} for one in KINDS.values()],
        "scopes": [{"value": one.name, "text": one.text} for one in SCOPES.values()],
        "tabs": [{"value": "", "text": "All", "count": 1284}, {"value": "archived", "text": "Archived", "count": 96}],
        "crumbs": [{"text": "Memories", "href": "#m"}, {"text": "张三", "href": "#u"}, {"text": "M-412"}],
        "changes": [{"name": "flight_time", "before": "morning", "after": "evening", "code": True}],
        "hostile": HOSTILE, "said": SAID, "spans": [(15, 28)], "at": AT,
        "checks": [{"text": "Explicit statement", "ok": True}, {"text": "Replaces a memory", "ok": False}],
        "form": SampleForm({"text": "", "expires": "2026-02-30", "keep": "on"}),
        "dialog_form": SampleForm(auto_id="confirm_%s"),
        "near": near, "versions": _versions(), "flows": _flows(), "turns": _turns(),
        "why": [{"text": "这次想靠窗休息", "reason": "session override", "included": True, "tokens": 9},
                {"text": "旧偏好", "reason": "expired", "included": False}],
        "tiles": [{"label": "Override rate", "value": "7.1", "unit": "%", "values": [3, 2, 5, 7], "delta": "up"}],
        "days": days, "series": [("promote", range(1, 15)), ("reject", range(14, 0, -1))],
        "ages": [("< 1 h", 61, "session_only"), ("> 3 d", 2, "override")],
        "bulk": [{"text": "Archive…", "dialog": "confirm", "destructive": True}],
    }  # fmt: skip


def gallery(request: HttpRequest) -> HttpResponse:
    """The gallery in a workspace that is not in the database."""
    request.workspace = SimpleNamespace(slug="demo", name="Travel assistant", pk=None)  # type: ignore[attr-defined]
    counts = {"review": 128, "memories": 1284, "guardrails": 14, "approvals": 5}
    oldest = datetime.now(UTC) - timedelta(days=3, hours=4)
    template = engines["django"].from_string(PAGE.read_text(encoding="utf-8"))
    given = sample() | {"nav_alerts": 2, "nav_counts": counts, "nav_oldest": oldest, "part": _part(request, 1)}
    return HttpResponse(template.render(given, request))


def part(request: HttpRequest, number: int) -> HttpResponse:
    """A region that changes: 403 refuses, 409 answers with itself, anything else comes back as the next part."""
    if number == 403:
        return HttpResponseForbidden("no")
    PRESSED.append(number)
    return HttpResponse(_part(request, number if number == 409 else number + 1), status=409 if number == 409 else 200)


def _part(request: HttpRequest, number: int) -> str:
    template = engines["django"].from_string(PAGE.with_name("part.html").read_text(encoding="utf-8"))
    return template.render({"number": number}, request)


def _page(request: HttpRequest, workspace: str) -> HttpResponse:
    return HttpResponse("")


urlpatterns = [
    path("gallery/", gallery),
    path("part/<int:number>/", part),
    path("accounts/", include("memory_app.account_urls")),
    path("w/<slug:workspace>/overview/", _page, name="overview"),
    path("w/<slug:workspace>/review/", _page, name="review"),
    path("w/<slug:workspace>/memories/", _page, name="memories"),
]
