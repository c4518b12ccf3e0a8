"""The first texts of a target that may be hopeless: it hangs or dies on each of them.

A run stops there unless its options say to keep going, since every other text would take as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import TargetDeath, TokharnessError
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.model import Target

__all__ = ["FIRST_TEXTS", "NoAnswerError", "require_an_answer"]

FIRST_TEXTS = ("hello", "The cat sat.", "1 + 2")
"""Plain texts; the target has an answer if one of them has ids that it decodes."""


class NoAnswerError(TokharnessError):
    """A target hangs or dies on each of the first texts.

    ``rows`` has the entry point, the text, the reason and the detail of each death.
    """

    def __init__(self, spec: str, rows: Sequence[Sequence[str]]) -> None:
        self.rows = rows
        self.spec = spec
        super().__init__(f"{spec} hangs or dies on each of the first texts: {rows[0][2]}")


def require_an_answer(target: Target) -> None:
    """Run the first texts of a target that has a process of its own, or that took all memory.

    An exception is an answer, unless it says that no memory is left.

    Raises:
        NoAnswerError: the process hangs, dies, or takes all memory on each text.

    """
    rows = []
    for text in FIRST_TEXTS:
        death = _death(target, text)
        if death is None:
            return
        stage, error = death
        rows.append([stage, text, error.reason, error.detail])
    raise NoAnswerError(target.spec, rows)


def _death(target: Target, text: str) -> tuple[str, TargetDeath] | None:
    ids = target.encode(text)
    stage, result = ("encode", ids) if isinstance(ids, Raised) else ("decode", target.decode(ids))
    error = result.error if isinstance(result, Raised) else None
    if isinstance(error, MemoryError):
        error = TargetDeath("memory limit", str(error))
    return (stage, error) if isinstance(error, TargetDeath) else None
