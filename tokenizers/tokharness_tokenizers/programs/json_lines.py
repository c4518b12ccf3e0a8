"""Serve a tokenizer of a library over JSON lines: ``python -I json_lines.py PROGRAM ARGUMENT ...``.

PROGRAM is the path of a file with ``load(*arguments)``, which returns an object with the attributes
and methods of a ``python:``, a ``chunker:`` or a ``parser:`` target. In place of
``encode_variants`` and ``decode_variants`` it may have ``encoders`` and ``decoders``: by name, a
function of several texts or sequences of ids. The process imports the standard library and what the
file imports. What it prints goes to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import operator
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

Variants = Mapping[str, Callable[[Any], Sequence[Any]]]
Result = tuple[str, Any, str]
"""The name of an entry point, what it gives for an item, and what it raises or does wrong."""

ATTRIBUTES = (
    *("name", "version", "n_vocab", "algorithm", "unknown_id", "special_tokens", "added_tokens"),
    *("plain_setting", "stage_versions", "normalizer", "unicode_version", "tokens_alone"),
    "trims_offsets",
    *("loses", "counts_with", "truncates", "has_overlap", "window_options", "failure"),
    *("takes", "examples", "markers"),
)
METHODS = (
    *("encode", "decode", "encode_ordinary", "encode_special", "encode_bytes", "count"),
    *("encode_with_offsets", "decode_bytes", "decode_stream", "decode_stream_calls"),
    *("normalize", "token_text", "stages", "render"),
)
OF_SEVERAL = ("split", "truncate", "windows", "parse", "parse_between")
"""Methods whose items are lists of arguments.

Those of a chunker are a text, a limit, an overlap, and settings of windows; that of a stream parser
is its deltas.
"""

BATCHES = ("encode_batch", "decode_batch")
FIELDS = ("texts", "ids", "bytes", "conversations")


def main() -> None:
    """Load the tokenizer, and answer requests until the input ends."""
    program, *arguments = sys.argv[1:]
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as null:  # noqa: PTH123 - pathlib is slow to import
        os.dup2(null.fileno(), 0)
    os.dup2(2, 1)
    try:
        tokenizer = _module_of(program).load(*arguments)
        singles, batches = _methods(tokenizer), _batches(tokenizer)
        info = {name: getattr(tokenizer, name, None) for name in ATTRIBUTES}
        info["ops"] = [*singles, *batches]
    except BaseException as error:  # a panic is not an Exception
        info, singles, batches = {"error": _words(error), "type": type(error).__name__}, {}, {}
    for line in requests:
        request = json.loads(line)
        op = request["op"]
        items: list[Any] = next((request[field] for field in FIELDS if field in request), [])
        if op == "info":
            answer: dict[str, Any] = info
        elif op in batches:
            answer = {"results": _rows(partial(batches[op], items), items)}
        else:
            operation = singles.get(op, _unknown)
            answer = {"results": [_result(partial(operation, item)) for item in items]}
        answers.write(_line(answer).encode() + b"\n")
        answers.flush()


UNWRITABLE = (TypeError, ValueError, RecursionError)
"""What JSON raises, such as for an integer of 5,000 digits."""


def _line(answer: dict[str, Any]) -> str:
    """Return an answer as JSON, with an error in the place of what JSON cannot write."""
    try:
        return json.dumps(answer)
    except UNWRITABLE as error:
        rows = answer.get("results")
        whole = _unwritable(error) if rows is None else {"results": list(map(_written, rows))}
        return json.dumps(whole)


def _written(result: Any) -> Any:
    try:
        json.dumps(result)
    except UNWRITABLE as error:
        return _unwritable(error)
    return result


def _unwritable(error: BaseException) -> dict[str, Any]:
    what = f"it returned what JSON cannot write: {_words(error)}"
    return {"error": what, "type": type(error).__name__}


def results(variants: Variants, items: Sequence[Any]) -> list[list[Result]]:
    """Return for each text, or each sequence of ids, what each entry point gives for it in a list.

    What an entry point raises for the list is the result of each of its items.
    """
    columns = [_column(name, variant, list(items)) for name, variant in variants.items()]
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in items]


def _column(name: str, variant: Callable[[Any], Sequence[Any]], items: list[Any]) -> list[Result]:
    number = len(items)
    try:
        given = list(variant(items))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        return [(name, None, f"{type(error).__name__}: {error}")] * number
    if len(given) != number:
        return [(name, None, f"{len(given):,} results for {number:,}")] * number
    return [(name, one, "") for one in given]


def _module_of(path: str) -> Any:
    spec: Any = importlib.util.spec_from_file_location("program", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _methods(tokenizer: Any) -> dict[str, Callable[[Any], Any]]:
    """Return the operations for one item, whose results are JSON data."""
    found = {}
    for name in METHODS:
        if method := getattr(tokenizer, name, None):
            found[name] = _chain(method, TO_JSON.get(name, _plain))
    for name in OF_SEVERAL:
        if method := getattr(tokenizer, name, None):
            found[name] = _chain(partial(_called, method), TO_JSON.get(name, _plain))
    if method := getattr(tokenizer, "encode_bytes", None):
        found["encode_bytes"] = lambda digits: _plain(method(bytes.fromhex(digits)))
    if token_bytes := getattr(tokenizer, "decode_single_token_bytes", None):
        found["token_bytes"] = _chain(token_bytes, _hex)
    return found


def _batches(tokenizer: Any) -> dict[str, Callable[[Any], Any]]:
    """Return the operations for all items of a request."""
    found: dict[str, Callable[[Any], Any]] = {}
    for name in BATCHES:
        if method := getattr(tokenizer, name, None):
            found[name] = _chain(method, _plain_rows)
    for field, op in (("encoders", "encode_variants"), ("decoders", "decode_variants")):
        if variants := getattr(tokenizer, field, None):
            found[op] = _chain(partial(results, variants), _variant_rows)
    return found


def _called(method: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    return method(*arguments)


def _chain(method: Callable[[Any], Any], to_json: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda argument: to_json(method(argument))


def _unknown(_item: Any) -> Any:
    raise NotImplementedError("the tokenizer has no such operation")


def _rows(call: Callable[[], Any], items: list[Any]) -> list[Any]:
    """Return the results of a batch; what it raises is the result of each item."""
    rows = _result(call)
    return [rows] * len(items) if isinstance(rows, dict) else rows


def _result(call: Callable[[], Any]) -> Any:
    """Return what a call gives, or the error that it raises."""
    try:
        return call()
    except BaseException as error:
        is_panic = not isinstance(error, Exception)
        return {"error": _words(error), "type": type(error).__name__, "panic": is_panic}


def _words(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:1000] or type(error).__name__
    except Exception:
        return "(its message cannot be read)"


def _plain(value: Any) -> Any:
    """Return a text, bytes, a number or ids as JSON data."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, bytes | bytearray):
        return {"bytes": bytes(value).hex()}
    return list(map(operator.index, value))


def _plain_rows(rows: Iterable[Any]) -> list[Any]:
    return list(map(_plain, rows))


def _hex(value: bytes) -> str:
    return bytes(value).hex()


def _with_offsets(value: tuple[Sequence[int], Sequence[Sequence[int]]]) -> list[Any]:
    ids, spans = value
    return [_plain(ids), [list(map(operator.index, span)) for span in spans]]


def _chunks(chunks: Iterable[Any]) -> list[Any]:
    """Return the chunks as JSON data: a text, bytes, or an object with its text and its span."""
    if isinstance(chunks, str | bytes | Mapping) or not isinstance(chunks, Iterable):
        raise TypeError(f"it returned {type(chunks).__name__} in place of a list of chunks")
    return list(map(_chunk, chunks))


def _chunk(chunk: Any) -> Any:
    if isinstance(chunk, str):
        return str.__str__(chunk)
    if isinstance(chunk, bytes | bytearray):
        return _plain(chunk)
    get = chunk.get if isinstance(chunk, Mapping) else partial(getattr, chunk)
    text, *span = (get(name, None) for name in ("text", "start", "end"))
    if not isinstance(text, str):
        raise TypeError(f"it returned a list of {type(chunk).__name__} in place of chunks")
    if not all(at is None or hasattr(at, "__index__") for at in span):
        raise TypeError("it returned a chunk whose start or end is no integer")
    return {"text": text, "span": [None if at is None else operator.index(at) for at in span]}


def _windows(windows: Iterable[Any]) -> list[Any]:
    """Return windows as JSON data: their ids, and what is known of each id."""
    if isinstance(windows, str | bytes | Mapping) or not isinstance(windows, Iterable):
        raise TypeError(f"it returned {type(windows).__name__} in place of a list of windows")
    return list(map(_window, windows))


def _window(window: Any) -> dict[str, Any]:
    names = ("ids", "parts", "offsets", "mask")
    has_keys = isinstance(window, Mapping)
    rows = (window.get(name) if has_keys else getattr(window, name, None) for name in names)
    ids, parts, offsets, mask = (None if row is None else [*row] for row in rows)
    if ids is None:
        raise TypeError(f"it returned a {type(window).__name__} without ids in place of a window")
    return {
        "ids": _plain(ids),
        "parts": parts and [None if one is None else operator.index(one) for one in parts],
        "offsets": offsets and [one and list(map(operator.index, one)) for one in offsets],
        "mask": mask and list(map(operator.index, mask)),
    }


def _text(value: Any) -> Any:
    if not isinstance(value, str | bytes | bytearray):
        raise TypeError(f"it returned {type(value).__name__} in place of a text")
    return _plain(value)


def _number(value: Any) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"it returned {type(value).__name__} in place of an integer")
    return operator.index(value)


def _variant_rows(rows: list[list[Result]]) -> list[Any]:
    return [
        [[name, None if error else _plain(given), error] for name, given, error in row]
        for row in rows
    ]


TO_JSON: dict[str, Callable[[Any], Any]] = {
    "decode_bytes": _hex,
    "encode_with_offsets": _with_offsets,
    "split": _chunks,
    "truncate": _text,
    "windows": _windows,
    "count": _number,
    "decode_stream": lambda parts: list(map(str, parts)),
    "decode_stream_calls": lambda parts: list(map(str, parts)),
    "stages": lambda stages: [[name, list(map(str, texts))] for name, texts in stages],
    "render": dict,
}
"""How the results of a method become JSON data, except for texts, numbers and ids."""


if __name__ == "__main__":
    main()
