"""What each item is told: the findings of a run, and what was not run, handed to the items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tokharness import plugins
from tokharness.escaping import visible
from tokharness.formats._problems import problems
from tokharness.model import Verdict
from tokharness.results.report import Report

if TYPE_CHECKING:
    from collections.abc import Collection

    from tokharness.config import Options
    from tokharness.model import Finding, Skip
    from tokharness.pytest_plugin._running import Told

__all__ = ["AUDIT", "Key", "Outcome", "label", "outcomes"]

AUDIT = ""
"""Stands for a family in the key of an audit."""

WORST = {"bug": Verdict.BUG, "risk": Verdict.RISK}


class Key(NamedTuple):
    """What an item asks: a check of a family, or a check's audit."""

    code: str
    family: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an item tells, in display form.

    ``failed`` has the findings that make it fail; ``told`` the others, each with its verdict in one
    word; ``not_run`` is why it may not pass, "" if it may.
    """

    failed: tuple[str, ...]
    told: tuple[tuple[str, str], ...]
    not_run: str


def label(key: Key) -> str:
    """Name of the item of a key."""
    return f"{key.code}-{key.family or 'audit'}"


def outcomes(
    told: Told,
    options: Options,
    made: Collection[Key],
    kept: Collection[Key],
    not_compared: Collection[str],
) -> dict[Key, Outcome]:
    """Outcome of each item that was ``kept`` of those that were ``made``.

    ``not_compared`` are the families with texts too long for a reference.
    """
    own: dict[Key, list[Finding]] = {key: [] for key in kept}
    for finding in told.report.findings:
        for key in _owners(finding, made, kept):
            own[key].append(finding)
    worst = WORST[options.fail_on].rank
    return {
        key: Outcome(
            failed=tuple(_words(f, told, options) for f in found if f.verdict.rank <= worst),
            told=tuple((_word(f), _fact(f)) for f in found if f.verdict.rank > worst),
            not_run=visible(
                "texts of this family are too long to be compared with a reference"
                if key.family in not_compared and _compares(key.code)
                else _not_run(key, told, options.profile, found=bool(found))
            ),
        )
        for key, found in own.items()
    }


def _owners(finding: Finding, made: Collection[Key], kept: Collection[Key]) -> list[Key]:
    """Items that a finding is told by.

    What several checks see is told once, under the first of them; an item of another would fail
    alone, so it does with them all. What belongs to no item at all is told by an audit, or else by
    every item of its check, so that it is not lost.
    """
    codes = (finding.code, *finding.also)
    places = {Key(code, family) for code in codes for family in finding.families}
    if places.isdisjoint(made):
        places = {Key(code, AUDIT) for code in codes}
    if places.isdisjoint(made):
        places = {key for key in made if key.code in codes}
    return [key for key in kept if key in places]


def _words(finding: Finding, told: Told, options: Options) -> str:
    one = replace(told.report, findings=(finding,))
    return "\n\n".join(
        "\n".join(filter(None, (f"{_word(finding)} {p.title}", p.message, _command(p.command))))
        for p in problems(Report(options, (one,), {}))
    )


def _command(command: str) -> str:
    """Line to copy: in display form, which doubles backslashes, only if something in it acts."""
    plain = command.isascii() and command.isprintable()
    return f"$ {command if plain else visible(command)}" if command else ""


def _word(finding: Finding) -> str:
    return "fact" if finding.verdict is Verdict.BY_DESIGN else finding.verdict.value


def _fact(finding: Finding) -> str:
    words = visible(finding.message or str(finding.cause))
    return f"{_word(finding)} {finding.code} {finding.name}: {words}"


def _not_run(key: Key, told: Told, profile: str, *, found: bool) -> str:
    """Why what an item asks was not, or not all, answered; "" if it was."""
    reasons = [f"{s.what}: {s.reason}" for s in told.report.skips if _concerns(s, key)]
    if key.code not in told.report.started.checks:
        return _first(reasons, "the check was not run")
    if key.family == AUDIT:
        return "; ".join(reasons)
    cases = {tried.family: tried.cases for tried in told.report.families}
    if key.family not in cases:
        return _first(reasons, "the family was not tried")
    if not cases[key.family]:
        return f"the {profile} profile has no text of this family"
    if found or key.family not in told.failing.get(key.code, ()):
        reasons = [one for one in reasons if not one.startswith("diagnosis of ")]
    else:
        reasons.append("texts that fail were not diagnosed, or are told of another family too")
    return "; ".join(reasons)


def _first(reasons: list[str], otherwise: str) -> str:
    return reasons[0] if reasons else otherwise


def _compares(code: str) -> bool:
    return "reference" in plugins.checks()[code].requires


def _concerns(skip: Skip, key: Key) -> bool:
    """Whether what was not run is a part of what an item asks; so is what names nothing known."""
    words = skip.what.split()
    codes = [word for word in words if word in plugins.checks()]
    family = words[words.index("family") + 1] if "family" in words[:-1] else ""
    if codes and key.code not in codes:
        return False
    if family and family != key.family:
        return False
    if "audit" in words:
        return key.family == AUDIT
    if "diagnosis" in words:
        return key.family != AUDIT
    return not skip.what.startswith("comparison") or _compares(key.code)
