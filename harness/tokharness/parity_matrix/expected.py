"""Differences that the policy of a project expects: they do not fail a parity."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence

    from tokharness.parity_matrix.model import Cause, Parity
    from tokharness.policy import ExpectedDifference


def with_expected(
    result: Parity, expectations: Sequence[ExpectedDifference], today: dt.date
) -> Parity:
    """Return the result with the causes that are expected today.

    A cause that was expected until an earlier day says so, and fails the run again.
    """
    specs = [form.spec for form in result.forms]
    causes = tuple(
        _judged(cause, [one for one in expectations if matches(cause, one, specs)], today)
        for cause in result.causes
    )
    return replace(result, causes=causes)


def _judged(cause: Cause, found: Sequence[ExpectedDifference], today: dt.date) -> Cause:
    valid = [one for one in found if one.expires is None or today <= one.expires]
    if valid:
        return replace(cause, expected=valid[0].reason)
    if not found:
        return cause
    prefix = f"it was expected until {found[0].expires} ({found[0].reason})"
    return replace(cause, message=f"{prefix}: {cause.message}")


def unmet(
    result: Parity, expectations: Iterable[ExpectedDifference]
) -> tuple[ExpectedDifference, ...]:
    """Return the expectations that no cause meets."""
    specs = [form.spec for form in result.forms]
    return tuple(
        one
        for one in expectations
        if not any(matches(cause, one, specs) for cause in result.causes)
    )


def describe_unmet(result: Parity, expectation: ExpectedDifference) -> str:
    """Return a sentence on an expectation that no cause meets."""
    names = "; ".join(dict.fromkeys(cause.name for cause in result.causes)) or "no cause"
    return (
        f"no cause meets the expectation {expectation.cause!r} ({expectation.reason}), and this "
        f"run reported {names}: remove it from parity.expect of the policy"
    )


def matches(cause: Cause, expectation: ExpectedDifference, specs: Sequence[str]) -> bool:
    """Whether an expectation is of a cause: by its name, kind, stage or aspect, and its forms."""
    name = cause.name.removeprefix(f"{cause.stage}: ")
    kind = name.partition(":")[0]
    names = (cause.name, name, kind, cause.stage, cause.aspect, f"{cause.stage}: {name}")
    if expectation.cause.strip().lower() not in map(str.lower, names):
        return False
    places = (*cause.forms, *cause.against)
    return not expectation.form or any(expectation.form in specs[place] for place in places)
