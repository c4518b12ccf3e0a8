"""Serve a target to another process, with :mod:`tokharness.targets.processes.protocol`.

``python -m tokharness.targets.processes.serve SPEC MEMORY [cold]``. The engine runs a target this
way after the target has crashed or hung the process that it shared with the checks.
"""

from __future__ import annotations

import operator
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.boundary.entry_points import BY_OPERATION, ENTRY_POINTS, Result
from tokharness.errors import TokharnessError, message_of
from tokharness.model import decoded_text
from tokharness.outcome import Raised, call
from tokharness.targets.loading import load_target
from tokharness.targets.processes.deadlines import crowding
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.limits import (
    LINUX,
    WARM_UP_SECONDS,
    arm_timer,
    die_with_parent,
    disarm_timer,
    limit_memory,
)
from tokharness.targets.processes.streams import INPUT_ENDED, ProtocolStreams, take_arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.model import Target


def main() -> None:
    """Load the target of the spec in the arguments, and serve requests until the input ends.

    The arguments are the spec and the memory limit in bytes. With ``cold`` no text is encoded
    before the first request.
    """
    spec, memory, *cold = take_arguments()
    streams = ProtocolStreams()
    requests = streams.requests()
    try:
        target = load_target(spec)
    except TokharnessError as error:
        next(requests, None)
        failure = getattr(error, "failure", "")
        streams.write({"error": str(error), "failure": failure, "kind": type(error).__name__})
        return
    if not cold:
        arm_timer(WARM_UP_SECONDS * crowding())
        _guarded(target.encode, "a")  # a warm-up: the first text may take long
        disarm_timer()
    next(requests, None)
    streams.write(_info(target))

    def serve() -> None:
        for line in requests:
            limit_memory(os.getpid(), int(memory))
            streams.write(respond(target, from_line(line)))

    # A copy of this process would share the pipes of a program.
    if LINUX and not target.has_own_process and len(list(Path("/proc/self/task").iterdir())) == 1:
        _serve_in_children(serve, streams)
    else:
        serve()


def _serve_in_children(serve: Callable[[], None], streams: ProtocolStreams) -> None:
    """Serve in a forked child of this loaded process, and in a new one after each death.

    Only for a process with a single thread: a forked child does not have the other threads.
    """
    while True:
        child = os.fork()
        if not child:
            die_with_parent()
            streams.own()
            serve()
            os._exit(INPUT_ENDED)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == INPUT_ENDED:
            return
        streams.write({"died": code})


def respond(target: Target, request: dict[str, Any]) -> dict[str, Any]:
    """Return the response to a request."""
    op = request["op"]
    items = next(request[field] for field in ("texts", "ids", "bytes") if field in request)
    arm_timer(request["seconds"])
    try:
        entry_point = BY_OPERATION[op]
        to_json = JSON_CONVERTERS.get(entry_point.gives, _to_json)
        if entry_point.takes.is_batch:
            return {"results": _batch(target, op, items, to_json)}
        if op == "encode_bytes":
            items = list(map(bytes.fromhex, items))
        function = target.decode if op == "decode" else partial(target.call, entry_point.name)
        return {"results": [_to_json_result(_guarded(function, item), to_json) for item in items]}
    finally:
        disarm_timer()


def _info(target: Target) -> dict[str, Any]:
    ops = [one.operation for one in ENTRY_POINTS[2:] if one.operation and target.can(one.name)]
    return {
        "name": target.spec,
        "n_vocab": target.n_vocab,
        "algorithm": target.algorithm,
        "unknown_id": target.unknown_id,
        "special_tokens": dict(target.special_tokens),
        "added_tokens": dict(target.added_tokens),
        "plain_setting": target.plain_setting,
        "tokens_alone": target.tokens_alone,
        "trims_offsets": target.trims_offsets,
        "stage_versions": dict(target.stage_versions),
        "normalizer": target.normalizer,
        "unicode_version": target.unicode_version,
        "ops": ops,
        "conflicting_tokens": {
            str(number): data.hex() for number, data in target.conflicting_tokens.items()
        },
    }


def _guarded(function: Callable[[Any], Any], argument: Any) -> Any:
    """Return the result or the exception; here a KeyboardInterrupt also comes from the target."""
    try:
        return function(argument)
    except KeyboardInterrupt as error:
        return Raised(error)


def _to_json(value: Any) -> Any:
    """Return a result as JSON data: text, bytes as hex, or a list of ints."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        return _hex(value)
    ids = list(value)
    if bool in set(map(type, ids)):  # JSON keeps these apart from ids
        return ids
    return list(map(operator.index, ids))


def _to_json_result(value: Any, to_json: Callable[[Any], Any] = _to_json) -> Any:
    """Return a result or an exception as JSON data."""
    result = value if isinstance(value, Raised) else call(to_json, value)
    if not isinstance(result, Raised):
        return result
    error = result.error
    panic = not isinstance(error, Exception)
    return {"error": message_of(error), "type": type(error).__name__, "panic": panic}


def _batch(target: Target, op: str, items: list[Any], to_json: Callable[[Any], Any]) -> list[Any]:
    """Encode or decode all items at once; an exception becomes the result of each item."""
    rows = _guarded(partial(target.call, op), items)
    results = _to_json_result(rows, lambda rows: list(map(to_json, rows)))
    return [results] * len(items) if isinstance(results, dict) else results


def _hex(value: Any) -> str:
    if not isinstance(value, bytes | bytearray):  # a text is no hex: its response ends the process
        raise TypeError(f"not bytes: {type(value).__name__}")
    return bytes(value).hex()


def _with_offsets(value: Any) -> Any:
    ids, spans = value
    return [_to_json(ids), [_to_json(span) for span in spans]]


def _variants(row: Any) -> Any:
    return [
        [name, {"bytes": given.hex()} if isinstance(given, bytes) else given, error]
        for name, given, error in row
    ]


JSON_CONVERTERS: dict[Result, Callable[[Any], Any]] = {
    Result.NUMBER: operator.index,
    **dict.fromkeys((Result.BYTES, Result.BYTES_OF_ID), _hex),
    Result.SPANS: _with_offsets,
    Result.PARTS: lambda value: list(map(str, value)),
    Result.PARTS_OF_CALLS: lambda value: list(map(str, value)),
    Result.STAGES: lambda value: [[stage, list(map(str, texts))] for stage, texts in value],
    Result.IDS_OF_EACH: list,
    Result.TEXT_OF_EACH: decoded_text,
    Result.IDS_OF_VARIANTS: _variants,
    Result.TEXTS_OF_VARIANTS: _variants,
}
"""Converters of results to JSON data, except for text and ids."""


if __name__ == "__main__":
    main()
