"""Changes of a gate: metrics that changed by more than the tolerance, exceeded budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.baseline import metrics_of
from tokharness.changes import Change, change_fingerprint
from tokharness.targets.snapshot import fertility
from tokharness.unicode.languages import language_name
from tokharness.unicode.properties import script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.baseline import Baseline
    from tokharness.results.report import TargetReport

MAX_NAMED = 5
ROUNDING = 1e-9
"""Slack, so that a growth of exactly the tolerance passes."""
PLURALS = {"family": "families", "language": "languages", "script": "scripts"}


def metric_changes(
    target: TargetReport, baseline: Baseline, tolerance: float, budgets: Mapping[str, float]
) -> Iterator[Change]:
    """Yield a change of tokens per code point for each kind of group, then exceeded budgets."""
    before, now = _costs_of_shared_texts(target, baseline)
    for group_kind in PLURALS:
        ratios = {
            group: now[group] / cost
            for group, cost in before.items()
            if group.startswith(f"{group_kind}:") and cost and group in now
        }
        limit = tolerance + ROUNDING
        worse = {group: ratio for group, ratio in ratios.items() if ratio - 1 > limit}
        better = {group: ratio for group, ratio in ratios.items() if 1 - ratio > limit}
        if worse:
            yield _metric_change("metric-regression", group_kind, worse, before, now)
        if better:
            yield _metric_change("metric-improvement", group_kind, better, before, now)
    yield from _over_budget(target, metrics_of(target), budgets)


def _costs_of_shared_texts(
    target: TargetReport, baseline: Baseline
) -> tuple[dict[str, float], dict[str, float]]:
    """Return tokens per code point in baseline and run, for the texts that have ids in both."""
    golden = target.snapshot.golden if target.snapshot else ()
    encoded_before, encoded_now = (
        {one.text for one in texts if not isinstance(one.ids, str)}
        for texts in (baseline.golden, golden)
    )
    shared = encoded_before & encoded_now
    before, now = (
        fertility([one for one in texts if one.text in shared])
        for texts in (baseline.golden, golden)
    )
    return before, now


def _metric_change(
    kind: str,
    group_kind: str,
    ratios: Mapping[str, float],
    before: Mapping[str, float],
    now: Mapping[str, float],
) -> Change:
    noun = group_kind if len(ratios) == 1 else PLURALS[group_kind]
    ordered = sorted(ratios, key=lambda group: (-abs(ratios[group] - 1), group))
    named = ", ".join(
        f"{group_name(group)} from {before[group]:.2f} to {now[group]:.2f} "
        f"({ratios[group] - 1:+.0%})"
        for group in ordered[:MAX_NAMED]
    )
    more = f" and {len(ordered) - MAX_NAMED} more" if len(ordered) > MAX_NAMED else ""
    verb = "grew" if kind == "metric-regression" else "fell"
    return Change(
        kind,
        f"tokens per code point of {len(ratios)} {noun}",
        f"tokens per code point {verb}: {named}{more}",
        change_fingerprint(kind, *((group, round(now[group], 6)) for group in sorted(ratios))),
        fails=kind == "metric-regression",
        count=len(ratios),
    )


def group_name(group: str) -> str:
    """Return the display name of a group: "Burmese", "Myanmar", "emoji"."""
    kind, _, code = group.partition(":")
    if kind == "language":
        return language_name(code)
    return script_name(code) if kind == "script" else code


def _over_budget(
    target: TargetReport, now: Mapping[str, float], budgets: Mapping[str, float]
) -> Iterator[Change]:
    for group, budget in sorted(budgets.items()):
        if group.startswith("language:"):
            value, unit = times_english(target, group), "times the tokens of English"
        else:
            value, unit = now.get(group), "tokens per code point"
        if value is None:
            message = f"the budget of {group_name(group)} cannot be checked: it has no ids"
        elif value <= budget:
            continue
        else:
            message = f"{group_name(group)} costs {value:.2f} {unit}; its budget is {budget:g}"
        fingerprint = change_fingerprint("over-budget", group, round(value or 0, 6), budget)
        yield Change("over-budget", group_name(group), message, fingerprint)


def times_english(target: TargetReport, group: str) -> float | None:
    """Return the tokens of a language relative to English for the same text, None if unknown."""
    counts = {
        one.group: len(one.ids)
        for one in (target.snapshot.golden if target.snapshot else ())
        if not isinstance(one.ids, str)
    }
    english = counts.get("language:en")
    return counts[group] / english if english and group in counts else None
