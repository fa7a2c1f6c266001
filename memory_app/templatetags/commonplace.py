"""Template tags and filters of the product: `{% load commonplace %}`."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django import template
from django.template import Context
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from memory_app import actor_words, charts, display, labels, moments
from memory_app.failures import failure_words
from memory_app.models import Decision
from memory_app.navigation import NavItem, nav_items
from memory_app.queries.counting import MOST, UpTo
from memory_app.reasons import hold_name
from memory_app.wording import colon, comma, gap

register = template.Library()
register.filter("hold_name", hold_name)


# Icons, badges, tags ----------------------------------------------------------------------------------------------


@register.simple_tag
def icon(name: str) -> SafeString:
    """The symbol `name` of components/sprite.html; decoration only, so the words stand beside it."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.inclusion_tag("components/badge.html")
def badge(name: str, text: str = "", large: bool = False) -> dict[str, Any]:
    """The badge of an action or a status: icon, word and tone. `text` replaces the word."""
    return {"badge": labels.label_of(labels.BADGES, name), "text": text, "large": large}


@register.inclusion_tag("components/badge.html")
def category(name: str, large: bool = False) -> dict[str, Any]:
    """The badge of a guardrail category."""
    return {"badge": labels.label_of(labels.CATEGORIES, name), "text": "", "large": large}


@register.inclusion_tag("components/tag.html")
def kind(name: str) -> dict[str, Any]:
    """The tag of a memory kind; neutral on purpose."""
    return {"text": labels.label_of(labels.KINDS, name).text}


@register.inclusion_tag("components/tag.html")
def scope(name: str) -> dict[str, Any]:
    """The tag of a scope; neutral on purpose."""
    label = labels.label_of(labels.SCOPES, name)
    return {"text": label.text, "icon": label.icon}


@register.filter
def label(name: str, family: str = "badges") -> Any:
    """The word for a value: `{{ value|label }}`, or of "kinds", "scopes", "categories", "speakers", "sensitivities"."""
    families: dict[str, dict[str, labels.Label]] = {
        "badges": labels.BADGES,
        "kinds": labels.KINDS,
        "scopes": labels.SCOPES,
        "categories": labels.CATEGORIES,
        "speakers": labels.SPEAKERS,
        "sensitivities": labels.SENSITIVITIES,
    }
    return labels.label_of(families[family], name).text


@register.inclusion_tag("components/meter.html")
def confidence(value: float | None) -> dict[str, Any]:
    """A meter that turns amber under 0.70, with the number."""
    return {"value": _two_decimals(value), "low": "0.7", "measure": "confidence"}


@register.inclusion_tag("components/meter.html")
def similarity(value: float | None) -> dict[str, Any]:
    """A meter without a threshold, with the number."""
    return {"value": _two_decimals(value), "measure": "similarity"}


def _two_decimals(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


# Who acted --------------------------------------------------------------------------------------------------------


@register.filter
def proposer(decision: Decision) -> str:
    """Who proposed it: a name, or the product's own part in the language of the page."""
    return actor_words.proposer_words(decision)


@register.filter
def decider(decision: Decision) -> str:
    """Who decided it; empty where nobody has."""
    return actor_words.decider_words(decision)


@register.filter
def failure(stored: str) -> str:
    """Why work in the background failed, or what it left out, in the language of the page."""
    return failure_words(stored)


@register.filter
def engine(name: str) -> str:
    """What worked a decision out: `rules`, or a model by its name."""
    return actor_words.engine_words(name)


@register.simple_tag
def actor(kind: str, name: str) -> str:
    """The name of any actor."""
    return actor_words.actor_words(kind, name)


# User text --------------------------------------------------------------------------------------------------------


@register.filter
def lang_of(text: Any) -> str:
    """The value of a lang attribute for user text: `zh-Hans` or `en`, by its script."""
    return display.lang_of(text)


@register.filter
def visible(text: Any) -> SafeString:
    """User text escaped, with its hidden characters written out. Every piece of user text goes through this or `said`."""
    return display.visible(text)


@register.simple_tag
def said(text: Any, spans: Sequence[tuple[int, int]] = ()) -> SafeString:
    """User text with spans in `<mark>` and masked parts set apart."""
    return display.said(text, spans or ())


@register.simple_tag
def diff(before: Any, after: Any) -> SafeString:
    """The words that changed, as `<del>` and `<ins>`."""
    return display.diff_html(before, after)


# Numbers and times ------------------------------------------------------------------------------------------------


@register.filter
def number(value: float | None, decimals: int = 0) -> str:
    """`1,284` in both languages; a dash where there is none."""
    return "–" if value is None else f"{value:,.{decimals}f}"


@register.filter
def up_to(value: UpTo) -> str:
    """A number that was counted up to some limit: `10,000+` where there are more."""
    return number(value.number) + ("+" if value.more else "")


@register.filter
def counted(value: int) -> str:
    """A number that was counted up to one above MOST: `10,000+` where there are more."""
    return f"{MOST:,}+" if value > MOST else number(value)


@register.filter
def percent(share: float | None, decimals: int = 1) -> str:
    """A share of one as `7.1%`; a dash where there is none."""
    return "–" if share is None else f"{share * 100:.{decimals}f}%"


@register.filter
def decimals(value: float | None) -> str:
    """Two decimals, as confidence and similarity have; a dash where there is none."""
    return _two_decimals(value) or "–"


@register.filter
def age(since: datetime | timedelta | None, parts: int = 1) -> str:
    """`12 m`; with `:2` two units, `3 d 4 h`."""
    return "–" if since is None else moments.age(since, parts)


@register.filter
def ago(since: datetime | None) -> str:
    """`2 min ago`."""
    return "–" if since is None else moments.ago(since)


@register.simple_tag
def when(moment: date | None, form: str = "minute") -> SafeString:
    """A `<time>` in the operator's zone; forms: minute, second, date, day (09-09 10:24), time (10:24)."""
    return moments.when(moment, form)


# Charts -----------------------------------------------------------------------------------------------------------


@register.simple_tag
def spark(values: Sequence[float]) -> SafeString:
    """A small line for a tile."""
    return charts.spark(values)


@register.simple_tag
def stacked_chart(columns: Sequence[str], series: Sequence[charts.Series], sentence: str) -> SafeString:
    """Stacked columns; series are (tone class, values), `sentence` says what the chart shows."""
    return charts.stacked(columns, series, sentence)


@register.simple_tag
def bar_chart(rows: Sequence[tuple[str, float, str]], sentence: str) -> SafeString:
    """Horizontal bars from (label, value, tone class)."""
    return charts.bars(rows, sentence)


# Addresses --------------------------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def query_string(context: Context, **changes: Any) -> str:
    """The page's query with changes, always from `?` on: `kind="semantic"` sets, `kind=None` removes,
    `kind__add` and `kind__remove` change one value of many. A changed filter starts at the first page again."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        if name.endswith("__add"):
            field = name.removesuffix("__add")
            if str(value) not in query.getlist(field):
                query.appendlist(field, str(value))
        elif name.endswith("__remove"):
            field = name.removesuffix("__remove")
            query.setlist(field, [kept for kept in query.getlist(field) if kept != str(value)])
        elif value is None or value == "":
            query.pop(name, None)
        elif isinstance(value, (list, tuple)):
            query.setlist(name, [str(one) for one in value])
        else:
            query[name] = str(value)
    if "cursor" not in changes and any(name != "item" for name in changes):
        query.pop("cursor", None)
    kept = [(name, value) for name, values in query.lists() for value in values if value != ""]
    return "?" + urlencode(kept)


@register.simple_tag
def url_if(name: str, *args: Any) -> str:
    """The address of a URL name, or nothing while the product has no such page."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@register.simple_tag(takes_context=True)
def navigation(context: Context, group: str = "main") -> list[NavItem]:
    """The sidebar's links of a group ("main" or "settings"): those whose page exists."""
    return nav_items(
        group,
        context.get("workspace"),
        getattr(context.get("request"), "path", ""),
        _counts(context),
        admin=getattr(context.get("membership"), "role", "admin") == "admin",
    )


def _counts(context: Context) -> Mapping[str, int]:
    return context.get("nav_counts") or {}


for _punctuation in (gap, colon, comma):
    register.simple_tag(_punctuation, name=_punctuation.__name__)


@register.simple_tag
def page_language() -> str:
    """The language of the page as HTML names it."""
    return "zh-Hans" if (get_language() or "").startswith("zh") else "en"


@register.simple_tag(takes_context=True)
def query_string_for(context: Context, name: str, value: Any) -> str:
    """`query_string` where the parameter's name is a variable."""
    return str(query_string(context, **{name: value}))
