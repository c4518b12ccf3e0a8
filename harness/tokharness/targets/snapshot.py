"""What a tokenizer is at one time: its fingerprint, and the ids of a golden set of texts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "ENTRY_POINTS",
    "NOT_TRIED",
    "Fingerprint",
    "Golden",
    "Ids",
    "Snapshot",
    "Why",
    "fertility",
    "ids_of",
    "snapshot_of",
    "snapshot_record",
]

ENTRY_POINTS = ("encode", "encode_special")
"""Entry points that may give special ids, beside that for plain text."""

NOT_TRIED = "not tried"
"""In the place of the ids of a text that resembles one that ends the target's process."""

Ids: TypeAlias = tuple[int, ...] | str
"""Ids of a text, or the name of the exception or the death that came in their place."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A text of the golden set, with its ids; ``group`` is what it is there for.

    A group is ``everyday``, ``family:NAME``, ``language:CODE``, ``script:CODE`` or
    ``unicode:VERSION``.
    """

    group: str
    text: str
    ids: Ids


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What tells a tokenizer from others, from outside; None is what could not be told.

    ``vocabulary`` is a hash of the bytes of all ids. ``unicode_version`` is that of the
    pre-tokenizer, ``normalizer_version`` that of the declared normalizer.
    """

    vocabulary: str | None = None
    n_vocab: int | None = None
    pattern: str | None = None
    unicode_version: str | None = None
    normalizer: str | None = None
    normalizer_version: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Why:
    """A cause that explains why some golden texts got other ids."""

    cause: Cause
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A tokenizer at one time.

    ``entries`` are golden texts with special tokens that get other ids from another entry point,
    whose name is their group, than from the one for plain text.
    ``figures`` of its vocabulary: the number of tokens with bytes, their mean and their largest
    length. ``why`` explains the golden texts that got other ids than those they came with.
    """

    fingerprint: Fingerprint
    golden: tuple[Golden, ...]
    figures: Mapping[str, float] = field(default_factory=dict)
    why: tuple[Why, ...] = ()
    entries: tuple[Golden, ...] = ()


def fertility(golden: Sequence[Golden]) -> dict[str, float]:
    """Tokens a code point of each group but those of Unicode versions, where there are ids."""
    tokens: dict[str, list[int]] = {}
    for one in golden:
        if not isinstance(one.ids, str) and not one.group.startswith("unicode:"):
            counts = tokens.setdefault(one.group, [0, 0])
            counts[0] += len(one.ids)
            counts[1] += len(one.text)
    return {group: count / size for group, (count, size) in sorted(tokens.items()) if size}


def snapshot_record(snapshot: Snapshot) -> dict[str, Any]:
    """Snapshot as plain data."""
    return asdict(snapshot) | {"why": [_why_record(one) for one in snapshot.why]}


def snapshot_of(record: Mapping[str, Any]) -> Snapshot:
    """Snapshot of its record; raises KeyError or TypeError if it is none."""
    return Snapshot(
        fingerprint=Fingerprint(**record["fingerprint"]),
        golden=tuple(map(_golden_of, record["golden"])),
        figures=record["figures"],
        why=tuple(_why_of(one) for one in record["why"]),
        entries=tuple(map(_golden_of, record["entries"])),
    )


def _golden_of(record: Mapping[str, Any]) -> Golden:
    return Golden(record["group"], record["text"], ids_of(record["ids"]))


def ids_of(value: Any) -> Ids:
    """Ids, which JSON has as a list, or the name of what came in their place."""
    return value if isinstance(value, str) else tuple(value)


def _why_record(why: Why) -> dict[str, Any]:
    cause = why.cause
    return {
        "kind": cause.kind,
        "parameters": dict(cause.parameters),
        "verdict": cause.verdict.value,
        "message": cause.message,
        "texts": list(why.texts),
    }


def _why_of(record: Mapping[str, Any]) -> Why:
    cause = Cause(
        record["kind"],
        tuple(record["parameters"].items()),
        Verdict(record["verdict"]),
        record["message"],
    )
    return Why(cause, tuple(record["texts"]))
