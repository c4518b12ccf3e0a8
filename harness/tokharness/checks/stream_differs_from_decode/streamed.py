"""The text of a stream, joined from its parts, and how it is compared with decoded text."""

from __future__ import annotations

import re
from typing import Any

from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised, call

REPLACEMENT = "\ufffd"
RUN = re.compile("\ufffd+")


class EndlessStreamError(Exception):
    """A stream yields more parts than the text can have."""


def stream_cause(problem: str, message: str, verdict: Verdict = Verdict.BUG) -> Cause:
    """Return the cause that a stream has a problem."""
    return Cause("stream", (("is", problem),), verdict, message)


class NoTextError(Exception):
    """A part of a stream is neither text nor None."""


def joined(parts: Any) -> Any:
    """Return the text of the parts of a stream, or what it raises; a part may be None for ""."""
    if isinstance(parts, Raised):
        return parts
    texts = [part for part in parts if part is not None]
    if all(isinstance(part, str) for part in texts):
        return call("".join, texts)
    return Raised(NoTextError("a part of the stream has no text"))


def are_alike(streamed: Any, wanted: str) -> bool:
    """Whether two texts are equal except for the lengths of runs of U+FFFD."""
    return streamed == wanted or (
        isinstance(streamed, str) and _short_runs(streamed) == _short_runs(wanted)
    )


def _short_runs(text: str) -> str:
    return RUN.sub(REPLACEMENT, text)
