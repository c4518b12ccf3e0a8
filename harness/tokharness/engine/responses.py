"""Responses of a worker that report an error.

===============================  ==================================================================
``{"error": MESSAGE}``           an error of the user: :class:`~tokharness.errors.TokharnessError`
``{"died": REASON, "detail"}``   the target's process died: :class:`~tokharness.errors.TargetDeath`
``{"internal": MESSAGE, ...}``   a bug in tokharness; ``traceback`` is that of the worker
===============================  ==================================================================
"""

from __future__ import annotations

import traceback
from typing import Any

from tokharness.errors import InternalError, TargetDeath, TokharnessError

__all__ = ["error_response", "raise_for_error"]


def error_response(error: Exception) -> dict[str, Any]:
    """Return the response for an exception of an operation."""
    if isinstance(error, TokharnessError):
        return {"error": str(error)}
    if isinstance(error, TargetDeath):
        return {"died": error.reason, "detail": error.detail}
    if isinstance(error, MemoryError):  # the target in this process has taken all of it
        return {"died": "memory limit", "detail": ""}
    text = "".join(traceback.format_exception(error))
    return {"internal": f"{type(error).__name__}: {error}", "traceback": text}


def raise_for_error(response: dict[str, Any]) -> dict[str, Any]:
    """Return a response, or raise the exception that it reports."""
    if "error" in response:
        raise TokharnessError(response["error"])
    if "died" in response:
        raise TargetDeath(response["died"], response["detail"])
    if "internal" in response:
        error = InternalError(response["internal"])
        error.add_note(response["traceback"])
        raise error
    return response
