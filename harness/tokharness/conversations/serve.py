"""The worker process in which templates are rendered: lines of JSON in, lines of JSON out.

``{"template", "variables", "code"}`` compiles a template, or takes its code from another worker,
``{"syntax"}`` makes the digest of one, and ``{"facts"}`` says what its syntax tree shows.
``{"render": [row, ...]}`` renders conversations; a row is the base64 of ``[messages, options, now,
altered]`` as ``marshal`` writes it, which is read faster than JSON. Each has a limit of processor
time here, and the process one of memory (:mod:`tokharness.conversations.rendering`).
"""

from __future__ import annotations

import marshal
import signal
from base64 import b64decode, b64encode
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import jinja2
from jinja2.exceptions import SecurityError

from tokharness.conversations.environment import RefusedError, Template, line_of
from tokharness.conversations.statements import statements_of
from tokharness.conversations.syntax import facts_of, syntax_digest, tree_of
from tokharness.errors import message_of
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.streams import ProtocolStreams

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

Shown = TypeVar("Shown")

SECONDS = 1.0
"""Seconds of the processor for a conversation; a real template takes less than a millisecond."""

MOST_EXCEEDED = 3
"""Conversations of a template that may exceed a limit; then no further one is tried."""

NOT_COMPILED = "it does not compile as Jinja:"
NOT_TRIED = "not tried"
LIMITS = ("time limit", "memory limit", "death")

MOST_CHARACTERS = 1 << 22
"""Most characters of a rendering."""


class _TimeLimitError(BaseException):
    """A rendering takes too long."""


def _end(_: int, __: FrameType | None) -> None:
    raise _TimeLimitError


def main() -> None:
    """Serve requests until the input ends."""
    streams = ProtocolStreams()
    signal.signal(signal.SIGVTALRM, _end)
    template: Template | None = None
    for line in streams.requests():
        request = from_line(line)
        if "template" in request:
            template, answer = _compiled(**request)
            streams.write(answer)
        elif "syntax" in request:
            streams.write({"digest": _limited(syntax_digest, request["syntax"], "")})
        elif "facts" in request:
            nothing: dict[str, Any] = {}
            streams.write({"facts": _limited(_facts, request["facts"], nothing)})
        else:
            streams.write({"results": _results(template, request["render"])})


def _compiled(
    template: str, variables: Mapping[str, Any], code: str
) -> tuple[Template | None, dict[str, Any]]:
    """Return a template with its code, or how it fails; in base64, as lines are texts."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        known = marshal.loads(b64decode(code)) if code else None  # noqa: S302 - as its source
        compiled = Template(template, variables, code=known)
        return compiled, {"code": code or b64encode(marshal.dumps(compiled.code)).decode()}
    except jinja2.TemplateSyntaxError as error:
        message = f"{NOT_COMPILED} {message_of(error)}"
        return None, {"failure": "crash", "message": message, "line": error.lineno or 0}
    except _TimeLimitError:
        return None, {"failure": "time limit", "message": "while it is compiled"}
    except MemoryError:
        return None, {"failure": "memory limit", "message": "while it is compiled"}
    except Exception as error:
        message = f"{NOT_COMPILED} {type(error).__name__}: {message_of(error)}"
        return None, {"failure": "crash", "message": message}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _facts(source: str) -> dict[str, Any]:
    tree = tree_of(source)
    return {**facts_of(tree), "statements": statements_of(tree)}


def _limited(read: Callable[[str], Shown], source: str, instead: Shown) -> Shown:
    """Return what a template shows; something else if it cannot be parsed within the limits."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return read(source)
    except (Exception, _TimeLimitError):
        return instead
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _results(template: Template | None, rows: list[str]) -> list[dict[str, Any]]:
    """Return the result of each conversation, until too many have exceeded a limit."""
    results: list[dict[str, Any]] = []
    exceeded = 0
    for row in rows:
        if exceeded >= MOST_EXCEEDED:
            results.append({"failure": NOT_TRIED, "message": ""})
        else:
            conversation = marshal.loads(b64decode(row))  # noqa: S302 - of the process that asks
            results.append(_result(template, *conversation))
            exceeded += results[-1].get("failure") in LIMITS
    return results


def _result(
    template: Template | None,
    messages: list[Any],
    options: Mapping[str, Any],
    now: str,
    altered: list[str],
) -> dict[str, Any]:
    """Return the text and the generated spans, or how the template fails."""
    if template is None:
        return {"failure": "crash", "message": "it was not compiled"}
    template.now = datetime.fromisoformat(now) if now else template.loaded
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        text, spans = template.render_altered(messages, options, altered)
    except RefusedError as error:
        return {"failure": "refusal", "message": message_of(error), "line": line_of(error)}
    except SecurityError as error:
        return {"failure": "forbidden", "message": message_of(error), "line": line_of(error)}
    except _TimeLimitError as error:
        return {"failure": "time limit", "message": "", "line": line_of(error)}
    except MemoryError as error:
        return {"failure": "memory limit", "message": "", "line": line_of(error)}
    except Exception as error:
        message = f"{type(error).__name__}: {message_of(error)}"
        return {"failure": "crash", "message": message, "line": line_of(error)}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if len(text) > MOST_CHARACTERS:
        return {"failure": "memory limit", "message": "", "line": 0}
    return {"text": text, "spans": spans}


if __name__ == "__main__":
    main()
