"""Serve a target to another process, with :mod:`tokharness.targets.processes.protocol`.

``python -m tokharness.targets.processes.serve SPEC MEMORY``. The engine runs a target this way
after it crashed, or hung, the process that it shared with the checks.
"""

from __future__ import annotations

import operator
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import TokharnessError, message_of
from tokharness.targets.loading import load_target
from tokharness.targets.processes.json_lines import from_line, to_line
from tokharness.targets.processes.limits import LINUX, arm, die_with_parent, disarm, limit_memory
from tokharness.targets.processes.protocol import ITEM_OPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokharness.model import Target

__all__ = ["answer", "main", "private_lines"]

METHODS = {
    **{op: op for op in ITEM_OPS},
    "encode_bytes": "encode_bytes",
    "token_bytes": "decode_single_token_bytes",
}
"""Optional operations, and the methods that answer them for one item."""

INPUT_ENDED = 77
"""Exit code of a child that has nothing more to do."""


def main() -> None:
    """Load the target of the spec in the arguments, and answer until the input ends.

    Arguments are the spec, the limit of memory and, with ``cold``, the wish that no text be tried
    before the first question.
    """
    spec, memory, *cold = sys.argv[1:]
    lines, write = private_lines()
    questions = iter(lines)
    try:
        target = load_target(spec)
    except TokharnessError as error:
        next(questions, None)
        write({"error": str(error)})
        return
    if not cold:
        _result(target.encode, "a")  # may do at the first text what takes long
    next(questions, None)
    write(_info(target))

    def serve() -> None:
        for line in questions:
            limit_memory(os.getpid(), int(memory))
            write(answer(target, from_line(line)))

    if LINUX and len(list(Path("/proc/self/task").iterdir())) == 1:
        _in_children(serve, write)
    else:
        serve()


def _in_children(serve: Callable[[], None], write: Callable[[Any], None]) -> None:
    """Serve in a child of this loaded process, and in another when that has died.

    Only where this process has one thread, since a child would lack the others.
    """
    while True:
        child = os.fork()
        if not child:
            die_with_parent()
            serve()
            os._exit(INPUT_ENDED)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == INPUT_ENDED:
            return
        write({"died": code})


def private_lines() -> tuple[Iterable[bytes], Callable[[Any], None]]:
    """Take standard input and output for the protocol; what a target prints goes to errors.

    This process then ends with the one that started it.
    """
    die_with_parent()
    lines = os.fdopen(os.dup(0), "rb")
    out = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)

    def write(message: Any) -> None:
        out.write(to_line(message))
        out.flush()

    return lines, write


def answer(target: Target, question: dict[str, Any]) -> dict[str, Any]:
    """Answer one question about a target."""
    op = question["op"]
    items = next(question[field] for field in ("texts", "ids", "bytes") if field in question)
    arm(question["seconds"])
    try:
        if op == "encode_batch":
            return {"results": _batch(target, items)}
        if op == "encode_bytes":
            items = list(map(bytes.fromhex, items))
        function, plain = _functions(target)[op], PLAIN.get(op, _plain)
        return {"results": [_result(function, item, plain) for item in items]}
    finally:
        disarm()


def _info(target: Target) -> dict[str, Any]:
    ops = [op for op, method in METHODS.items() if target.can(method)]
    if target.can("encode_batch"):
        ops.append("encode_batch")
    return {
        "name": target.spec,
        "n_vocab": target.n_vocab,
        "special_tokens": dict(target.special_tokens),
        "normalizer": target.normalizer,
        "unicode_version": target.unicode_version,
        "ops": ops,
        "contested": {str(number): data.hex() for number, data in target.contested.items()},
    }


def _functions(target: Target) -> dict[str, Callable[[Any], Any]]:
    tokenizer = target.tokenizer
    optional = {op: getattr(tokenizer, name) for op, name in METHODS.items() if target.can(name)}
    return {**optional, "encode": target.encode, "decode": target.decode}


def _plain(value: Any) -> Any:
    """Make a result JSON can hold: text, hex of bytes, or a list of ints, which "7" is not."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        return bytes(value).hex()
    ids = list(value)
    if bool in set(map(type, ids)):  # JSON has these too, and they are no ids
        return ids
    return list(map(operator.index, ids))


def _result(function: Callable[[Any], Any], item: Any, plain: Callable[[Any], Any] = _plain) -> Any:
    try:
        return plain(function(item))
    except BaseException as error:
        panic = not isinstance(error, Exception)
        return {"error": message_of(error), "type": type(error).__name__, "panic": panic}


def _batch(target: Target, texts: list[str]) -> list[Any]:
    """Encode all at once; what that raises is the answer about each."""
    results = _result(
        target.tokenizer.encode_batch, texts, plain=lambda some: list(map(list, some))
    )
    return [results] * len(texts) if isinstance(results, dict) else results


def _with_offsets(value: Any) -> Any:
    ids, spans = value
    return [_plain(ids), [_plain(span) for span in spans]]


PLAIN: dict[str, Callable[[Any], Any]] = {
    "count": operator.index,
    "encode_with_offsets": _with_offsets,
    "decode_stream": lambda value: list(map(str, value)),
}
"""What makes results of other kinds ones that JSON can hold."""


if __name__ == "__main__":
    main()
