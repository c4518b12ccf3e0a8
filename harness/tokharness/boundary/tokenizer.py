"""A tokenizer in this process, with exact results."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from tokharness.boundary.columns import (
    Encoded,
    Parts,
    call_column,
    call_each,
    decode_column,
    encode_column,
)
from tokharness.boundary.entry_points import ENTRY_POINTS, Result, plain_entry_point
from tokharness.boundary.exceptions import Opaque, ResultTooLongError, observed
from tokharness.boundary.values import (
    LONGEST_TEXT,
    all_exact,
    are_usual_ids,
    exact_data,
    exact_ids,
    exact_spans,
    exact_text,
    given_back,
    plain,
    take,
    text_or_bytes,
)
from tokharness.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MOST_PARTS, MOST_PARTS_PER_ITEM = 100_000, 64
"""Parts of a stream, or pre-tokens, at most, and further parts per id or character."""

MOST_ROWS = 1000
"""Surplus rows that a batch may have."""

MOST_RECORD = 1 << 23
"""Characters of a record as JSON."""

LONGEST_PATTERN = 100_000
LONGEST_TABLE = 1 << 26
LONGEST_EXPANSION = 18


class OwnProcess:
    """Marks a tokenizer in a process of its own, whose results are parsed and thus exact.

    ``joins_pairs`` says that texts are sent as JSON, which joins a surrogate pair to one character.
    """

    joins_pairs = False

    def fetch(self, method: str, texts: Sequence[str], *, decoded: bool = False) -> None:
        """Prepare for a call of the method with each text; a class may send them together.

        With ``decoded``, prepare for a call of ``decode`` with the ids of each, too.
        """


class ExactTokenizer:
    """The known methods that a tokenizer has, with exact results of a bounded size.

    The methods raise exceptions of ours, with the names and messages of the tokenizer's exceptions,
    and ResultTooLongError for a result without an end. ``raw`` is the tokenizer.
    """

    def __init__(self, raw: Any) -> None:
        """Bind the methods; may raise anything, so call :func:`exact_tokenizer`."""
        self.raw = raw
        self._has_boxes = False  # whether any ids were in boxes
        methods: dict[str, Any] = {one.name: getattr(raw, one.name, None) for one in ENTRY_POINTS}
        known = {name: method for name, method in methods.items() if callable(method)}
        for one in ENTRY_POINTS:
            if one.name in known:
                call = functools.partial(observed, CALLS[one.gives], self, known[one.name])
                setattr(self, one.name, call)
        self._entry_point = plain_entry_point(known)
        self._encode, self._decode = methods[self._entry_point], methods["decode"]
        self._bytes_of = methods["decode_single_token_bytes"]
        self._encode_parts, self._decode_parts = Parts(), Parts()
        pattern: Any = getattr(raw, "pattern", None)
        is_short = issubclass(type(pattern), str) and str.__len__(pattern) <= LONGEST_PATTERN
        self.pattern = str.__str__(pattern) if is_short else None

    def encode_column(self, texts: Sequence[str]) -> Encoded:
        """Encode many texts as plain text."""
        return encode_column(self._encode, texts, self.exact_ids, self._encode_parts)

    def decode_column(self, encoded: Encoded) -> tuple[list[str | None], dict[int, BaseException]]:
        """Return the text of each row that has ids, and what the tokenizer raised, by place."""
        return decode_column(self._decode, encoded, self._decode_parts)

    def call_column(self, method: str, arguments: Sequence[Any]) -> list[Any]:
        """Return what a method gives for each argument; what it raises takes a result's place."""
        if method == self._entry_point:
            encoded = self.encode_column(arguments)
            return [encoded.errors.get(row, ids) for row, ids in enumerate(encoded.ids)]
        if method == "decode":
            rows = list(map(self.own_ids, arguments))
            return call_column(self._decode, rows, str, exact_text, self._decode_parts)
        if method == "decode_single_token_bytes" and callable(self._bytes_of):
            own = [number.raw if type(number) is Opaque else number for number in arguments]
            return call_column(self._bytes_of, own, bytes, exact_data, self._decode_parts)
        return call_each(getattr(self, method), arguments)

    def exact_ids(self, encoded: Any, characters: int) -> list[Any]:
        """Return the ids of a text of ``characters`` characters from the tokenizer's result."""
        ids = exact_ids(encoded, characters)
        self._has_boxes = self._has_boxes or Opaque in map(type, ids)
        return ids

    def own_ids(self, ids: Sequence[Any]) -> list[Any]:
        """Return ids in a list that the tokenizer may change."""
        return given_back(ids) if self._has_boxes else list(ids)


def exact_tokenizer(spec: str, raw: Any) -> ExactTokenizer:
    """Return the tokenizer with exact results; raises TargetError if its methods cannot be read."""
    try:
        tokenizer: ExactTokenizer = observed(ExactTokenizer, raw)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        what = f"{type(error).__name__}: {error}"
        raise TargetError(f"cannot read the attributes of {spec}: {what}") from None
    missing = [name for name in ("encode", "decode") if not hasattr(tokenizer, name)]
    if missing:
        raise TargetError(f"{spec} has no {' and no '.join(missing)}: give it these methods")
    return tokenizer


def _encode(tokenizer: ExactTokenizer, method: Any, text: str | bytes) -> list[Any]:
    encoded = method(text)
    if are_usual_ids(encoded):
        return encoded  # type: ignore[no-any-return]
    return tokenizer.exact_ids(encoded, len(text))


def _encode_batch(tokenizer: ExactTokenizer, method: Any, texts: list[str]) -> list[Any]:
    own = list(texts)  # the tokenizer may change it; the caller sees how, in exact values
    try:
        rows = take(iter(method(own)), 2 * len(texts) + MOST_ROWS, "encode_batch gives")
        most = sum(map(len, texts))
        return [row if are_usual_ids(row) else tokenizer.exact_ids(row, most) for row in rows]
    finally:
        if not all_exact(own, str) or own != texts:
            texts[:] = map(plain, own[: len(texts) + 1])


def _encode_with_offsets(tokenizer: ExactTokenizer, method: Any, text: str) -> Any:
    return exact_spans(method(text), tokenizer.exact_ids, len(text))


def _decode(tokenizer: ExactTokenizer, method: Any, ids: Sequence[Any]) -> str | bytes:
    decoded = method(tokenizer.own_ids(ids))
    if type(decoded) is str and len(decoded) <= LONGEST_TEXT:
        return decoded
    return exact_text(decoded, len(ids))


def _decode_batch(tokenizer: ExactTokenizer, method: Any, rows: list[list[Any]]) -> list[Any]:
    own = list(map(tokenizer.own_ids, rows))  # the tokenizer may change these lists
    try:
        most = 2 * len(rows) + MOST_ROWS
        ids = sum(map(len, rows))
        return [
            exact_text(text, ids) for text in take(iter(method(own)), most, "decode_batch gives")
        ]
    finally:
        if type(own) is list and not _are_unchanged(own, rows):
            rows[:] = [list(map(plain, ids)) if type(ids) is list else plain(ids) for ids in own]


def _are_unchanged(own: list[Any], rows: list[list[Any]]) -> bool:
    """Whether a tokenizer left rows unchanged; ids that are not integers count as unchanged."""
    if not all_exact(own, list) or len(own) != len(rows):
        return False
    return not all(all_exact(ids, int) for ids in own) or own == rows


def _decode_bytes(tokenizer: ExactTokenizer, method: Any, ids: Sequence[Any]) -> Any:
    data = method(tokenizer.own_ids(ids))
    return data if _is_usual(data) else exact_data(data, len(ids))


def _decode_stream(tokenizer: ExactTokenizer, method: Any, ids: Sequence[Any]) -> list[Any]:
    most = MOST_PARTS + MOST_PARTS_PER_ITEM * len(ids)
    parts = take(iter(method(tokenizer.own_ids(ids))), most, "decode_stream gives")
    return list(map(exact_data, parts))


def _decode_stream_calls(
    tokenizer: ExactTokenizer, method: Any, rows: Sequence[Sequence[Any]]
) -> list[Any]:
    most = MOST_PARTS + MOST_PARTS_PER_ITEM * sum(map(len, rows))
    own = list(map(tokenizer.own_ids, rows))
    parts = take(iter(method(own)), most, "decode_stream_calls gives")
    return list(map(exact_data, parts))


def _one_token(_: ExactTokenizer, method: Any, number: Any) -> Any:
    data = method(number.raw if type(number) is Opaque else number)
    return data if _is_usual(data) else exact_data(data)


def _is_usual(data: Any) -> bool:
    return type(data) is bytes and len(data) <= LONGEST_TEXT


def _pretokens(_: ExactTokenizer, method: Any, text: str) -> list[Any]:
    return list(map(plain, take(iter(method(text)), MOST_PARTS + len(text), "pretokens gives")))


def _plain(_: ExactTokenizer, method: Any, text: str) -> Any:
    return plain(method(text))


def _record(_: ExactTokenizer, method: Any, most: int) -> Any:
    """Return a record of texts, numbers, lists and records, as JSON has them."""
    text = json.dumps(method(most), default=str)
    if len(text) > MOST_RECORD:
        raise ResultTooLongError(f"a record has more than {MOST_RECORD:,} characters")
    return json.loads(text)


def _table(_: ExactTokenizer, method: Any, most: int) -> list[Any]:
    """Return the first rows of a table: pairs of bytes, or of bytes and another value."""
    rows = take(iter(method(most)), most, "a table has")
    if all_exact(rows, tuple) and all(map((2).__eq__, map(len, rows))):
        first, second = map(list, zip(*rows, strict=True)) if rows else ([], [])
        usual = all_exact(second, bytes) or all_exact(second, float)
        if all_exact(first, bytes) and usual and len(b"".join(first)) <= LONGEST_TABLE:
            return list(rows)
    return [plain(row) for row in rows]


def _variants(_: ExactTokenizer, method: Any, items: list[Any]) -> list[Any]:
    """Return for each item the name, the result and the error of each further entry point."""
    return list(map(plain, take(iter(method([*items])), len(items) + 1, "a table has")))


def _normalize(_: ExactTokenizer, method: Any, text: str) -> Any:
    """Return a normalized text; a character may become this many characters (NFKD: 18)."""
    value = method(text)
    exact = text_or_bytes(value)
    most = LONGEST_TEXT + LONGEST_EXPANSION * len(text)
    return exact if isinstance(exact, str) and len(exact) <= most else plain(value)


def _other_tokenizer(_: ExactTokenizer, method: Any, change: Any) -> ExactTokenizer:
    return ExactTokenizer(method(change))


CALLS: dict[Result, Callable[..., Any]] = {
    Result.IDS: _encode,
    Result.IDS_OF_EACH: _encode_batch,
    Result.SPANS: _encode_with_offsets,
    Result.TEXT: _decode,
    Result.TEXT_OF_EACH: _decode_batch,
    Result.BYTES: _decode_bytes,
    Result.PARTS: _decode_stream,
    Result.PARTS_OF_CALLS: _decode_stream_calls,
    Result.BYTES_OF_ID: _one_token,
    Result.PRE_TOKENS: _pretokens,
    Result.NORMALIZED: _normalize,
    Result.TABLE: _table,
    Result.IDS_OF_VARIANTS: _variants,
    Result.TEXTS_OF_VARIANTS: _variants,
    Result.TOKENIZER: _other_tokenizer,
    Result.RECORD: _record,
    **dict.fromkeys((Result.NUMBER, Result.TEXT_OF_ID, Result.STAGES, Result.DATA), _plain),
}
"""How to call a method, and what to make of its result, by the kind of result."""
