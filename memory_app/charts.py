"""Charts as SVG, drawn on the server: values are attributes, so a strict content policy holds and no script is needed."""

from collections.abc import Sequence
from math import ceil, floor, log10

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

Series = tuple[str, Sequence[float]]  # the tone class of a series and its value in each column
#: How wide the name of a column is at most; the last one ends with the chart instead of being cut off.
NAME = 40


def ticks(highest: float, count: int = 4, lowest: float = 0) -> list[float]:
    """Round numbers from at most `lowest` to at least `highest`, about `count` steps."""
    reach = max(highest - lowest, 1e-9)
    power = 10 ** floor(log10(reach / count))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor * count >= reach)
    if highest <= 0 and lowest >= 0:
        return [0, 1]
    if float(highest).is_integer() and float(lowest).is_integer():
        step = max(1, ceil(step) if step < 10 else step)
    first, last = floor(lowest / step), ceil(highest / step - 1e-9)
    return [round(position * step, 6) for position in range(first, last + 1)]


def spark(values: Sequence[float]) -> SafeString:
    """A small line without a scale; hidden from assistive technology, as the number stands beside it."""
    points = [float(value) for value in values]
    if len(points) < 2:
        return SafeString("")
    low, high = min(points), max(points)
    spread = (high - low) or 1
    drawn = [
        (2 + index * 76 / (len(points) - 1), 24 - (value - low) / spread * 20 if high > low else 14.0)
        for index, value in enumerate(points)
    ]
    return format_html(
        '<svg class="spark" viewBox="0 0 80 28" aria-hidden="true"><polyline points="{}"/>'
        '<circle cx="{}" cy="{}" r="2"/></svg>',
        " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn),
        f"{drawn[-1][0]:.1f}",
        f"{drawn[-1][1]:.1f}",
    )


def stacked(columns: Sequence[str], series: Sequence[Series], sentence: str) -> SafeString:
    """A column for each label, the series stacked in it; `sentence` says in words what the chart shows."""
    left, right, top, bottom, width = 36, 720, 10, 165, 29
    totals = [sum(values[index] for _, values in series) for index in range(len(columns))]
    scale = ticks(max(totals, default=0))
    pitch = (right - left) / max(len(columns), 1)
    width = min(width, max(3, int(pitch * 0.66)))
    bars: list[tuple[str, str, str, str, str]] = []
    for index in range(len(columns)):
        y = float(bottom)
        x = left + pitch * index + (pitch - width) / 2
        for tone, values in series:
            height = values[index] / scale[-1] * (bottom - top)
            if height > 0:
                y -= height
                bars.append((tone, f"{x:.1f}", f"{y:.1f}", str(width), f"{max(height - 0.8, 0.4):.1f}"))
    every = max(1, ceil(len(columns) / 8))
    names = [
        (f"{right:.1f}", "end", label)
        if (middle := left + pitch * (index + 0.5)) > right - NAME / 2
        else (f"{middle:.1f}", "middle", label)
        for index, label in enumerate(columns)
        if (len(columns) - 1 - index) % every == 0
    ]
    return format_html(
        '<svg class="chart wide" viewBox="0 0 720 190" role="img" aria-label="{}">{}{}{}</svg>',
        sentence,
        _grid(scale, left, right, top, bottom),
        format_html_join("", '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>', bars),
        format_html_join("", '<text x="{}" y="183" text-anchor="{}">{}</text>', names),
    )


def bars(rows: Sequence[tuple[str, float, str]], sentence: str) -> SafeString:
    """A horizontal bar for each row (label, value, tone)."""
    highest = max((value for _, value, _ in rows), default=0) or 1
    drawn = [
        (
            str(22 + 30 * index),
            label,
            tone,
            str(10 + 30 * index),
            str(max(2, round(value / highest * 190)) if value else 0),
            str(90 + max(2, round(value / highest * 190)) if value else 90),
            str(22 + 30 * index),
            f"{value:,.0f}",
        )
        for index, (label, value, tone) in enumerate(rows)
    ]
    return format_html(
        '<svg class="chart" viewBox="0 0 320 {}" role="img" aria-label="{}">{}</svg>',
        str(10 + 30 * max(len(rows), 1)),
        sentence,
        format_html_join(
            "",
            '<text x="74" y="{}" text-anchor="end">{}</text><rect class="{}" x="84" y="{}" width="{}" height="16" rx="2"/>'
            '<text x="{}" y="{}">{}</text>',
            drawn,
        ),
    )


def _grid(scale: Sequence[float], left: int, right: int, top: int, bottom: int) -> SafeString:
    rows = []
    for value in scale:
        y = bottom - value / scale[-1] * (bottom - top)
        rows.append((left, right, f"{y:.1f}", f"{y:.1f}", left - 6, f"{y + 4:.1f}", f"{value:,g}"))
    return format_html_join(
        "",
        '<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
        rows,
    )
