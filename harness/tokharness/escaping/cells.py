"""Cells of a spreadsheet."""

from __future__ import annotations

import re
from typing import Self, TypeGuard

from tokharness.escaping.display import Shown, escape_character, shorten, visible
from tokharness.escaping.escaped_types import Escaped


class Cell(Escaped):
    """A spreadsheet cell in ASCII that is never a formula, see :func:`spreadsheet`."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return the cell of a value."""
        return cls(spreadsheet(value))


def spreadsheet(text: str | bytes, *, most: int | None = None) -> Cell:
    r"""Return the display form in ASCII for a spreadsheet cell, which is never a formula.

    A text that could be a formula, or begins with an apostrophe, gets an apostrophe in front.
    Characters outside ASCII become ``\u{...}``, since some programs read fullwidth signs as ASCII
    signs. So does a semicolon before a sign, since it starts a new cell if it is the separator.
    With ``most`` the text is first shortened to this many columns, see :func:`shorten`.
    """
    if _is_harmless(text) and (most is None or len(text) <= most):
        return Cell(text)
    return cell(visible(text) if most is None else shorten(text, most))


def _is_harmless(text: str | bytes) -> TypeGuard[str]:
    """Whether a text has only letters and digits of ASCII, as most cells of a large table."""
    return isinstance(text, str) and text.isascii() and (text.isalnum() or not text)


def cell(shown: Shown) -> Cell:
    """Return a cell, as :func:`spreadsheet` does, for a text that is already in display form."""
    ascii_text = "".join(char if char.isascii() else escape_character(char) for char in shown)
    ascii_text = re.sub(r';(?=["\s]*[=+@-])', lambda match: escape_character(match[0]), ascii_text)
    is_formula = ascii_text.lstrip().startswith(("=", "+", "-", "@", "'"))
    return Cell(f"'{ascii_text}" if is_formula else ascii_text)
