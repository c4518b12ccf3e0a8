"""The worker process in which templates are rendered: lines of JSON in, lines of JSON out.

``{"template", "variables"}`` compiles a template. ``{"render": [[messages, options, now], ...]}``
renders conversations; each has a limit of processor time here, and the process one of memory
(:mod:`tokharness.conversations.rendering`).
"""

from __future__ import annotations

import signal
from datetime import datetime
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2.exceptions import SecurityError

from tokharness.conversations.environment import RefusedError, Template
from tokharness.errors import message_of
from tokharness.targets.processes.json_lines import from_line
from tokharness.targets.processes.streams import ProtocolStreams

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import FrameType

SECONDS = 2.0
"""Seconds of the processor for a conversation; a real template takes less than a millisecond."""

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
            template, answer = _compiled(request["template"], request["variables"])
            streams.write(answer)
        else:
            streams.write({"results": [_result(template, *one) for one in request["render"]]})


def _compiled(source: str, variables: Mapping[str, Any]) -> tuple[Template | None, dict[str, Any]]:
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return Template(source, variables), {}
    except jinja2.TemplateSyntaxError as error:
        return None, {"error": f"line {error.lineno}: {message_of(error)}"}
    except _TimeLimitError:
        return None, {"error": "it takes too long to compile"}
    except Exception as error:
        return None, {"error": f"{type(error).__name__}: {message_of(error)}"}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _result(
    template: Template | None, messages: list[Any], options: Mapping[str, Any], now: str
) -> dict[str, Any]:
    """Return the text and the generated spans, or how the template fails."""
    if template is None:
        return {"failure": "crash", "message": "it was not compiled"}
    template.now = datetime.fromisoformat(now) if now else template.loaded
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        text, spans = template.render(messages, options)
    except RefusedError as error:
        return {"failure": "refusal", "message": message_of(error), "line": _line(error)}
    except SecurityError as error:
        return {"failure": "forbidden", "message": message_of(error), "line": _line(error)}
    except _TimeLimitError as error:
        return {"failure": "time limit", "message": "", "line": _line(error)}
    except MemoryError as error:
        return {"failure": "memory limit", "message": "", "line": _line(error)}
    except Exception as error:
        message = f"{type(error).__name__}: {message_of(error)}"
        return {"failure": "crash", "message": message, "line": _line(error)}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if len(text) > MOST_CHARACTERS:
        return {"failure": "memory limit", "message": "", "line": 0}
    return {"text": text, "spans": spans}


def _line(error: BaseException) -> int:
    """Return the line of the template that raised; 0 if it is unknown."""
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == "<template>":
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


if __name__ == "__main__":
    main()
