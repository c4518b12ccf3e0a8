r"""The protocol of a tokenizer in another process: requests, and how responses are read.

One JSON object per line, in ASCII; responses in the order of the requests; lone surrogates as
``\udXXX`` escapes; a JSON parser joins two escapes that are a pair::

    {"op": "info"}                      -> {"name", "version", "n_vocab", "special_tokens",
                                            "added_tokens", "normalizer", "unicode_version",
                                            "plain_setting", "stage_versions", "algorithm",
                                            "unknown_id", "tokens_alone", "trims_offsets", "ops"}
    {"op": "encode", "texts": [...]}    -> {"results": [[ids] | {"error": "..."}, ...]}
    {"op": "decode", "ids": [[...]]}    -> {"results": ["text" | {"bytes": "hex"} | {"error"}, ...]}
    {"op": OPERATION, FIELD: [...]}     -> {"results": [...]}                     (if in "ops")

``boundary/entry_points.py`` has the other operations, and the field of each, ``texts``, ``ids`` or
``bytes`` (hex). ``_READERS`` below reads the result of one item, of each kind: ids; a text as that
of decode; a number; hex, or null for no such token; a list of texts; ``[[ids], [[start, end],
...]]`` with offsets; ``[[stage, ["text", ...]], ...]`` of stages; and of variants
``[["entry point", ids or a text, "error or nothing"], ...]``.

An ``error`` may have a ``type``, the name of the exception, and ``"panic": true`` if it is not an
ordinary exception. Every key of ``info`` is optional. A response that does not fit its request is a
TargetDeath with the reason ``nonsense``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokharness.boundary.entry_points import BY_OPERATION, Result
from tokharness.boundary.exceptions import ResultTooLongError, named_exception
from tokharness.boundary.values import (
    LONGEST_TEXT,
    LONGEST_TEXT_PER_ID,
    MOST_IDS,
    MOST_IDS_PER_CHARACTER,
)
from tokharness.errors import TargetDeath
from tokharness.json_content import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHOWN_BYTES = 80
Answer = Any
"""The result for one item, or the exception that it raised."""


def make_request(op: str, items: Sequence[Any]) -> dict[str, Any]:
    """Return the request for an operation on items."""
    return {"op": op, BY_OPERATION[op].takes.field: items}


def request_line(value: dict[str, Any]) -> bytes:
    """Return a request as a line for any program."""
    return json.dumps(value, ensure_ascii=True).encode() + b"\n"


def nonsense_death(what: str, line: bytes) -> TargetDeath:
    """Return the death of a program whose response is ``what``; quotes the start of the line."""
    shown = line[:SHOWN_BYTES].decode("ascii", "backslashreplace")
    return TargetDeath("nonsense", f"it answered {what}: {shown}")


def read_object(line: bytes, read: Callable[[bytes], Any] = parse_json) -> dict[str, Any]:
    """Parse a response, with ``read`` for the JSON; raises TargetDeath if it is not an object.

    A program that is not ours may answer anything, such as lists in lists without end.
    """
    try:
        response = read(line)
    except (ValueError, RecursionError):
        raise nonsense_death("text that is not JSON", line) from None
    if not isinstance(response, dict):
        raise nonsense_death("JSON that is not an object", line)
    return response


def read_info(response: dict[str, Any], line: bytes, *others: str) -> dict[str, Any]:
    """Return an info; raises TargetDeath if ``ops``, or another one, is not a list of texts."""
    for name in ("ops", *others):
        texts = response.get(name) or []
        if type(texts) is not list or not all(type(text) is str for text in texts):
            raise nonsense_death(f'"{name}" that are not a list of texts', line)
    return response


def read_results(
    op: str, items: Sequence[Any], response: dict[str, Any], line: bytes
) -> list[Answer]:
    """Return the result of each item in a response; raises TargetDeath if they are invalid.

    A result that exceeds the bound of a tokenizer in this process is a ResultTooLongError.
    """
    results = response.get("results")
    if not isinstance(results, list):
        raise nonsense_death('without a list of "results"', line)
    if len(results) != len(items):
        raise nonsense_death(f"with {len(results)} results for {len(items)}", line)
    parse = _READERS[BY_OPERATION[op].gives]
    try:
        rows = [_exception(result) if _is_error(result) else parse(result) for result in results]
    except (TypeError, ValueError, KeyError):
        raise nonsense_death("with results of another type", line) from None
    if len(line) <= LONGEST_TEXT:
        return rows
    return [_bounded(op, item, row) for item, row in zip(items, rows, strict=True)]


def _bounded(op: str, item: Any, result: Answer) -> Answer:
    """Return the result of an item, or the error of one that is too large."""
    length = 1 if isinstance(item, int) else len(item)
    if BY_OPERATION[op].gives in (Result.IDS, Result.IDS_OF_EACH) and isinstance(result, list):
        size, most = len(result), MOST_IDS + MOST_IDS_PER_CHARACTER * length
    else:
        size, most = _size(result), LONGEST_TEXT + LONGEST_TEXT_PER_ID * length
    if size <= most:
        return result
    return ResultTooLongError(f"{op} gives {size:,} ids, characters or bytes, more than {most:,}")


def _size(value: Any) -> int:
    if isinstance(value, list | tuple):
        return len(value) + sum(map(_size, value))
    return len(value) if isinstance(value, str | bytes) else 0


def _is_error(result: Any) -> bool:
    return isinstance(result, dict) and "error" in result


def _exception(record: dict[str, Any]) -> BaseException:
    """Return the exception that the program reports."""
    name, message = str(record.get("type") or "Error"), str(record["error"])
    return named_exception(name, message, BaseException if record.get("panic") else Exception)


def _ids(result: Any) -> list[int]:
    if type(result) is not list or not all(type(number) is int for number in result):
        raise TypeError("not a list of ids")
    return result


def _text(result: Any) -> str | bytes:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return bytes.fromhex(result["bytes"])
    raise TypeError("not a text")


def _number(result: Any) -> int:
    if type(result) is not int:
        raise TypeError("not a number")
    return result


def _with_offsets(result: Any) -> tuple[list[int], list[tuple[int, int]]]:
    ids, spans = result
    return _ids(ids), [(_number(start), _number(end)) for start, end in spans]


def _texts(result: Any) -> list[str]:
    if type(result) is not list or not all(type(part) is str for part in result):
        raise TypeError("not a list of texts")
    return result


def _stages(result: Any) -> list[tuple[str, list[str]]]:
    return [(str(stage), _texts(texts)) for stage, texts in result]


def _variants(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def parse(result: Any) -> list[list[Any]]:
        return [
            [str(name), None if error else read(given), str(error)] for name, given, error in result
        ]

    return parse


def _bytes(result: Any) -> Answer:
    return KeyError("no such token") if result is None else bytes.fromhex(result)


_READERS: dict[Result, Callable[[Any], Answer]] = {
    **dict.fromkeys((Result.IDS, Result.IDS_OF_EACH), _ids),
    **dict.fromkeys((Result.TEXT, Result.TEXT_OF_EACH), _text),
    **dict.fromkeys((Result.NORMALIZED, Result.TEXT_OF_ID), _text),
    **dict.fromkeys((Result.BYTES, Result.BYTES_OF_ID), _bytes),
    Result.NUMBER: _number,
    Result.SPANS: _with_offsets,
    Result.IDS_OF_VARIANTS: _variants(_ids),
    Result.TEXTS_OF_VARIANTS: _variants(_text),
    Result.PARTS: _texts,
    Result.PARTS_OF_CALLS: _texts,
    Result.STAGES: _stages,
}
"""Parsers of the result for one item, by the kind of result of an entry point."""
