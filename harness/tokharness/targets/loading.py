"""From the words of a command to a subject: load a target and what it is compared with."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.errors import TargetError, TokharnessError
from tokharness.model import Target, target_of
from tokharness.targets.fingerprint import normalizer_version, pin, unicode_version
from tokharness.targets.processes.limits import CURRENT
from tokharness.targets.processes.remote import Remote
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Loaded", "guarded_target", "load_subject", "load_target"]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A subject that is ready, and why it has no reference if it has none."""

    subject: Subject
    no_reference: str = ""


def load_target(spec: str) -> Target:
    """Load the target of a spec, ``scheme:rest``.

    Raises:
        UnknownNameError: no adapter has this scheme, or the adapter knows no such name.
        TargetError: the target cannot be loaded.

    """
    return _target(spec, plugins.adapter(spec).load(spec.partition(":")[2]))


def automatic_reference(spec: str) -> str | None:
    """Spec of what a target is compared with when the user says nothing."""
    scheme, _, rest = spec.partition(":")
    return plugins.adapters()[scheme].reference(rest)


def guarded_target(spec: str) -> Target:
    """Load a target in a process of its own, unless its adapter says that this is needless."""
    if plugins.adapter(spec).guarded:
        return load_target(spec)
    memory = str(CURRENT.get().memory)
    argv = [sys.executable, "-P", "-m", "tokharness.targets.processes.serve", spec, memory]
    return _target(spec, Remote(argv, serving=spec))


def _target(spec: str, tokenizer: object) -> Target:
    try:
        return target_of(spec, tokenizer)
    except TokharnessError:
        raise
    except Exception as error:  # of a property of the tokenizer's
        told = f"{type(error).__name__}: {error}"
        raise TargetError(f"what {spec} says about itself cannot be read: {told}") from error


def load_subject(
    spec: str,
    against: str | None,
    load: Callable[[str], Target] = load_target,
    *,
    reference: str | None = None,
) -> Loaded:
    """Load a target with its reference: an explicit one, none, or the automatic one.

    With an automatic reference, the side whose Unicode version can be chosen is set to the other's;
    an explicit one is taken as it is, since then parity is claimed. ``load`` loads both.
    ``reference`` is the automatic one where the scheme of the target has none.
    """
    loaded = _load_subject(load(spec), against, load, reference)
    version = normalizer_version(loaded.subject.target)
    return replace(loaded, subject=replace(loaded.subject, normalizer_version=version))


def _load_subject(
    target: Target, against: str | None, load: Callable[[str], Target], fallback: str | None
) -> Loaded:
    spec = target.spec
    if against == "none":
        return Loaded(_alone(target), "none was asked for")
    if against is not None:
        return Loaded(_explicit(target, load(against)))
    chosen = automatic_reference(spec) or fallback
    if chosen is None:
        reason = "this target has no automatic reference; name one with --against SPEC"
        return Loaded(_alone(target), reason)
    try:
        reference = load(chosen)
    except TokharnessError as error:
        return Loaded(_alone(target), str(error))
    return Loaded(_automatic(target, reference))


def _alone(target: Target) -> Subject:
    return Subject(target, unicode_version=target.unicode_version)


def _automatic(target: Target, reference: Target) -> Subject:
    """Set whichever side can change its Unicode version to the version of the other."""
    if _can_explain(reference):
        version = unicode_version(target, reference)
        reference = pin(reference, version) if version else reference
        return Subject(target, reference, reference, version)
    if _can_explain(target):
        version = unicode_version(reference, target)
        pinned = pin(target, version) if version else target
        return Subject(pinned, reference, pinned, version, given=target)
    return Subject(target, reference, None, None)


def _explicit(target: Target, reference: Target) -> Subject:
    """Leave both sides as they are; explain with an implementation pinned to the reference."""
    explainer = reference if _can_explain(reference) else _stand_in(reference)
    if explainer is None:
        return Subject(target, reference)
    if explainer is not reference:
        version = unicode_version(reference, explainer)
        explainer = pin(explainer, version) if version else explainer
    return Subject(target, reference, explainer, unicode_version(target, explainer))


def _stand_in(reference: Target) -> Target | None:
    """Our own implementation of what an explicit reference implements, if there is one."""
    try:
        spec = automatic_reference(reference.spec)
        stand_in = load_target(spec) if spec else None
    except TokharnessError:
        return None
    return stand_in if stand_in is not None and _can_explain(stand_in) else None


def _can_explain(target: Target) -> bool:
    return target.can("pretokens") and target.can("with_unicode_version")
