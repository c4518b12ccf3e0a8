"""The states of a token."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ALONE", "IN_CONTEXT", "NOT_REACHED", "UNREACHABLE", "Reach"]

ALONE = "alone"
IN_CONTEXT = "in context"
UNREACHABLE = "unreachable"
NOT_REACHED = "not reached"


@dataclass(frozen=True, slots=True)
class Reach:
    """Which text holds a token.

    Attributes:
        state: ``alone``: the token's own text is encoded to it alone. ``in context``: another text
            is encoded to ids with it. ``unreachable``: no text is, which is proven. ``not
            reached``: no text that was tried is.
        witness: A text that the target encodes to ids with the token; "" without one.
        reason: Why it is unreachable, or how many texts were tried; "" if there is a witness.

    """

    state: str
    witness: str = ""
    reason: str = ""
