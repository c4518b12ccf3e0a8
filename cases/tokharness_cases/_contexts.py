r"""The contexts of a hostile character, which decide whether a fault shows.

A tokenizer splits text before it merges, and a pattern treats a character by its neighbours. ``"a
<c>b"`` hides what ``"<c>'s"`` reveals: 17,559 code points are letters, marks or numbers in Unicode
18.0 and were unassigned in 16.0. Measured on the pattern of o200k_base, four of the five
*sentinels* show all of them, the sentinel with digits shows the numbers, and the most obvious
contexts show none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.model import Case

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Context:
    """The text before and after a hostile piece, and how often the piece is repeated."""

    name: str
    before: str = ""
    after: str = ""
    times: int = 1

    @property
    def plain(self) -> str:
        """The context without the piece."""
        return self.before + self.after

    def around(self, piece: str) -> str:
        """Put a piece into this context."""
        return f"{self.before}{piece * self.times}{self.after}"


BASIC = (
    Context("alone"),
    Context("at the start", "", "word"),
    Context("at the end", "word"),
    Context("between letters", "a", "b"),
    Context("after a space", "a ", "b"),
    Context("before a space", "a", " b"),
    Context("doubled", times=2),
)

SENTINELS = (
    Context("before 's", "", "'s"),
    Context("before a backslash", "", "\\u"),
    Context("before a full stop", "", ".a"),
    Context("between low lines", "_", "_init"),
    Context("before digits", "", "123"),
)

ALL = BASIC + SENTINELS


def in_contexts(
    piece: str, why: str, contexts: Iterable[Context] = ALL, *, removable: bool = False
) -> Iterator[Case]:
    """Yield one case per context; with ``removable`` the twin is the context without the piece."""
    for context in contexts:
        twin = context.plain if removable else None
        yield Case(context.around(piece), f"{why}, {context.name}", twin)
