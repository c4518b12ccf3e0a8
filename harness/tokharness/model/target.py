"""The methods of a tokenizer, and a tokenizer as checks see it: every call is guarded."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tokharness.boundary.attributes import read_attributes
from tokharness.boundary.entry_points import OPTIONAL_METHODS, plain_entry_point
from tokharness.boundary.exceptions import ResultTooLongError, type_name
from tokharness.boundary.tokenizer import ExactTokenizer, OwnProcess, exact_tokenizer
from tokharness.errors import BudgetSpentError
from tokharness.escaping import join_surrogate_pairs
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass
class CallCount:
    """A number of calls, and of those whose result exceeds the bound for its size.

    ``is_spent`` says whether there is no time for further ones.
    """

    number: int = 0
    too_long: int = 0
    is_spent: Callable[[], bool] | None = None

    def add(self, number: int = 1) -> None:
        """Count calls before they are made.

        Raises:
            BudgetSpentError: there is no time for them.

        """
        self.number += number
        if self.is_spent is not None and self.is_spent():
            raise BudgetSpentError

    def look_at(self, result: Any) -> Any:
        """Return the result of a call, and count it if it is one that is too long."""
        if isinstance(result, Raised) and isinstance(result.error, ResultTooLongError):
            self.too_long += 1
        return result


@dataclass(frozen=True)
class Target:
    """A tokenizer with its spec and its attributes.

    A call returns the result, or the exception as :class:`~tokharness.outcome.Raised`; it raises
    nothing but KeyboardInterrupt, and BudgetSpentError where the engine limits its time. The
    tokenizer itself is for the engine alone (``tokharness.targets.loading``).

    Attributes:
        spec: Its spec.
        capabilities: Its optional methods.
        special_tokens: Text to id.
        added_tokens: Text to id, of added tokens that are not special: plain text gets them too.
        n_vocab: One more than the largest id, if it is known.
        algorithm: The name of its algorithm, if it is known.
        unknown_id: The id of text for which it has no token, if there is one.
        normalizer: The name of the normal form that it declares.
        unicode_version: The version that its pre-tokenizer is pinned to.
        stage_versions: The Unicode version of each stage that has one, by the stage.
        plain_setting: The setting of its library with which special tokens are text.
        trims_offsets: Whether it declares that spans leave out the spaces around a token.
        conflicting_tokens: Id to bytes, where its vocabulary file contradicts itself.
        read_from_file: The optional methods that its library does not have, and that are answered
            from what its file says; no fault is theirs.
        tokens_alone: Whether it shows its tokens and encodes no text.
        beyond_bounds: The name of each attribute that exceeds a bound, and what that means.
        padding: The id that texts are padded with, if the entry point for plain text leaves it out.
        calls: The number of guarded calls so far, of its copies at other Unicode versions too.

    """

    spec: str
    _tokenizer: Any = field(repr=False)
    capabilities: tuple[str, ...]
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    added_tokens: Mapping[str, int] = field(default_factory=dict)
    n_vocab: int | None = None
    algorithm: str | None = None
    unknown_id: int | None = None
    normalizer: str | None = None
    unicode_version: str | None = None
    plain_setting: str | None = None
    trims_offsets: bool = False
    stage_versions: Mapping[str, str] = field(default_factory=dict)
    conflicting_tokens: Mapping[int, bytes] = field(default_factory=dict)
    read_from_file: tuple[str, ...] = ()
    tokens_alone: bool = False
    beyond_bounds: tuple[tuple[str, str], ...] = ()
    padding: int | None = None
    calls: CallCount = field(default_factory=CallCount, compare=False, repr=False)

    def can(self, method: str) -> bool:
        """Whether the tokenizer has this optional method."""
        return method in self.capabilities

    @property
    def entry_point(self) -> str:
        """The name of the entry point for plain, untrusted text."""
        return plain_entry_point(self.capabilities)

    @property
    def pattern(self) -> str | None:
        """The regular expression of its pre-tokenizer, if it shows it."""
        pattern = getattr(self._tokenizer, "pattern", None)
        return pattern if isinstance(pattern, str) else None

    @property
    def joins_pairs(self) -> bool:
        """Whether its texts are sent as JSON, which makes one character of a surrogate pair."""
        return isinstance(self._tokenizer, OwnProcess) and self._tokenizer.joins_pairs

    def as_sent(self, text: str) -> str:
        """Return the text that the tokenizer gets for a text."""
        return join_surrogate_pairs(text) if self.joins_pairs else text

    def all_as_sent(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the text that the tokenizer gets for each text."""
        return list(map(join_surrogate_pairs, texts)) if self.joins_pairs else texts

    def encode(self, text: str) -> list[Any] | Raised:
        """Return the ids of a plain text; the list may be the tokenizer's own."""
        self.calls.add()
        ids: list[Any] | Raised = self.calls.look_at(call(self._encode, text))
        return ids if self.padding is None else _own_ids(ids, self.padding)

    def fetch(self, texts: Sequence[str], *, decoded: bool = False) -> None:
        """Encode texts in few requests, if the tokenizer has a process of its own.

        The next ``encode`` of each returns that result. With ``decoded``, their ids are decoded in
        the same way.
        """
        if self.has_own_process:
            self._tokenizer.fetch(self.entry_point, texts, decoded=decoded)

    def decode(self, ids: Sequence[Any]) -> str | Raised:
        """Return the text of ids; bytes are decoded as UTF-8, with U+FFFD for invalid ones."""
        self.calls.add()
        return self.calls.look_at(call(self._decode, ids))  # type: ignore[no-any-return]

    def round_trip(self, text: str) -> str | Raised:
        """Encode a plain text and decode its ids."""
        ids = self.encode(text)
        return ids if isinstance(ids, Raised) else self.decode(ids)

    def call(self, method: str, argument: Any) -> Any:
        """Return what a method gives for an argument, or Raised.

        A method that the tokenizer does not have raises AttributeError.
        """
        self.calls.add()
        return self.calls.look_at(call(_call_method, self._tokenizer, method, argument))

    def call_each(self, method: str, arguments: Sequence[Any]) -> list[Any]:
        """Return what a method gives for each argument, or Raised.

        If the tokenizer has a process of its own, they are few requests.
        """
        self.calls.add(len(arguments))
        many = getattr(self._tokenizer, "call_each", None) or self._tokenizer.call_column
        results = many(method, arguments)
        look_at = self.calls.look_at
        rows = [look_at(Raised(one)) if isinstance(one, BaseException) else one for one in results]
        if self.padding is None or method != self.entry_point:
            return rows
        return [_own_ids(row, self.padding) for row in rows]

    def at_unicode_version(self, version: str) -> Target | Raised:
        """Return the same target at another Unicode version, under the same spec."""
        return self._other(self.call("with_unicode_version", version))

    def at_stage_versions(self, versions: Mapping[str, str]) -> Target | Raised:
        """Return the same target with other Unicode versions of some stages."""
        return self._other(self.call("with_stage_versions", dict(versions)))

    def with_edited_tokens(self, edit: Mapping[str, Sequence[int]]) -> Target | Raised:
        """Return the same target whose model has an edit of its tokens.

        ``gone`` are ids of tokens that it never makes, and ``exchanged`` two ids whose tokens have
        each other's rank or score.
        """
        return self._other(self.call("with_edited_tokens", dict(edit)))

    def _other(self, tokenizer: Any) -> Target | Raised:
        target = (
            tokenizer if isinstance(tokenizer, Raised) else call(target_of, self.spec, tokenizer)
        )
        return target if isinstance(target, Raised) else replace(target, calls=self.calls)

    def fatal_size(self, text: str) -> str:
        """Return the size above which texts end its process, if the text is above it; else ""."""
        crashers = getattr(self._tokenizer, "crashers", None)
        if crashers is None or not crashers.exceeds_limit(text):
            return ""
        return str(crashers.limit_in_words())

    def simplest_fatal_text(self) -> str:
        """Return the simplest text above the size that ends its process; "" if none is known."""
        crashers = getattr(self._tokenizer, "crashers", None)
        return "" if crashers is None else str(crashers.simplest_above_limit())

    @property
    def has_own_process(self) -> bool:
        """Whether the tokenizer runs in a separate process, which can be restarted."""
        return isinstance(self._tokenizer, OwnProcess)

    def fresh(self) -> AbstractContextManager[None]:
        """Use a new process in this block, if the tokenizer runs in a separate one."""
        return self._tokenizer.fresh() if self.has_own_process else nullcontext()

    def close(self) -> None:
        """End the tokenizer's process, if it runs in a separate one."""
        if self.has_own_process:
            self._tokenizer.close()

    @cached_property
    def _encode(self) -> Callable[[str], Any]:
        return getattr(self._tokenizer, self.entry_point)  # type: ignore[no-any-return]

    @cached_property
    def _decode(self) -> Callable[[Sequence[Any]], str]:
        decode = self._tokenizer.decode
        return lambda ids: decoded_text(decode(ids))


def _own_ids(ids: list[Any] | Raised, padding: int) -> list[Any] | Raised:
    return ids if isinstance(ids, Raised) else ids[slice_without_padding(ids, padding)]


def slice_without_padding(ids: Sequence[Any], padding: Any) -> slice:
    """Return the slice of ids, or of tokens, without the runs of the padding at both ends."""
    start, end = 0, len(ids)
    if padding is not None:
        start = run_at_start(ids, padding)
        end -= run_at_start(ids[start:][::-1], padding)
    return slice(start, end)


def run_at_start(ids: Sequence[Any], number: int) -> int:
    """Return how many times an id is repeated at the start of a list."""
    return sum(1 for _ in takewhile(lambda one: one == number, ids))


def _call_method(tokenizer: Any, method: str, argument: Any) -> Any:
    return getattr(tokenizer, method)(argument)


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
        spec,
        tokenizer,
        capabilities=tuple(name for name in OPTIONAL_METHODS if hasattr(tokenizer, name)),
        special_tokens=MappingProxyType(attributes.special_tokens),
        added_tokens=MappingProxyType(attributes.added_tokens),
        n_vocab=attributes.n_vocab,
        algorithm=attributes.algorithm,
        unknown_id=attributes.unknown_id,
        normalizer=attributes.normalizer,
        unicode_version=attributes.unicode_version,
        plain_setting=attributes.plain_setting,
        trims_offsets=attributes.trims_offsets,
        stage_versions=MappingProxyType(attributes.stage_versions),
        conflicting_tokens=MappingProxyType(attributes.conflicting_tokens),
        read_from_file=attributes.read_from_file,
        tokens_alone=attributes.tokens_alone,
        beyond_bounds=attributes.beyond_bounds,
    )


class Tokenizer(Protocol):
    """The methods that every tokenizer has; see ``boundary/entry_points.py`` for the others.

    Optional attributes:

    - ``special_tokens``: text to id.
    - ``added_tokens``: text to id, of tokens that are not special and are looked for in all text
      before the model reads it.
    - ``n_vocab``: one more than the largest id.
    - ``algorithm``: the name of its algorithm, such as ``WordPiece``.
    - ``unknown_id``: the id that text gets for which it has no token.
    - ``normalizer``: the name of the normal form that it declares.
    - ``unicode_version``: the version that its pre-tokenizer is pinned to.
    - ``stage_versions``: the Unicode version of each stage that has one: ``normalizer``,
      ``case mapping`` and ``split``.
    - ``read_from_file``: the names of those methods that the library does not have, and that are
      answered from its file. A finding names the library's own method in their place.
    - ``plain_setting``: the setting of its library that ``encode_ordinary`` uses, such as
      ``"encode_special_tokens=True"``, if ``encode`` reads special tokens from text.
    - ``trims_offsets``: True if the spans of ``encode_with_offsets`` leave out the spaces around a
      token, as ``trim_offsets`` of a post-processor declares.
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
