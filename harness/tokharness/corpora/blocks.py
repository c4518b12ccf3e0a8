"""Documents of a corpus file as columns, and which columns of a file have them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TEXT_COLUMNS = ("text", "content", "document", "body")
"""Columns that usually have the text, the most usual one first."""

LANGUAGE_COLUMNS = ("language", "lang")

TEXT_OPTION, LANGUAGE_OPTION = "--text-column", "--language-column"

ROWS_AT_ONCE = 256
"""Rows of a Parquet or Arrow file that are in memory at once."""

DocumentKind: TypeAlias = Literal["line", "file"]

NOT_UTF8 = "not UTF-8"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of a corpus are found in its files.

    Without a name of a column, a usual name is looked for. ``documents`` says what a document of a
    text file is; ``longest`` is the number of bytes beyond which a document is left out.
    """

    text_column: str | None = None
    language_column: str | None = None
    documents: DocumentKind = "line"
    longest: int = 1 << 21

    @property
    def named(self) -> list[tuple[str, str]]:
        """The options that name a column, each with the name."""
        options = (TEXT_OPTION, self.text_column), (LANGUAGE_OPTION, self.language_column)
        return [(option, name) for option, name in options if name]


@dataclass(slots=True)
class Block:
    """Some documents of a file, as columns.

    ``rows`` are numbers of lines or rows in the part, from 1; ``languages`` has None for a document
    without a language. ``bad`` has each row that holds no document, with the reason. ``empty``
    counts the documents without text, and ``last`` is the number of the last row so far.
    ``named`` counts the rows or headers that have, and those that do not have, a column that the
    user named, by its option; ``others`` are columns of those that do not have it.
    """

    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    languages: list[str | None] = field(default_factory=list)
    bad: list[tuple[str, int]] = field(default_factory=list)
    empty: int = 0
    last: int = 0
    named: Counter[tuple[str, bool]] = field(default_factory=Counter)
    others: set[str] = field(default_factory=set)

    def note_columns(self, names: Iterable[str], reading: Reading) -> None:
        """Note whether a row or a header has the columns that the user named."""
        names = set(names)
        for option, column in reading.named:
            self.named[option, column in names] += 1
            if column not in names:
                self.others |= names

    def add(self, text: Any, language: Any, row: int, reading: Reading) -> None:
        """Add a document, or say why the row has none."""
        if not isinstance(text, str):
            self.bad.append(("no text" if text is None else "no text but another value", row))
        elif not text:
            self.empty += 1
        elif 4 * len(text) > reading.longest < len(text.encode("utf-8", "replace")):
            self.bad.append((too_long(reading.longest), row))
        else:
            self.texts.append(text)
            self.rows.append(row)
            self.languages.append(language if isinstance(language, str) and language else None)


def too_long(longest: int) -> str:
    """Return the reason for which a document is left out."""
    return f"longer than {longest:,} bytes"


def column_in(named: str | None, usual: Sequence[str], names: Any) -> Any:
    """Return the named column, or the first usual one, if it is among ``names``; else None."""
    return next((name for name in ((named,) if named else usual) if name in names), None)


def missing_column(reading: Reading) -> str:
    """Return what is wrong with a row or a file without the column of the text."""
    if reading.text_column:
        return f"no column {reading.text_column!r}"
    return f"no column {', '.join(TEXT_COLUMNS[:-1])} or {TEXT_COLUMNS[-1]}: name it"
