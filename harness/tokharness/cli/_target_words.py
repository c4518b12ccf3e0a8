"""The specs of the targets that a command line or a policy names.

Each becomes a whole spec here, before anything else uses it: a name of the policy, a spec, or a
path whose content says what loads it (:mod:`tokharness.plugins.bare_paths`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokharness.errors import UsageError
from tokharness.plugins.bare_paths import spec_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokharness.policy import Policy

__all__ = ["spec_of_against", "spec_of_target", "specs_of_words"]


def spec_of_target(word: str, policy: Policy) -> str:
    """Return the spec of a target; a name of the policy comes before a path.

    Raises:
        UsageError: it is none of a name, a spec and a path that is recognized.

    """
    if word in policy.targets:
        return _spec_in_policy(policy.targets[word].spec, policy, f"targets.{word}.spec")
    return spec_of(word, before=_command(), names=policy.targets)


def spec_of_against(word: str | None, policy: Policy, explicit: Iterable[str]) -> str | None:
    """Return the spec of ``--against``, which may be none or be set by the policy."""
    if word is None or word == "none":
        return word
    if "against" in explicit:
        return spec_of(word, before="--against")
    return _spec_in_policy(word, policy, "against")


def specs_of_words(words: Iterable[str], *, after: str = "") -> tuple[str, ...]:
    """Return the specs of targets of a command without a policy, ``after`` other arguments."""
    return tuple(spec_of(word, before=f"{_command()}{after}") for word in words)


def _spec_in_policy(word: str, policy: Policy, key: str) -> str:
    try:
        return spec_of(word)
    except UsageError as error:
        raise UsageError(f"{policy.path}: {key}: {error}") from error


def _command() -> str:
    return click.get_current_context().command_path
