"""Which of several targets read the same file, or have the same vocabulary."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import PluginError, TokharnessError
from tokharness.outcome import Raised
from tokharness.targets.loading import automatic_reference, guarded_target

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable, Sequence

    from tokharness.model import Target

__all__ = ["are_meant_to_be_equal", "automatic_reference_spec", "reference_among"]

METHODS = ("decode_single_token_bytes", "token_text")
SAMPLE = 500
"""Ids whose tokens are compared, spread over the vocabulary."""


def reference_among(
    targets: Sequence[Target], stack: contextlib.ExitStack
) -> Callable[[Target], Target | None]:
    """Return a function that returns the automatic reference of a target.

    It is one of the targets, or it is loaded, and closed at the end of the stack; None if there is
    none, or if it cannot be loaded.
    """

    @functools.cache
    def load(spec: str) -> Target | None:
        try:
            reference = guarded_target(spec)
        except PluginError:
            raise
        except TokharnessError:
            return None
        stack.callback(reference.close)
        return reference

    given = {target.spec: target for target in targets}

    def reference_of(target: Target) -> Target | None:
        spec = automatic_reference_spec(target)
        return None if spec is None else given.get(spec) or load(spec)

    return reference_of


def are_meant_to_be_equal(one: Target, other: Target) -> bool:
    """Whether two targets read one file, or may have one algorithm and one vocabulary.

    What a target does not show is not known to differ. Vocabularies differ if most of their tokens
    do.
    """
    if _read_one_file(one, other):
        return True
    algorithms = {one.algorithm, other.algorithm} - {None}
    return len(algorithms) < 2 and _share_most_tokens(one, other)


def _read_one_file(one: Target, other: Target) -> bool:
    """Whether both have one reference, or one is that of the other."""
    specs = {target.spec: automatic_reference_spec(target) for target in (one, other)}
    ours, theirs = specs[one.spec], specs[other.spec]
    return ours == other.spec or theirs == one.spec or (ours is not None and ours == theirs)


def automatic_reference_spec(target: Target) -> str | None:
    """Return the spec of what a run compares a target with; None if it has none."""
    if target.spec.partition(":")[0] not in plugins.adapters():
        return None
    try:
        return automatic_reference(target.spec)
    except PluginError:
        raise
    except TokharnessError:
        return None


def _share_most_tokens(one: Target, other: Target) -> bool:
    """Whether most ids have one token, by its bytes, by its text, or by what it decodes to.

    The bytes and the texts are compared only if both targets show them.
    """
    size = min(one.n_vocab or 0, other.n_vocab or 0)
    numbers = range(0, size, -(-size // SAMPLE) or 1)
    methods = [name for name in METHODS if one.can(name) and other.can(name)]
    ours, theirs = (_tokens(target, numbers, methods) for target in (one, other))
    pairs = zip(ours, theirs, strict=True)
    equal = [a == b for a, b in pairs if not isinstance(a, Raised) and not isinstance(b, Raised)]
    return bool(2 * sum(equal) >= len(equal))


def _tokens(target: Target, numbers: Sequence[int], methods: Sequence[str]) -> list[Any]:
    if methods:
        return target.call_each(methods[0], numbers)
    texts = (target.decode([number]) for number in numbers)
    return [text if isinstance(text, Raised) else text.strip() for text in texts]
