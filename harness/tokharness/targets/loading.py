"""Load a target and its reference from their specs."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import PluginError, TargetDeath, TokharnessError
from tokharness.model import Target, target_of
from tokharness.outcome import Raised
from tokharness.targets.fingerprint import detect_normalizer_version, detect_unicode_version
from tokharness.targets.processes.isolated import MEMORY
from tokharness.targets.processes.limits import CURRENT_LIMITS, Limits
from tokharness.targets.processes.remote import Remote
from tokharness.targets.stage_versions import (
    CASE,
    NORMALIZER,
    SPLIT,
    detect_stage_versions,
    version_of,
)
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# The tokenizer of a target without the guard around its calls, only for the engine.
#
# The engine runs whole columns, sets time limits and serves a target to another process. It handles
# the tokenizer's exceptions itself. An import contract keeps checks and diagnoses from this module.


def tokenizer_of(target: Target) -> Any:
    """Return the tokenizer of a target; its methods raise what the tokenizer raises."""
    return target._tokenizer  # noqa: SLF001 - the one place


def with_tokenizer(target: Target, tokenizer: Any) -> Target:
    """Return the target with another tokenizer, which has the same methods."""
    return replace(target, _tokenizer=tokenizer)


HASH_SEED, OUR_PREFIX = "PYTHONHASHSEED", "TOKHARNESS_"


@dataclass(frozen=True, slots=True)
class LoadedSubject:
    """A subject, and the reason if it has no reference, such as memory that ends."""

    subject: Subject
    no_reference: str = ""
    is_short_of_memory: bool = False


def load_target(spec: str) -> Target:
    """Load the target of a spec, ``scheme:rest``.

    Raises:
        UnknownNameError: no adapter has this scheme, or the adapter does not know the name.
        TargetError: the target cannot be loaded.

    """
    return target_of(spec, plugins.adapter(spec).load(spec.partition(":")[2]))


def automatic_reference(spec: str) -> str | None:
    """Return the spec of the reference that a target has by default."""
    return plugins.adapter(spec).reference(spec.partition(":")[2])


def guarded_target(spec: str) -> Target:
    """Load a target in a separate process, unless its adapter says that it needs none."""
    return load_target(spec) if plugins.adapter(spec).guarded else _served_target(spec)


def contained_target(spec: str, *, seconds: float = 5.0, load: float = 60.0) -> Target:
    """Load a target for the user's own code, in a separate process if it reads a file.

    A file may be a stranger's, and cost any time and memory. A target of a known name is read from
    our files, and the code that ``python:`` and ``command:`` run is the user's own.

    Args:
        spec: The spec.
        seconds: The time limit for one text, in a separate process.
        load: The time limit for loading, in a separate process.

    """
    adapter, rest = plugins.adapter(spec), spec.partition(":")[2]
    in_this_process = adapter.runs_code or rest in {"", *adapter.names(), *adapter.aliases()}
    memory = Limits().memory if in_this_process else MEMORY
    token = CURRENT_LIMITS.set(Limits(seconds, memory, load=load))
    try:
        return load_target(spec) if in_this_process else _served_target(spec)
    finally:
        CURRENT_LIMITS.reset(token)


def _served_target(spec: str) -> Target:
    memory = str(CURRENT_LIMITS.get().memory)
    argv = [sys.executable, "-P", "-m", "tokharness.targets.processes.serve", spec, memory]
    return target_of(spec, Remote(argv, spec=spec))


def load_in_other_process(spec: str, hash_seed: int) -> Target:
    """Load a target in a separate process, in which Python's hashes have this seed."""
    with _environment({HASH_SEED: str(hash_seed)}):
        return guarded_target(spec)


def load_alone(spec: str, hash_seed: int) -> Target | None:
    """Load a target in a process that has nothing of ours, as it may recognize what checks it.

    None if its adapter has no program for that.
    """
    argv = plugins.adapter(spec).alone(spec.partition(":")[2])
    ours = {name: None for name in os.environ if name.startswith(OUR_PREFIX)}
    with _environment({**ours, HASH_SEED: str(hash_seed)}):
        return target_of(spec, Remote(argv)) if argv else None


@contextlib.contextmanager
def _environment(changes: Mapping[str, str | None]) -> Iterator[None]:
    """Set variables of the environment in this block, and remove variables that are None."""
    before = {name: os.environ.get(name) for name in changes}
    _set_environment(changes)
    try:
        yield
    finally:
        _set_environment(before)


def _set_environment(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def load_subject(
    spec: str,
    against: str | None,
    load: Callable[[str], Target] = load_target,
    *,
    reference: str | None = None,
) -> LoadedSubject:
    """Load a target with its reference: an explicit reference, none, or the automatic reference.

    With an automatic reference, the side whose Unicode version can be set gets the version of the
    other side. An explicit reference stays unchanged, since the user then claims parity.

    Args:
        spec: The spec of the target.
        against: The spec of an explicit reference, ``"none"``, or None for the automatic reference.
        load: The function that loads both.
        reference: The spec of the automatic reference if the target's scheme has none, or if that
            does not load.

    """
    loaded = _load_subject(load(spec), against, load, reference)
    if loaded.subject.normalizer_version is not None:
        return loaded
    version = detect_normalizer_version(_until_death(loaded.subject.target))
    return replace(loaded, subject=replace(loaded.subject, normalizer_version=version))


def _load_subject(
    target: Target, against: str | None, load: Callable[[str], Target], fallback: str | None
) -> LoadedSubject:
    spec = target.spec
    if against == "none":
        return LoadedSubject(_without_reference(target), "--against is none")
    if against is not None:
        return LoadedSubject(_with_explicit_reference(target, load(against)))
    specs = [one for one in (automatic_reference(spec), fallback) if one is not None]
    if not specs:
        reason = "this target has no automatic reference; name one with --against SPEC"
        return LoadedSubject(_without_reference(target), reason)
    failures: list[TokharnessError] = []
    for one in specs:
        try:
            reference = load(one)
        except PluginError:
            raise
        except TokharnessError as error:
            failures.append(error)
        else:
            return LoadedSubject(_with_automatic_reference(target, reference))
    first = failures[0]
    return LoadedSubject(_without_reference(target), str(first), _is_of_memory(first))


def _is_of_memory(error: BaseException | None) -> bool:
    """Whether memory that ends is the cause of an error, so that the error is not of a file."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__
    return error is not None


def _without_reference(target: Target) -> Subject:
    return Subject(target, unicode_version=target.unicode_version)


def _with_automatic_reference(target: Target, reference: Target) -> Subject:
    """Set the side that can change its Unicode versions to the versions of the other side."""
    if target.tokens_alone:  # nothing of it has a Unicode version
        return Subject(target, reference)
    if reference.can("with_stage_versions"):
        pinned, found = _pinned_stages(reference, target)
        return _with_versions(Subject(target, pinned, pinned), found)
    if target.can("with_stage_versions"):
        pinned, found = _pinned_stages(target, reference)
        subject = Subject(pinned, reference, pinned, original_target=target)
        return _with_versions(subject, found)
    if _can_explain(reference):
        pinned, version = _pinned(
            reference, detect_unicode_version(_until_death(target), reference)
        )
        return Subject(target, pinned, pinned, version)
    if _can_explain(target):
        pinned, version = _pinned(target, detect_unicode_version(_until_death(reference), target))
        return Subject(pinned, reference, pinned, version, original_target=target)
    return Subject(target, reference, None, None)


def _with_explicit_reference(target: Target, reference: Target) -> Subject:
    """Keep both sides unchanged; the explainer is pinned to the version of the reference."""
    explainer = reference if _can_explain(reference) else _substitute(reference)
    if explainer is None:
        return Subject(target, reference, claims_parity=True)
    if explainer.can("with_stage_versions"):
        found = detect_stage_versions(_until_death(target), _at_declared(explainer, target))
        if explainer is not reference:
            explainer, _ = _pinned_stages(explainer, reference)
        return _with_versions(Subject(target, reference, explainer, claims_parity=True), found)
    if not _can_explain(explainer):  # it has no Unicode version, and can be altered
        return Subject(target, reference, explainer, claims_parity=True)
    if explainer is not reference:
        explainer, _ = _pinned(explainer, detect_unicode_version(reference, explainer))
    version = detect_unicode_version(_until_death(target), explainer)
    return Subject(target, reference, explainer, version, claims_parity=True)


def _until_death(target: Target) -> Target:
    """Return a target that is called no more after its process hangs or dies for the first time.

    A Unicode version is not worth a restart for each text on which the target hangs.
    """
    return with_tokenizer(target, _UntilDeath(tokenizer_of(target)))


class _UntilDeath:
    """Wraps a tokenizer; after the death of its process, each call raises that death."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._death: TargetDeath | None = None

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._tokenizer, name)
        return self._guarded(value) if callable(value) else value

    def _guarded(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*arguments: Any) -> Any:
            if self._death is not None:
                raise self._death
            try:
                return method(*arguments)
            except TargetDeath as death:
                self._death = death
                raise

        return guarded


def _pinned(target: Target, version: str | None) -> tuple[Target, str | None]:
    """Return a target at a Unicode version, and that version; unchanged without one.

    If the target raises, it is returned unchanged, without a version.
    """
    pinned = None if version is None else target.at_unicode_version(version)
    if pinned is None or isinstance(pinned, Raised):
        return target, None
    return pinned, version


def _pinned_stages(target: Target, other: Target) -> tuple[Target, Mapping[str, str]]:
    """Return a target at the versions that another target shows, and these versions.

    If the other target shows no version for a stage, use the version that it declares. The target
    is unchanged if it raises.
    """
    begin = _at_declared(target, other)
    found = detect_stage_versions(_until_death(other), begin)
    pinned = begin.at_stage_versions(found)
    return (begin, {}) if isinstance(pinned, Raised) else (pinned, found)


def _at_declared(target: Target, other: Target) -> Target:
    """Return a target at the versions that another target declares for the same stages."""
    tables = target.stage_versions.keys() & other.stage_versions.keys()
    declared = {table: other.stage_versions[table] for table in tables}
    pinned = target.at_stage_versions(declared) if declared else target
    return target if isinstance(pinned, Raised) else pinned


def _with_versions(subject: Subject, found: Mapping[str, str]) -> Subject:
    return replace(
        subject,
        unicode_version=version_of(SPLIT, found),
        normalizer_version=version_of(NORMALIZER, found),
        case_version=version_of(CASE, found),
        stage_versions=found,
    )


ALTERED = "encode_altered"
"""The method of an implementation whose settings can be altered."""


def _substitute(reference: Target) -> Target | None:
    """Return our own implementation of an explicit reference that cannot explain, or None."""
    try:
        spec = automatic_reference(reference.spec)
        substitute = load_target(spec) if spec else None
    except TokharnessError:
        return None
    if substitute is None or not (_can_explain(substitute) or substitute.can(ALTERED)):
        return None
    return substitute


def _can_explain(target: Target) -> bool:
    by_version = target.can("pretokens") and target.can("with_unicode_version")
    return by_version or target.can("with_stage_versions")
