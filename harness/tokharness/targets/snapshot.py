"""The state of a tokenizer at one time: its fingerprint and the ids of a golden set of texts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "ENTRY_POINTS",
    "NOT_TRIED",
    "Explanation",
    "Fingerprint",
    "Golden",
    "Ids",
    "Snapshot",
    "fertility",
    "ids_of",
    "snapshot_of",
    "snapshot_record",
]

ENTRY_POINTS = ("encode", "encode_special")
"""Entry points that may return special ids, in addition to the one for plain text."""

NOT_TRIED = "not tried"
"""Replaces the ids of a text that was skipped because it resembles a crashing text."""

Ids: TypeAlias = tuple[int, ...] | str
"""The ids of a text, or the name of the exception or of what ended the process."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A text of the golden set, with its ids.

    ``group`` says why the text is in the set: ``everyday``, ``family:NAME``, ``language:CODE``,
    ``script:CODE`` or ``unicode:VERSION``.
    """

    group: str
    text: str
    ids: Ids


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Properties that distinguish a tokenizer from others; None where one is unknown.

    ``vocabulary`` is a hash of the bytes of all ids. ``unicode_version`` is the version of the
    pre-tokenizer, ``normalizer_version`` the version of the normalizer, and ``case_version``
    the version of its case mapping.
    """

    vocabulary: str | None = None
    n_vocab: int | None = None
    pattern: str | None = None
    unicode_version: str | None = None
    normalizer: str | None = None
    normalizer_version: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    case_version: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A cause that explains why the ids of some golden texts changed."""

    cause: Cause
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a tokenizer at one time.

    Attributes:
        fingerprint: What distinguishes the tokenizer from others.
        golden: The golden texts with their ids.
        figures: Numbers about the vocabulary: the tokens with bytes, their mean and their largest
            length.
        explanations: Causes of the golden texts whose ids changed since the earlier snapshot.
        entries: Golden texts with special tokens for which another entry point than the one for
            plain text returns different ids. Their group is the name of that entry point.

    """

    fingerprint: Fingerprint
    golden: tuple[Golden, ...]
    figures: Mapping[str, float] = field(default_factory=dict)
    explanations: tuple[Explanation, ...] = ()
    entries: tuple[Golden, ...] = ()


def fertility(golden: Sequence[Golden]) -> dict[str, float]:
    """Return the tokens per code point of each group, except groups of Unicode versions."""
    tokens: dict[str, list[int]] = {}
    for text in golden:
        if not isinstance(text.ids, str) and not text.group.startswith("unicode:"):
            counts = tokens.setdefault(text.group, [0, 0])
            counts[0] += len(text.ids)
            counts[1] += len(text.text)
    return {group: count / size for group, (count, size) in sorted(tokens.items()) if size}


def snapshot_record(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as plain data."""
    return asdict(snapshot) | {
        "explanations": [_explanation_record(item) for item in snapshot.explanations]
    }


def snapshot_of(record: Mapping[str, Any]) -> Snapshot:
    """Return the snapshot of a record; raises KeyError or TypeError if the record is invalid."""
    return Snapshot(
        fingerprint=Fingerprint(**record["fingerprint"]),
        golden=tuple(map(_golden_of, record["golden"])),
        figures=record["figures"],
        explanations=tuple(map(_explanation_of, record["explanations"])),
        entries=tuple(map(_golden_of, record["entries"])),
    )


def _golden_of(record: Mapping[str, Any]) -> Golden:
    return Golden(record["group"], record["text"], ids_of(record["ids"]))


def ids_of(value: Any) -> Ids:
    """Return the ids of a JSON value: a list of ids, or the name of what replaced them."""
    return value if isinstance(value, str) else tuple(value)


def _explanation_record(explanation: Explanation) -> dict[str, Any]:
    cause = explanation.cause
    return {
        "kind": cause.kind,
        "parameters": dict(cause.parameters),
        "verdict": cause.verdict.value,
        "message": cause.message,
        "texts": list(explanation.texts),
    }


def _explanation_of(record: Mapping[str, Any]) -> Explanation:
    cause = Cause(
        record["kind"],
        tuple(record["parameters"].items()),
        Verdict(record["verdict"]),
        record["message"],
    )
    return Explanation(cause, tuple(record["texts"]))
