"""A target that is there and does not load, which is a fault of it if something else loads."""

from __future__ import annotations

from tokharness.errors import TokharnessError

__all__ = ["NotLoadedError"]


class NotLoadedError(TokharnessError):
    """A target fails while it is loaded, for a reason of its own.

    ``failure`` is that of :class:`~tokharness.errors.TargetError`. ``other`` is the spec of the
    reference if that loads, and "" without one.
    """

    def __init__(self, spec: str, failure: str, message: str, other: str = "") -> None:
        self.spec, self.failure, self.other = spec, failure, other
        super().__init__(message)
