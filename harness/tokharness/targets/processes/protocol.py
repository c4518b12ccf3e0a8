r"""What is said to a tokenizer in another process, and how its answers are read.

One object a line, ASCII, answers in order, lone surrogates as ``\udXXX`` escapes::

    {"op": "info"}                      -> {"name", "version", "n_vocab", "special_tokens",
                                            "normalizer", "unicode_version", "ops"}
    {"op": "encode", "texts": [...]}    -> {"results": [[ids] | {"error": "..."}, ...]}
    {"op": "decode", "ids": [[...]]}    -> {"results": ["text" | {"bytes": "hex"} | {"error"}, ...]}
    {"op": "token_bytes", "ids": [...]} -> {"results": ["hex" | null, ...]}       (if in "ops")
    {"op": "encode_ordinary" | "encode_special" | "encode_batch", "texts"}  as encode (if in "ops")
    {"op": "normalize", "texts": [...]} -> {"results": ["text", ...]}             (if in "ops")
    {"op": "count", "texts": [...]}     -> {"results": [number, ...]}             (if in "ops")
    {"op": "encode_with_offsets", "texts": [...]}                                 (if in "ops")
                                        -> {"results": [[[ids], [[start, end], ...]], ...]}
    {"op": "encode_bytes", "bytes": ["hex", ...]}  as encode                      (if in "ops")
    {"op": "decode_bytes", "ids": [[...]]}         as token_bytes                 (if in "ops")
    {"op": "decode_stream", "ids": [[...]]} -> {"results": [["text", ...], ...]}  (if in "ops")

An ``error`` may have a ``type`` (the exception's name) and ``panic``: true, for what is no ordinary
exception. Everything in ``info`` is optional. An answer that is none to what was asked is raised as
a TargetDeath by ``nonsense``.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ITEM_OPS", "Result", "ascii_line", "nonsense", "question", "read_object", "results"]

SHOWN = 80
ITEM_OPS = (
    *("normalize", "count", "encode_with_offsets", "decode_bytes", "decode_stream"),
    *("encode_ordinary", "encode_special"),
)
"""Optional operations on one item, named as the methods are."""

Result = Any
"""What an item became, or the exception that it raised."""


def question(op: str, items: Sequence[Any]) -> dict[str, Any]:
    """Ask one operation about some items."""
    field, _ = _READERS[op]
    return {"op": op, field: items}


def ascii_line(value: dict[str, Any]) -> bytes:
    """Write a question for a program that need not be ours."""
    return json.dumps(value, ensure_ascii=True).encode() + b"\n"


def nonsense(what: str, line: bytes) -> TargetDeath:
    """Make the death of a program that answered ``what``, with the beginning of its line."""
    shown = line[:SHOWN].decode("ascii", "backslashreplace")
    return TargetDeath("nonsense", f"it answered {what}: {shown}")


def read_object(line: bytes, read: Callable[[bytes], Any]) -> dict[str, Any]:
    """Read an answer, with ``read`` for the JSON; raises TargetDeath if it is no object."""
    try:
        answer = read(line)
    except ValueError:
        raise nonsense("what is no JSON", line) from None
    if not isinstance(answer, dict):
        raise nonsense("what is no object", line)
    return answer


def results(op: str, number: int, answer: dict[str, Any], line: bytes) -> list[Result]:
    """Read the results of an operation on so many items; raises TargetDeath if they are not."""
    found = answer.get("results")
    if not isinstance(found, list):
        raise nonsense('without a list of "results"', line)
    if len(found) != number:
        raise nonsense(f"with {len(found)} results for {number}", line)
    _, parse = _READERS[op]
    try:
        return [_raised(one) if _is_error(one) else parse(one) for one in found]
    except (TypeError, ValueError, KeyError):
        raise nonsense("with results of another kind", line) from None


def _is_error(result: Any) -> bool:
    return isinstance(result, dict) and "error" in result


def _raised(record: dict[str, Any]) -> BaseException:
    """Make the exception that the program tells of."""
    name, message = str(record.get("type") or "Error"), str(record["error"])
    if name == "MemoryError":
        return MemoryError(message)
    return _exception(name, bool(record.get("panic")))(message)


@functools.cache
def _exception(name: str, panic: bool) -> type[BaseException]:
    return type(name, (BaseException if panic else Exception,), {})


def _ids(result: Any) -> list[int]:
    if type(result) is not list or not all(type(number) is int for number in result):
        raise TypeError("no list of ids")
    return result


def _text(result: Any) -> str | bytes:
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return bytes.fromhex(result["bytes"])
    raise TypeError("no text")


def _number(result: Any) -> int:
    if type(result) is not int:
        raise TypeError("no number")
    return result


def _with_offsets(result: Any) -> tuple[list[int], list[tuple[int, int]]]:
    ids, spans = result
    return _ids(ids), [(_number(start), _number(end)) for start, end in spans]


def _texts(result: Any) -> list[str]:
    if type(result) is not list or not all(type(part) is str for part in result):
        raise TypeError("no list of texts")
    return result


def _bytes(result: Any) -> Result:
    return KeyError("no such token") if result is None else bytes.fromhex(result)


_READERS: dict[str, tuple[str, Callable[[Any], Result]]] = {
    "encode": ("texts", _ids),
    **dict.fromkeys(("encode_ordinary", "encode_special", "encode_batch"), ("texts", _ids)),
    "normalize": ("texts", _text),
    "count": ("texts", _number),
    "encode_with_offsets": ("texts", _with_offsets),
    "encode_bytes": ("bytes", _ids),
    "decode": ("ids", _text),
    "decode_bytes": ("ids", _bytes),
    "decode_stream": ("ids", _texts),
    "token_bytes": ("ids", _bytes),
}
"""By operation, the field that its items stand in, and what reads one result."""
