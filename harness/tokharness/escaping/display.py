r"""The types of escaped text, and the display form, in which every character is visible.

The display form is unambiguous: a backslash of the text is doubled, so ``\u{200b}`` always means
U+200B, and ``\\u{200b}`` means the eight characters of the escape.
"""

from __future__ import annotations

import bisect
import re
from functools import cache
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    import regex


class Escaped(str):
    """A text that is escaped for one kind of output.

    ``Shown("...")`` is for words of our own source only; a test finds other calls.
    """

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Escape a value; a value that is already escaped stays."""
        raise NotImplementedError

    def format(self, *values: str | bytes | float) -> Self:  # type: ignore[override]
        """Return this template with the values in it, each value escaped."""
        cls = type(self)
        escaped = (
            value if isinstance(value, cls | int | float) else cls.of(value) for value in values
        )
        return cls(str.format(self, *escaped))

    def join(self, parts: Iterable[Self]) -> Self:  # type: ignore[override]
        """Join escaped texts."""
        return type(self)(str.join(self, parts))

    def strip(self, characters: str | None = None, /) -> Self:
        """Return the text without white space at its ends."""
        return type(self)(str.strip(self, characters))

    def capitalize(self) -> Self:
        """Return the text with its first character in upper case."""
        return type(self)(str.capitalize(self))


LOG_COMMAND = re.compile(r"#(?=#[A-Za-z]*\[)")
"""The beginning of ``##[error]`` and ``##vso[``, which CI services run anywhere in a line."""

LINE_COMMAND = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)
"""The beginning of ``::error::``, which GitHub runs if it begins a line."""


Part = TypeVar("Part", bound=str)

SHOWN_MARKS = 8
ESCAPE = re.compile(r"\\u\{|\\x[0-9a-f]")
WHOLE_ESCAPES = re.compile(r"(?:\\\\|\\u\{[0-9a-f]+\}|\\x[0-9a-f]{2}|[^\\])*")


class Shown(Escaped):
    """The display form of a text, see :func:`visible`, and our own words around it."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return the display form."""
        return cls(visible(value))


def visible(text: str | bytes) -> Shown:
    r"""Return the display form of a text or of bytes, in which every character is visible.

    Invisible characters become ``\u{...}``: controls, format characters (also bidi controls),
    surrogates, private use, unassigned code points and noncharacters, separators other than U+0020,
    default-ignorables, U+2800 and U+FFFC, which are blank, combining marks without a base, and
    combining marks after the eighth on one base. Bytes other than printable ASCII become ``\x..``.
    So does the first sign of ``##[``, which is a command in the log of a CI service.
    """
    if isinstance(text, Shown):
        return text
    if isinstance(text, bytes):
        return Shown(LOG_COMMAND.sub(r"\\x23", "".join(map(_byte, text))))
    if text.isascii() and text.isprintable() and "\\" not in text and "##" not in text:
        return Shown(text)
    return Shown(_invisible().sub(lambda match: "".join(map(escape_character, match[0])), text))


def shorten(text: str | bytes, most: int) -> Shown:
    """Return at most ``most`` columns of the display form, then "..." if the text is longer.

    An escape is never cut.
    """
    shown = visible(text)
    if len(shown) <= most:
        return shown
    lengths = range(len(text) + 1)
    fits = bisect.bisect_right(lengths, most, key=lambda end: len(visible(text[:end])))
    return Shown(f"{visible(text[: fits - 1])}...")


def truncate(text: Part, limit: int) -> Part:
    """Truncate a display form to ``limit`` characters, with "..." at the end.

    No escape is split. The result has the type of ``text``.
    """
    if len(text) <= limit:
        return text
    whole = WHOLE_ESCAPES.match(text[: limit - 3])
    return type(text)(f"{whole[0] if whole else ''}...")


def verbatim(text: str) -> Shown:
    """Return the display form of our own text with meaningful backslashes, such as a command.

    Lines of printable ASCII stay unchanged; :func:`visible` escapes other lines.
    """
    lines = text.split("\n")
    return Shown(
        "\n".join(
            line if line.isascii() and line.isprintable() else visible(line) for line in lines
        )
    )


def sentence(text: str) -> Shown:
    r"""Return a sentence of ours, or a setting of a file, in which a backslash is one: ``\p{N}``.

    If another character has to be escaped, or seems to be, :func:`visible` doubles backslashes.
    """
    if isinstance(text, Shown) or ESCAPE.search(text):
        return visible(text)
    plain = text.replace("\\", "")
    return Shown(text) if visible(plain) == plain else visible(text)


def line_verbatim(command: str) -> Shown:
    """Return a command of one line unchanged, to be copied, if it is printable ASCII.

    :func:`visible` escapes any other command.
    """
    is_plain = command.isascii() and command.isprintable() and not LOG_COMMAND.search(command)
    return Shown(command) if is_plain else visible(command)


@cache
def _invisible() -> regex.Pattern[str]:
    import regex

    hidden = r"\\\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc"
    spaces = r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
    one = f"{hidden}{spaces}"
    # Marks after an escape would combine with its closing brace, so they are escaped too.
    return regex.compile(
        rf"(?:[{one}]|(?:\A|(?<= ))\p{{M}})[{one}\p{{M}}]*+|(?<=\p{{M}}{{{SHOWN_MARKS}}})\p{{M}}++"
        rf"|{LOG_COMMAND.pattern}"
    )


def escape_character(char: str) -> str:
    """Return the escape of any character in the display form."""
    return r"\\" if char == "\\" else rf"\u{{{ord(char):x}}}"


def _byte(value: int) -> str:
    if value == 0x5C:
        return r"\\"
    return chr(value) if 0x20 <= value < 0x7F else rf"\x{value:02x}"
