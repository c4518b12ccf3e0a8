"""Which checks and families a run uses, and which checks a target cannot have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.config import PROFILES
from tokharness.engine.regressions import read
from tokharness.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.config import Options
    from tokharness.plugins import Check, Family
    from tokharness.targets.loading import LoadedSubject
    from tokharness.targets.subject import Subject

__all__ = ["LACKS", "SMALLEST_FAMILY", "reason_to_skip", "regressions_to_replay", "select_checks", "select_families"]

LACKS = "the target has no "
"""Start of the reason to skip a check if the target lacks a capability."""

SMALLEST_FAMILY = "plain-words"
"""A family for what needs none."""

CASES = "cases"
"""What a check requires that looks at the cases of families, with their twins."""


def select_checks(options: Options) -> list[Check]:
    """Checks that ``select`` names and ``ignore`` does not, in the order of their codes."""
    known = list(plugins.checks().values())
    for selector in (*options.select, *options.ignore):
        if not any(check.matches(selector) for check in known):
            names = [name for check in known for name in (check.code, check.name)]
            raise UnknownNameError("check", selector, names)
    chosen = [
        check
        for check in known
        if (not options.select or any(check.matches(s) for s in options.select))
        and not any(check.matches(s) for s in options.ignore)
    ]
    if not chosen:
        raise UsageError("no check is left: what --select names, --ignore takes away")
    return chosen


def select_families(options: Options) -> list[Family]:
    """Families that the options name, or all, those that are replayed first.

    The profile must be a known one, and what is replayed must be readable.
    """
    if options.profile not in PROFILES:
        raise UnknownNameError("profile", options.profile, PROFILES)
    chosen = list(plugins.families().values())
    if options.families:
        chosen = [plugins.family(name) for name in dict.fromkeys(options.families)]
    regressions_to_replay(options, chosen)
    return sorted(chosen, key=lambda family: not family.replayed)


def regressions_to_replay(options: Options, families: Iterable[Family]) -> tuple[tuple[str, str], ...]:
    """Give the project's regressions, each text with why, if one of the families replays them.

    Raises:
        UsageError: a line of their files is none.

    """
    if options.regressions is None or not any(family.replayed for family in families):
        return ()
    return tuple((one.text, one.why) for one in read(Path(options.regressions)))


def reason_to_skip(check: Check, loaded: LoadedSubject, options: Options) -> str:
    """Why a check cannot look at this target, or is not to; "" if it does."""
    if check.profiles and options.profile not in check.profiles and not options.select:
        return f"the {options.profile} profile leaves it out"
    if CASES in check.requires and not options.enumerated:
        return "it looks at the enumerated cases of families: `tokharness check` tries those"
    wanted = [name for name in check.requires if name != CASES]
    lacking = [name for name in wanted if not _has(loaded.subject, name)]
    if not lacking:
        return ""
    if "reference" in lacking:
        return f"there is no reference to compare with: {loaded.no_reference}"
    return f"{LACKS}{' and no '.join(lacking)}"


def _has(subject: Subject, name: str) -> bool:
    if name == "reference":
        return subject.reference is not None
    return subject.target.can(name) or getattr(subject.target, name, None) is not None
