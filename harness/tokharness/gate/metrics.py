"""Metrics that grew by more than they may, and budgets that are exceeded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.baseline import metrics_of
from tokharness.changes import Change, change_fingerprint
from tokharness.targets.snapshot import fertility
from tokharness.unicode.languages import language_name
from tokharness.unicode.scripts import script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport

__all__ = ["metric_changes", "times_english"]

MOST_NAMED = 5
ROUNDING = 1e-9
"""What has grown by the tolerance itself is tolerated."""
GROUPS = {"family": "families", "language": "languages", "script": "scripts"}


def metric_changes(
    target: TargetReport, baseline: Baseline, tolerance: float, budgets: Mapping[str, float]
) -> Iterator[Change]:
    """Tokens a code point that grew or fell, told once for each kind of group; then budgets."""
    before, now = _of_the_same_texts(target, baseline)
    for kind, plural in GROUPS.items():
        ratios = {
            group: now[group] / was
            for group, was in before.items()
            if group.startswith(f"{kind}:") and was
        }
        worse = {group: one for group, one in ratios.items() if one - 1 > tolerance + ROUNDING}
        better = {group: one for group, one in ratios.items() if 1 - one > tolerance + ROUNDING}
        if worse:
            yield _grown("metric-regression", plural, worse, before, now)
        if better:
            yield _grown("metric-improvement", plural, better, before, now)
    yield from _over_budget(target, metrics_of(target), budgets)


def _of_the_same_texts(
    target: TargetReport, baseline: Baseline
) -> tuple[dict[str, float], dict[str, float]]:
    """Tokens a code point then and now, of texts that have ids in both."""
    golden = target.snapshot.golden if target.snapshot else ()
    had, has = (
        {one.text for one in some if not isinstance(one.ids, str)}
        for some in (baseline.golden, golden)
    )
    both = had & has
    before, now = (
        fertility([one for one in some if one.text in both]) for some in (baseline.golden, golden)
    )
    return before, now


def _grown(
    kind: str,
    plural: str,
    ratios: Mapping[str, float],
    before: Mapping[str, float],
    now: Mapping[str, float],
) -> Change:
    ordered = sorted(ratios, key=lambda group: (-abs(ratios[group] - 1), group))
    named = ", ".join(
        f"{group_name(group)} {before[group]:.2f}, now {now[group]:.2f} ({ratios[group] - 1:+.0%})"
        for group in ordered[:MOST_NAMED]
    )
    more = f" and {len(ordered) - MOST_NAMED} more" if len(ordered) > MOST_NAMED else ""
    verb = "grew" if kind == "metric-regression" else "fell"
    return Change(
        kind,
        f"tokens a code point of {len(ratios)} {plural}",
        f"tokens a code point {verb}: {named}{more}",
        change_fingerprint(kind, *((group, round(now[group], 6)) for group in sorted(ratios))),
        fails=kind == "metric-regression",
        count=len(ratios),
    )


def group_name(group: str) -> str:
    """Name of a group for a person: "Burmese", "Myanmar", "emoji"."""
    kind, _, code = group.partition(":")
    if kind == "language":
        return language_name(code)
    return script_name(code) if kind == "script" else code


def _over_budget(
    target: TargetReport, now: Mapping[str, float], budgets: Mapping[str, float]
) -> Iterator[Change]:
    for group, most in sorted(budgets.items()):
        if group.startswith("language:"):
            value, unit = times_english(target, group), "times the tokens of English"
        else:
            value, unit = now.get(group), "tokens a code point"
        if value is None:
            message = f"the budget of {group_name(group)} cannot be told: there are no ids of it"
        elif value <= most:
            continue
        else:
            message = f"{group_name(group)} costs {value:.2f} {unit}, and its budget is {most:g}"
        fingerprint = change_fingerprint("over-budget", group, round(value or 0, 6), most)
        yield Change("over-budget", group_name(group), message, fingerprint)


def times_english(target: TargetReport, group: str) -> float | None:
    """How many times the tokens of English a language takes for the same text, None if unknown."""
    counts = {
        one.group: len(one.ids)
        for one in (target.snapshot.golden if target.snapshot else ())
        if not isinstance(one.ids, str)
    }
    english = counts.get("language:en")
    return counts[group] / english if english and group in counts else None
