r"""Escape hostile text for display; no other module does.

A finding keeps the exact text. Users see its display form, the result of :func:`visible`, which is
unambiguous: a backslash of the text is doubled, so ``\u{200b}`` always means U+200B, and
``\\u{200b}`` those eight characters. Each kind of output has its own escape function on top.
"""

from __future__ import annotations

import bisect
import json
import re
import shlex
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex
    from markupsafe import Markup

__all__ = [
    "cell",
    "from_json",
    "github_command",
    "html",
    "json_argument",
    "markdown",
    "shell",
    "shorten",
    "split_surrogate_pairs",
    "spreadsheet",
    "terminal",
    "verbatim",
    "visible",
]

_SHOWN_MARKS = 8
_SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


def visible(text: str | bytes) -> str:
    r"""Return the display form of a text or of bytes, in which every character is visible.

    Invisible characters become ``\u{...}``: controls, format characters (also bidi controls),
    surrogates, private use, unassigned code points and noncharacters, separators other than U+0020,
    default-ignorables, U+2800 and U+FFFC, which are blank, combining marks without a base, and
    combining marks after the eighth on one base. Bytes other than printable ASCII become ``\x..``.
    """
    if isinstance(text, bytes):
        return "".join(map(_byte, text))
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return str(_invisible().sub(lambda match: "".join(map(_escape, match[0])), text))


def shorten(text: str | bytes, most: int) -> str:
    """Return at most ``most`` columns of the display form, then "..." if the text is longer.

    An escape is never cut.
    """
    shown = visible(text)
    if len(shown) <= most:
        return shown
    lengths = range(len(text) + 1)
    fits = bisect.bisect_right(lengths, most, key=lambda end: len(visible(text[:end])))
    return f"{visible(text[: fits - 1])}..."


def terminal(text: str | bytes) -> str:
    """Return the display form for a terminal, without control characters.

    Print it with ``rich.text.Text``: it is not escaped for rich markup, in which "[red]" is a
    command.
    """
    return visible(text)


def markdown(text: str | bytes, *, most: int | None = None) -> str:
    r"""Return the display form as a Markdown code span, which is also safe in a table cell.

    Backquotes, bars and spaces that Markdown would collapse become ``\u{..}``. With ``most`` the
    text is first shortened to this many columns, see :func:`shorten`.
    """
    shown = visible(text) if most is None else shorten(text, most)
    shown = _inert().sub(lambda match: "".join(map(_escape, match[0])), shown)
    return f"`{shown or ' '}`"


def html(text: str | bytes) -> Markup:
    """Return the display form for HTML text and quoted attributes.

    Put it into ``<bdi>`` to isolate its direction.
    """
    from markupsafe import escape

    return escape(visible(text))


def verbatim(text: str) -> str:
    """Return the display form of our own text with meaningful backslashes, such as a command.

    Lines of printable ASCII stay unchanged; :func:`visible` escapes the others.
    """
    lines = text.split("\n")
    return "\n".join(
        line if line.isascii() and line.isprintable() else visible(line) for line in lines
    )


def spreadsheet(text: str | bytes, *, most: int | None = None) -> str:
    r"""Return the display form in ASCII for a spreadsheet cell, which is never a formula.

    A text that could be a formula gets an apostrophe in front. Characters outside ASCII become
    ``\u{...}``, since some programs read fullwidth signs as ASCII ones. So does a semicolon before
    a sign, since it starts a new cell where it is the separator. With ``most`` the text is first
    shortened to this many columns, see :func:`shorten`.
    """
    return cell(visible(text) if most is None else shorten(text, most))


def cell(shown: str) -> str:
    """Return a cell, as :func:`spreadsheet` does, for a text that is already in display form."""
    shown = "".join(char if char.isascii() else _escape(char) for char in shown)
    shown = re.sub(r';(?=["\s]*[=+@-])', lambda match: _escape(match[0]), shown)
    return f"'{shown}" if shown.lstrip().startswith(("=", "+", "-", "@")) else shown


def github_command(text: str, *, is_property: bool = False) -> str:
    """Return a text as the message, or the value of a property, of a GitHub workflow command.

    Line breaks survive. Pass hostile parts of the text through :func:`visible` first.
    """
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text


def shell(argument: str) -> str:
    r"""Return a text as one word of a POSIX shell, in printable ASCII.

    Only line feeds at the end of the text are literal. Undecodable bytes of an argument are
    surrogates, as in ``os.fsdecode``.

    Raises:
        ValueError: the text cannot be an argument: it has a NUL or another lone surrogate.

    """
    if "\0" in argument:
        raise ValueError("no argument can hold U+0000")
    if argument.isascii() and argument.isprintable():
        return shlex.quote(argument)
    body = argument.rstrip("\n")
    octal = "".join(map(_printf, body.encode("utf-8", "surrogateescape")))
    # A command substitution drops line feeds at its end, so these follow it.
    ends = argument[len(body) :]
    return (f"\"$(printf '{octal}')\"" if body else "") + (f"'{ends}'" if ends else "")


def split_surrogate_pairs(text: str) -> list[str]:
    """Split a text between a high surrogate and the low one after it, which JSON would join."""
    return _SURROGATE_PAIR.split(text)


def json_argument(text: str) -> str:
    r"""Return a text as JSON in one ASCII word of a POSIX shell; :func:`from_json` reads it.

    A lone surrogate is an escape, ``'"\ud800"'``. A text with a high surrogate before a low one,
    which JSON would join, becomes a list: ``'["\ud83d", "\ude00"]'``.
    """
    pieces = split_surrogate_pairs(text)
    literal = json.dumps(pieces if len(pieces) > 1 else text, ensure_ascii=True)
    return "'" + literal.replace("'", r"\u0027").replace("\x7f", r"\u007f") + "'"


def from_json(argument: str) -> str:
    """Return the text of a :func:`json_argument` without the quotes of the shell.

    Raises:
        ValueError: it is not JSON, or neither a string nor a list of strings.

    """
    value = json.loads(argument)
    pieces = value if isinstance(value, list) else [value]
    if not all(isinstance(piece, str) for piece in pieces):
        raise ValueError("expected a JSON string, or a list of strings to be joined")
    return "".join(pieces)


@cache
def _invisible() -> regex.Pattern[str]:
    import regex

    hidden = r"\\\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc"
    spaces = r"\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
    one = f"{hidden}{spaces}"
    # Marks after an escape would combine with its closing brace, so they are escaped too.
    return regex.compile(
        rf"(?:[{one}]|(?:\A|(?<= ))\p{{M}})[{one}\p{{M}}]*+|(?<=\p{{M}}{{{_SHOWN_MARKS}}})\p{{M}}++"
    )


@cache
def _inert() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[`|]\p{M}*+|(?:(?<= )|\A) | \Z")


def _escape(char: str) -> str:
    return r"\\" if char == "\\" else rf"\u{{{ord(char):x}}}"


def _byte(value: int) -> str:
    if value == 0x5C:
        return r"\\"
    return chr(value) if 0x20 <= value < 0x7F else rf"\x{value:02x}"


def _printf(value: int) -> str:
    plain = 0x20 <= value < 0x7F and chr(value) not in "-%'\\"
    return chr(value) if plain else rf"\{value:03o}"
