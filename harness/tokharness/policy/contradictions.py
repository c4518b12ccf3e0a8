"""Refuse a policy with a value that has no effect, or another one than it seems to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import select_checks
from tokharness.errors import UsageError
from tokharness.policy import matches_check

if TYPE_CHECKING:
    from tokharness.policy import Policy

__all__ = ["refuse_contradictions"]


def refuse_contradictions(policy: Policy) -> None:
    """Raise UsageError for names that are unknown, taken or excluded, and for paths to outside."""
    _ = policy.folder, policy.regressions_folder  # raise for a path that leads out of the project
    for name in policy.targets:
        if ":" in name or name in plugins.adapters():
            raise UsageError(
                f"targets.{name}: the name of a target cannot be a spec or have a colon, since "
                "another target than the one on the command line would run: rename it"
            )
    families = _names(policy, "family")
    for name in families:
        if "." not in name:  # a module is imported only when it runs
            plugins.family(name)
    _refuse_checks_that_never_run(policy)


def _refuse_checks_that_never_run(policy: Policy) -> None:
    checks = select_checks(
        Options(select=_names(policy, "select"), ignore=_names(policy, "ignore"))
    )
    keys = {"expect": policy.expect, "verdicts": policy.verdicts}
    keys |= {f"targets.{name}.expect": target.expect for name, target in policy.targets.items()}
    for key, selectors in keys.items():
        for selector in selectors:
            check = selector.partition(":")[0]
            if not any(matches_check(check, one.code, one.name) for one in checks):
                raise UsageError(
                    f"{key}: {selector!r} has no effect, since select and ignore exclude its "
                    "check: remove it, or let the check run"
                )


def _names(policy: Policy, key: str) -> tuple[str, ...]:
    return tuple(name.strip() for one in policy.options.get(key, ()) for name in one.split(","))
