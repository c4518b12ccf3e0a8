"""Tokens whose occurrences longer tokens take, and the finding about all such tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

MOST_SHOWN, MOST_IDS = 50, 1000


@dataclass(frozen=True, slots=True)
class TakenToken:
    """A token, and the longer token that takes most of its places.

    ``times`` counts the longer tokens in the token's places; None if nothing was counted.
    """

    number: int
    text: str
    user: int
    user_text: str
    times: int | None = None

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        counted = {} if self.times is None else {"times": self.times}
        return {
            "token": self.text,
            "its id": self.number,
            **counted,
            "inside of": self.user_text,
            "id of that": self.user,
        }


def risk_of(kind: str, message: str, found: Sequence[TakenToken], tokens: Sized) -> Failure:
    """Return the risk that a share of all ``tokens`` are taken tokens of a kind."""
    return Failure(
        Cause(kind, (), Verdict.RISK, message),
        count=len(found),
        text=min((one.text for one in found), key=lambda text: (len(text), text)),
        evidence={
            "tokens": len(tokens),
            "ids": [one.number for one in found[:MOST_IDS]],
            "examples": [one.record() for one in found[:MOST_SHOWN]],
        },
        tokens={"": [one.number for one in found]},
    )
