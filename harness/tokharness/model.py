"""The nouns of tokharness as frozen data: case, target, batch, cause, finding, skip.

Every other module speaks in these. Nothing here runs a tokenizer, except that a
:class:`Target` carries the functions of the tokenizer it wraps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tokharness.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "OPTIONAL_METHODS",
    "Batch",
    "Case",
    "Cause",
    "Failure",
    "Finding",
    "Skip",
    "Target",
    "TargetFacts",
    "Text",
    "Tokenizer",
    "Verdict",
    "decoded_text",
    "target_of",
]

Text: TypeAlias = str | bytes

OPTIONAL_METHODS = (
    "encode_ordinary",
    "encode_batch",
    "encode_special",
    "encode_bytes",
    "encode_with_offsets",
    "count",
    "decode_bytes",
    "decode_stream",
    "decode_single_token_bytes",
    "pretokens",
    "with_unicode_version",
    "normalize",
)
"""What a tokenizer may have beside ``encode`` and ``decode``; used, and checked, if there."""


class Verdict(StrEnum):
    """What a finding means to the person who reads it, worst first."""

    BUG = "bug"
    RISK = "risk"
    BY_DESIGN = "by design"

    @property
    def rank(self) -> int:
        """0 for a bug, 1 for a risk, 2 for what is by design."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Case:
    """One text to try.

    ``why`` says in a few words what is hostile about it; ``twin`` is the plain text it was made
    from, where there is one.
    """

    text: str
    why: str
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """What a case family may know about the target and the run.

    ``special_tokens`` as text; ``pattern``, the regular expression of its pre-tokenizer, if that
    is known; ``profile``, how thorough the run is: ``quick``, ``standard`` or ``thorough``;
    ``regressions``, texts that the project keeps since they failed once, each with why.
    """

    special_tokens: tuple[str, ...] = ()
    pattern: str | None = None
    profile: str = "standard"
    regressions: tuple[tuple[str, str], ...] = ()


class Tokenizer(Protocol):
    """The least a tokenizer has; see :data:`OPTIONAL_METHODS` for the rest.

    Optional attributes: ``special_tokens`` (text to id), ``n_vocab`` (one more than the largest
    id), ``normalizer`` (the name of the normal form it declares), ``unicode_version`` (the one
    its pre-tokenizer is pinned to), ``contested`` (id to bytes: what a vocabulary file gives an id
    that the tokenizer, as the file says two things, knows otherwise or not at all: a second id of a
    token, or an id that a special token has too).
    """

    def encode(self, text: str, /) -> Sequence[int]:
        """Turn a text into token ids."""
        ...

    def decode(self, ids: Sequence[int], /) -> str | bytes:
        """Turn token ids back into text."""
        ...


class Encode(Protocol):
    """A function from text to ids."""

    def __call__(self, text: str, /) -> Sequence[int]:
        """Turn a text into token ids."""
        ...


@dataclass(frozen=True)
class Target:
    """A tokenizer under its spec, with what it says about itself.

    ``encode`` is the entry point for plain, untrusted text: the tokenizer's ``encode_ordinary``
    where it has one, else its ``encode``.
    """

    spec: str
    tokenizer: Any
    encode: Encode
    capabilities: tuple[str, ...]
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    n_vocab: int | None = None
    normalizer: str | None = None
    unicode_version: str | None = None
    contested: Mapping[int, bytes] = field(default_factory=dict)

    def can(self, method: str) -> bool:
        """Whether the tokenizer has this optional method."""
        return method in self.capabilities

    def decode(self, ids: Sequence[int]) -> str:
        """Text of these ids; bytes that a tokenizer returns are read as UTF-8 with U+FFFD."""
        return decoded_text(self.tokenizer.decode(ids))

    @property
    def has_own_process(self) -> bool:
        """Whether the tokenizer runs in a process of its own, which can be started afresh."""
        return hasattr(self.tokenizer, "fresh")

    def fresh(self) -> AbstractContextManager[None]:
        """Within this a fresh process is asked, where the tokenizer has one of its own."""
        return self.tokenizer.fresh() if self.has_own_process else nullcontext()

    def close(self) -> None:
        """End the tokenizer's process, where it has one of its own."""
        if self.has_own_process:
            self.tokenizer.close()


def decoded_text(decoded: object) -> str:
    """What ``decode`` returned, as text: bytes are read as UTF-8 with U+FFFD."""
    if isinstance(decoded, str):
        return decoded
    if isinstance(decoded, bytes | bytearray):
        return decoded.decode("utf-8", "replace")
    raise TypeError(f"decode returned {type(decoded).__name__}, not str or bytes")


def target_of(spec: str, tokenizer: Any) -> Target:
    """Wrap a tokenizer object (DESIGN: ``python:`` protocol) under its spec."""
    normalizer = getattr(tokenizer, "normalizer", None)
    special = getattr(tokenizer, "special_tokens", None) or {}
    if not isinstance(special, Mapping) or not all(
        isinstance(text, str) and isinstance(number, int) for text, number in special.items()
    ):
        raise TargetError(f"special_tokens of {spec} does not map texts to ids: make it a dict")
    n_vocab = getattr(tokenizer, "n_vocab", None)
    if n_vocab is not None and not isinstance(n_vocab, int):
        raise TargetError(f"n_vocab of {spec} is {type(n_vocab).__name__}: make it an int")
    return Target(
        spec=spec,
        tokenizer=tokenizer,
        encode=getattr(tokenizer, "encode_ordinary", None) or tokenizer.encode,
        capabilities=tuple(
            name for name in OPTIONAL_METHODS if callable(getattr(tokenizer, name, None))
        ),
        special_tokens=MappingProxyType(dict(special)),
        n_vocab=n_vocab,
        normalizer=None if normalizer is None else str(normalizer),
        unicode_version=getattr(tokenizer, "unicode_version", None),
        contested=MappingProxyType(dict(getattr(tokenizer, "contested", None) or {})),
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """What a target, and its reference, did with some texts of one family, as columns.

    Row *i* of every column is about ``texts[i]``. ``ids[i]`` is None where the target raised,
    and then ``errors`` has what it raised; ``decoded[i]`` is None where encoding or decoding did.
    ``reference_ids`` is None without a reference, a row of it is None where the reference raised or
    died; ``not_compared`` counts those of them that the target has ids for. A check that asks the
    target once more looks at the ``sampled`` rows only: every ``recheck_every``-th that has ids, or none.
    """

    family: str
    texts: Sequence[str]
    ids: Sequence[list[int] | None]
    decoded: Sequence[str | None]
    errors: Mapping[int, BaseException]
    reference_ids: Sequence[list[int] | None] | None = None
    not_compared: int = 0
    recheck_every: int = 1

    @property
    def sampled(self) -> list[int]:
        """Rows that a check which asks the target once more looks at."""
        if not self.recheck_every:
            return []
        return [row for row in range(0, len(self.texts), self.recheck_every) if self.ids[row] is not None]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a property does not hold: a kind, and the parameters that tell two causes apart.

    ``parameters`` never hold a failing text: two texts that fail for one reason share their cause.
    A ``weak`` cause describes what is seen and explains little; many of them in one run are ways
    in which one fault shows, and are told together.
    """

    kind: str
    parameters: tuple[tuple[str, str], ...] = ()
    verdict: Verdict = field(default=Verdict.BUG, compare=False)
    message: str = field(default="", compare=False)
    weak: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        values = ", ".join(value for _, value in self.parameters)
        return f"{self.kind}: {values}" if values else self.kind


@dataclass(frozen=True, slots=True)
class Failure:
    """One fault or fact that an audit of a whole target found."""

    cause: Cause
    count: int = 1
    text: Text | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault, risk or fact, told once, however many cases show it."""

    spec: str
    code: str
    name: str
    cause: Cause
    count: int
    text: Text | None
    families: tuple[str, ...]
    reproduce: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of the cause."""
        return self.cause.verdict

    @property
    def message(self) -> str:
        """One sentence for a person."""
        return self.cause.message

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that stay the same as long as check and cause do.

        Text, family, seed and spec are left out, so an acceptance survives a new example.
        """
        key = [self.code, self.cause.kind, list(map(list, self.cause.parameters))]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that could not be run, and why: never a pass."""

    spec: str
    what: str
    reason: str
