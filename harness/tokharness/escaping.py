r"""The one place where hostile text is made safe to show.

A finding keeps the exact text; what a person sees is its display form, made by :func:`visible`. It
is never ambiguous: a backslash of the text is doubled, so ``\u{200b}`` always stands for U+200B,
and ``\\u{200b}`` for those eight characters. Each kind of output then has its own escaper.
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
    "between_surrogates",
    "cell",
    "from_json",
    "github_command",
    "html",
    "json_argument",
    "markdown",
    "shell",
    "shortened",
    "spreadsheet",
    "terminal",
    "verbatim",
    "visible",
]

_SHOWN_MARKS = 8
_SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


def visible(text: str | bytes) -> str:
    r"""Display form of a text or of bytes: every character of it shows itself, and stays itself.

    What does not show becomes ``\u{...}``: controls, format characters (the bidi controls among
    them), surrogates, private use, unassigned code points and noncharacters, separators other than
    U+0020, default-ignorables, U+2800 and U+FFFC, which are blank, combining marks without a base,
    and those after the eighth on one base. Bytes other than printable ASCII become ``\x..``.
    """
    if isinstance(text, bytes):
        return "".join(map(_byte, text))
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return str(_invisible().sub(lambda match: "".join(map(_escape, match[0])), text))


def shortened(text: str | bytes, most: int) -> str:
    """Display form of as much of a text as takes ``most`` columns, with "..." if that is not all.

    No escape is cut in two.
    """
    shown = visible(text)
    if len(shown) <= most:
        return shown
    lengths = range(len(text) + 1)
    fits = bisect.bisect_right(lengths, most, key=lambda end: len(visible(text[:end])))
    return f"{visible(text[: fits - 1])}..."


def terminal(text: str | bytes) -> str:
    """Display form for a terminal: no control reaches it. Show it with ``rich.text.Text``.

    It is no rich markup; printed as markup, "[red]" in it would be obeyed.
    """
    return visible(text)


def markdown(text: str | bytes, *, most: int | None = None) -> str:
    r"""Display form as a Markdown code span, also within a table cell, where nothing is obeyed.

    Backquotes, bars, and the spaces that a reader would collapse, become ``\u{..}``.
    With ``most`` it is :func:`shortened` to so many columns before.
    """
    shown = visible(text) if most is None else shortened(text, most)
    shown = _inert().sub(lambda match: "".join(map(_escape, match[0])), shown)
    return f"`{shown or ' '}`"


def html(text: str | bytes) -> Markup:
    """Display form for HTML text and quoted attributes; isolate its direction with ``<bdi>``."""
    from markupsafe import escape

    return escape(visible(text))


def verbatim(text: str) -> str:
    """Display form of what is ours, such as a command, whose backslashes mean something.

    Lines of printable ASCII stay as they are, others are as :func:`visible` has them.
    """
    lines = text.split("\n")
    return "\n".join(
        line if line.isascii() and line.isprintable() else visible(line) for line in lines
    )


def spreadsheet(text: str | bytes, *, most: int | None = None) -> str:
    r"""Display form in ASCII for a cell of a spreadsheet, which takes it for no formula.

    What a spreadsheet may take for a formula begins with an apostrophe; other characters than ASCII
    ones, among which are the fullwidth signs that some read as those, are ``\u{...}``. So is a
    semicolon before a sign: where it separates cells, the next one began there. With ``most`` it is
    :func:`shortened` to so many columns before.
    """
    return cell(visible(text) if most is None else shortened(text, most))


def cell(shown: str) -> str:
    """Make a cell, as :func:`spreadsheet` does, of what is in display form already."""
    shown = "".join(one if one.isascii() else _escape(one) for one in shown)
    shown = re.sub(r';(?=["\s]*[=+@-])', lambda match: _escape(match[0]), shown)
    return f"'{shown}" if shown.lstrip().startswith(("=", "+", "-", "@")) else shown


def github_command(text: str, *, is_property: bool = False) -> str:
    """Write the message, or the value of a property, of a GitHub workflow command.

    Line breaks survive. Hostile pieces of the text have to be made :func:`visible` before.
    """
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if is_property else text


def shell(argument: str) -> str:
    r"""One word of a POSIX shell, in printable ASCII (and line feeds at the end of an argument).

    Bytes of undecodable arguments are surrogates, as in ``os.fsdecode``.

    Raises:
        ValueError: no argument can hold this text: it has a NUL or another lone surrogate.

    """
    if "\0" in argument:
        raise ValueError("no argument can hold U+0000")
    if argument.isascii() and argument.isprintable():
        return shlex.quote(argument)
    body = argument.rstrip("\n")
    octal = "".join(map(_printf, body.encode("utf-8", "surrogateescape")))
    # A command substitution drops line feeds at its end, so these stand behind it.
    ends = argument[len(body) :]
    return (f"\"$(printf '{octal}')\"" if body else "") + (f"'{ends}'" if ends else "")


def between_surrogates(text: str) -> list[str]:
    """Cut a text between each high surrogate and a low one after it, which JSON would join."""
    return _SURROGATE_PAIR.split(text)


def json_argument(text: str) -> str:
    r"""One word of any POSIX shell, pure ASCII, that holds a text as JSON; see :func:`from_json`.

    A lone surrogate is an escape, ``'"\ud800"'``. A high surrogate right before a low one, which
    JSON would join, splits the text into a list: ``'["\ud83d", "\ude00"]'``.
    """
    pieces = between_surrogates(text)
    literal = json.dumps(pieces if len(pieces) > 1 else text, ensure_ascii=True)
    return "'" + literal.replace("'", r"\u0027").replace("\x7f", r"\u007f") + "'"


def from_json(argument: str) -> str:
    """Text of what :func:`json_argument` wrote, the shell's quotes taken off.

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
    # Marks that follow what is escaped would sit on its closing brace, so they go along.
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
