"""The data types of tokharness, all frozen: case, target, batch, cause, finding, skip.

Every other module uses these types. Nothing here runs a tokenizer, except that a
:class:`Target` calls the functions of the tokenizer that it wraps.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tokharness.boundary.attributes import read_attributes
from tokharness.boundary.opaque import type_name
from tokharness.boundary.tokenizer import ExactTokenizer, OwnProcess, exact_tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
"""Methods that a tokenizer may have in addition to ``encode`` and ``decode``.

They are used and checked if they exist.
"""


class Verdict(StrEnum):
    """The severity of a finding, worst first. A fact is by design."""

    BUG = "bug"
    RISK = "risk"
    FACT = "fact"

    @property
    def rank(self) -> int:
        """0 for a bug, 1 for a risk, 2 for a fact."""
        return list(Verdict).index(self)

    @classmethod
    def _missing_(cls, value: object) -> Verdict | None:
        """Accept the value that earlier releases wrote for a fact."""
        return cls.FACT if value == "by design" else None


@dataclass(frozen=True, slots=True)
class Case:
    """One text to test.

    Attributes:
        text: The text, which may hold lone surrogates.
        why: What is hostile about it, in a few words.
        twin: The plain text that it was made from, if there is one.

    """

    text: str
    why: str
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """What a case family may know about the target and the run.

    Attributes:
        special_tokens: The texts of the target's special tokens.
        pattern: The regular expression of its pre-tokenizer, if it is known.
        profile: How thorough the run is: ``quick``, ``standard`` or ``thorough``.
        regressions: Texts that failed before and are kept by the project, each with the reason.

    """

    special_tokens: tuple[str, ...] = ()
    pattern: str | None = None
    profile: str = "standard"
    regressions: tuple[tuple[str, str], ...] = ()


class Tokenizer(Protocol):
    """The methods that every tokenizer has; see :data:`OPTIONAL_METHODS` for the others.

    Optional attributes:

    - ``special_tokens``: text to id.
    - ``n_vocab``: one more than the largest id.
    - ``normalizer``: the name of the normal form that it declares.
    - ``unicode_version``: the version that its pre-tokenizer is pinned to.
    - ``conflicting_tokens``: id to bytes, for ids about which the vocabulary file contradicts
      itself: a second id of a token, or an id that a special token also has. The tokenizer decodes
      such an id differently or not at all.
    """

    def encode(self, text: str, /) -> Sequence[int]:
        """Return the token ids of a text."""
        ...

    def decode(self, ids: Sequence[int], /) -> str | bytes:
        """Return the text, or its UTF-8 bytes, of token ids."""
        ...


class Encode(Protocol):
    """A function from text to ids."""

    def __call__(self, text: str, /) -> Sequence[int]:
        """Return the token ids of a text."""
        ...


@dataclass(frozen=True)
class Target:
    """A tokenizer with its spec and its attributes.

    ``encode`` is the entry point for plain, untrusted text: the tokenizer's ``encode_ordinary``
    if it has one, else its ``encode``. ``capabilities`` are its optional methods. ``beyond_bounds``
    has the name of each attribute that exceeds a bound, and what that means.
    """

    spec: str
    tokenizer: Any
    encode: Encode
    capabilities: tuple[str, ...]
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    n_vocab: int | None = None
    normalizer: str | None = None
    unicode_version: str | None = None
    conflicting_tokens: Mapping[int, bytes] = field(default_factory=dict)
    beyond_bounds: tuple[tuple[str, str], ...] = ()

    def can(self, method: str) -> bool:
        """Whether the tokenizer has this optional method."""
        return method in self.capabilities

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; bytes are decoded as UTF-8, with U+FFFD for invalid ones."""
        return decoded_text(self.tokenizer.decode(ids))

    @property
    def has_own_process(self) -> bool:
        """Whether the tokenizer runs in a separate process, which can be restarted."""
        return isinstance(self.tokenizer, OwnProcess)

    def fresh(self) -> AbstractContextManager[None]:
        """Use a new process in this block, if the tokenizer runs in a separate one."""
        return self.tokenizer.fresh() if self.has_own_process else nullcontext()

    def close(self) -> None:
        """End the tokenizer's process, if it runs in a separate one."""
        if self.has_own_process:
            self.tokenizer.close()


def decoded_text(decoded: object) -> str:
    """Return a result of ``decode`` as text; bytes are decoded as UTF-8 with U+FFFD."""
    if isinstance(decoded, str):
        return decoded
    if isinstance(decoded, bytes):
        return decoded.decode("utf-8", "replace")
    raise TypeError(f"decode returned {type_name(decoded)}, not str or bytes")


def target_of(spec: str, tokenizer: Any) -> Target:
    """Return the target that wraps a tokenizer object; only exact values come out of it.

    Raises:
        TargetError: an attribute of the tokenizer has the wrong type, or raises.

    """
    if not isinstance(tokenizer, ExactTokenizer | OwnProcess):
        tokenizer = exact_tokenizer(spec, tokenizer)
    attributes = read_attributes(spec, getattr(tokenizer, "raw", tokenizer))
    return Target(
        spec=spec,
        tokenizer=tokenizer,
        encode=getattr(tokenizer, "encode_ordinary", tokenizer.encode),
        capabilities=tuple(name for name in OPTIONAL_METHODS if hasattr(tokenizer, name)),
        special_tokens=MappingProxyType(attributes.special_tokens),
        n_vocab=attributes.n_vocab,
        normalizer=attributes.normalizer,
        unicode_version=attributes.unicode_version,
        conflicting_tokens=MappingProxyType(attributes.conflicting_tokens),
        beyond_bounds=attributes.beyond_bounds,
    )


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of a target, and of its reference, for texts of one family, as columns.

    Row *i* of every column belongs to ``texts[i]``.

    Attributes:
        family: The name of the family.
        texts: The texts.
        ids: The ids of each text; None where the target raised.
        decoded: The round trip of each text; None where encoding or decoding raised.
        errors: By row, what the target raised.
        reference_ids: The ids of the reference; None without a reference. A row is None where the
            reference raised or ended its process.
        not_compared: The number of those rows for which the target has ids.
        recheck_every: The distance of the rows for checks that call the target again; 0 for none.
        all_ids: The ids of all texts in a row, if they are exact integers; None if that is unknown.

    """

    family: str
    texts: Sequence[str]
    ids: Sequence[list[int] | None]
    decoded: Sequence[str | None]
    errors: Mapping[int, BaseException]
    reference_ids: Sequence[list[int] | None] | None = None
    not_compared: int = 0
    recheck_every: int = 1
    all_ids: Sequence[int] | None = None

    @property
    def rechecked_rows(self) -> range:
        """Rows for a check that calls the target again: every ``recheck_every``-th."""
        return range(0, len(self.texts), self.recheck_every) if self.recheck_every else range(0)

    @property
    def sampled_rows(self) -> list[int]:
        """The rechecked rows that have ids."""
        return [row for row in self.rechecked_rows if self.ids[row] is not None]


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a property does not hold: a kind, and the parameters that distinguish causes of a kind.

    ``parameters`` never hold a failing text: two texts that fail for the same reason have the same
    cause. A ``weak`` cause only describes the symptom. Many weak causes in one run are symptoms of
    one fault, and are reported together.
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
    """A fault or fact from the audit of a whole target."""

    cause: Cause
    count: int = 1
    text: Text | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, risk or fact, reported once for all cases that show it.

    Attributes:
        spec: The spec of the target.
        code: The code of the check.
        name: The name of the check.
        cause: The cause.
        count: The number of cases that show it.
        text: The smallest text that shows it, if there is one.
        families: The families of these cases.
        reproduce: A shell command that shows it again.
        evidence: Facts about the smallest text, by name.
        other_checks: The codes of other checks that find the same cause.

    """

    spec: str
    code: str
    name: str
    cause: Cause
    count: int
    text: Text | None
    families: tuple[str, ...]
    reproduce: str
    evidence: Mapping[str, Any] = field(default_factory=dict)
    other_checks: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of the cause."""
        return self.cause.verdict

    @property
    def message(self) -> str:
        """The message of the cause, one sentence."""
        return self.cause.message

    @property
    def fingerprint(self) -> str:
        """Sixteen hex digits that depend on the check and the cause only.

        Text, family, seed and spec have no effect, so an acceptance stays valid for a new example.
        """
        key = [self.code, self.cause.kind, list(map(list, self.cause.parameters))]
        return hashlib.sha256(json.dumps(key).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Skip:
    """Something that could not be run, and the reason; never counted as a pass."""

    spec: str
    what: str
    reason: str
