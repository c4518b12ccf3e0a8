"""The escape function of each kind of output: terminal, shell, CI, Markdown, markup, JSON."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from typing import TYPE_CHECKING, Any, Self, TypeGuard

from tokharness.escaping.display import (
    LINE_COMMAND,
    LOG_COMMAND,
    Escaped,
    Shown,
    escape_character,
    line_verbatim,
    sentence,
    shorten,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    import regex
    from markupsafe import Markup
    from rich.text import Text


# Text for a terminal, and for rich, which draws it.


def terminal(text: str | bytes) -> Shown:
    """Return the display form for a terminal, without control characters.

    Print it with ``rich.text.Text``: it is not escaped for rich markup, in which "[red]" is a
    command.
    """
    return visible(text)


def drawn(output: str) -> Shown:
    """Return what rich has drawn of escaped texts; no line of it is a workflow command of GitHub.

    A text that wraps, or begins a line, may begin with two colons.
    """
    lines = (f"{line.rstrip()}\n" for line in output.splitlines())
    return Shown(LINE_COMMAND.sub(r"\1\\u{3a}", "".join(lines)))


def styled(*parts: tuple[Shown, str], style: str = "") -> Text:
    """Return parts with their styles as a text that rich can draw, on a style for all of it.

    Raises:
        TypeError: a part was not escaped.

    """
    from rich.text import Text

    for part, _ in parts:
        if not isinstance(part, Shown):
            raise TypeError(f"{part!r} is not escaped")
    return Text.assemble(*parts, style=style)


# Words of a POSIX shell.


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


def _printf(value: int) -> str:
    plain = 0x20 <= value < 0x7F and chr(value) not in "-%'\\"
    return chr(value) if plain else rf"\{value:03o}"


# Messages for CI services: workflow commands of GitHub, and SARIF.

SARIF_SYNTAX = re.compile(r"\\\\|\\u\{([0-9a-f]+)\}|\\(?!x[0-9a-f]{2})|[][{}`]")


def github_command(text: Shown, *, is_property: bool = False) -> Shown:
    """Return a text as the message, or the value of a property, of a GitHub workflow command.

    Line breaks, which are ours, survive.
    """
    data = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return Shown(data.replace(":", "%3A").replace(",", "%2C") if is_property else data)


def sarif_text(text: Shown) -> Shown:
    r"""Return a text for a message of SARIF, without links, arguments or markup.

    Escapes have four or eight digits, ``\u200b``; brackets, braces and backquotes are escaped.
    """
    return Shown(SARIF_SYNTAX.sub(_sarif_escape, text))


def _sarif_escape(match: re.Match[str]) -> str:
    if match[0] in (r"\\", "\\"):  # a sentence shows a backslash as it is, Markdown does not
        return r"\\"
    code_point = int(match[1], 16) if match[1] else ord(match[0])
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"


# HTML and XML.


def html(text: str | bytes) -> Markup:
    """Return the display form for HTML text and quoted attributes.

    Put it into ``<bdi>`` to isolate its direction.
    """
    from markupsafe import escape

    return escape(visible(text))


def shown_xml(root: Element) -> Shown:
    """Return XML in ASCII in which each attribute and text is in its display form."""
    from xml.etree import ElementTree as ET

    for element in root.iter():
        element.attrib = {name: visible(value) for name, value in element.attrib.items()}
        element.text = visible(element.text or "")
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    # A line of a text may begin with two colons.
    return Shown(LINE_COMMAND.sub(r"\1&#58;", xml.decode("ascii")) + "\n")


# Cells of a spreadsheet.


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


NUMBER_SIGN = r"\\u0023"
"""The escape of a number sign in JSON, as a replacement."""

SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


def json_text(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in ASCII, in which no string is a command in the log of a CI service."""
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    return Shown(f"{LOG_COMMAND.sub(NUMBER_SIGN, text)}\n")


def shown_json(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in which each string is in its display form."""
    return json_text(_shown(value), indent=indent)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(key): _shown(item) for key, item in value.items()}
    return list(map(_shown, value)) if isinstance(value, list | tuple) else value


def split_surrogate_pairs(text: str) -> list[str]:
    """Split a text between a high surrogate and a low surrogate after it, which JSON joins."""
    return SURROGATE_PAIR.split(text)


def join_surrogate_pairs(text: str) -> str:
    """Return a text as a JSON parser reads its escapes: each surrogate pair is one character."""
    if not SURROGATE_PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def json_argument(text: str) -> str:
    r"""Return a text as JSON in one ASCII word of a POSIX shell; :func:`from_json` reads it.

    A lone surrogate is an escape, ``'"\ud800"'``. A text with a high surrogate before a low
    surrogate, which JSON would join, becomes a list: ``'["\ud83d", "\ude00"]'``.
    """
    pieces = split_surrogate_pairs(text)
    literal = json.dumps(pieces if len(pieces) > 1 else text, ensure_ascii=True)
    literal = LOG_COMMAND.sub(NUMBER_SIGN, literal)
    return "'" + literal.replace("'", r"\u0027").replace("\x7f", r"\u007f") + "'"


def from_json(argument: str) -> str:
    """Return the text of a :func:`json_argument` without the quotes of the shell.

    Raises:
        ValueError: the argument is not JSON, or neither a string nor a list of strings.

    """
    value = json.loads(argument)
    pieces = value if isinstance(value, list) else [value]
    if not all(isinstance(piece, str) for piece in pieces):
        raise ValueError("expected a JSON string, or a list of strings to be joined")
    return "".join(pieces)


PLAIN = re.compile(r"(?!.*(?:://|::|www\.))[A-Za-z0-9 .,:;+()/%=?\"'-]*")
"""Characters without a meaning in Markdown, except at the beginning of a line."""

BEGINS_BLOCK = re.compile(r"[ +=:-]|[0-9]+[.)](?: |\Z)")
"""Text that begins a list, a heading or a command of a CI service at the start of a line."""

PIECE = re.compile(
    r"""(?P<quoted>(["'])(?:\\.|(?!\2).)*\2(?![^\s,;:.)\]])  # a text, a token, or ids
    | \[[^\[\]]*\](?![^\s,;:.)]))
    | \((?=["']) | \s+ | \S+""",
    re.VERBOSE,
)

MARK_BEHIND = re.compile(r"[,;]\Z|(?<![,;:.])[:.]\Z|(?<=[^,;:.)])\)[,;:.]?\Z")


class MarkdownText(Escaped):
    """Markdown in which each value is a code span, see :func:`markdown`."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return a code span."""
        return cls(markdown(value))


def markdown(text: str | bytes, *, most: int | None = None) -> MarkdownText:
    r"""Return the display form as a Markdown code span, which is also safe in a table cell.

    Backquotes, bars and spaces that Markdown would collapse become ``\u{..}``. With ``most`` the
    text is first shortened to this many columns, see :func:`shorten`.
    """
    return _code_span(visible(text) if most is None else shorten(text, most))


def _code_span(shown: str) -> MarkdownText:
    inert = _inert().sub(lambda match: "".join(map(escape_character, match[0])), shown)
    return MarkdownText(f"`{inert or ' '}`")


def plain_markdown(text: str, *, most: int | None = None) -> MarkdownText:
    """Return a sentence or a name; quotations and text with a meaning in Markdown are code spans.

    With ``most`` the text is first shortened to this many columns, see :func:`shorten`.
    """
    shown = sentence(text)
    if most is not None and len(shown) > most:
        shown = shorten(text, most)
    whole: list[tuple[bool, str]] = []
    for is_code, piece in _pieces(shown):
        if whole and whole[-1][0] == is_code:
            piece = whole.pop()[1] + piece  # noqa: PLW2901
        elif is_code and len(whole) > 1 and whole[-1][1].isspace():
            piece = f"{whole.pop(-2)[1]}{whole.pop()[1]}{piece}"  # noqa: PLW2901
        whole.append((is_code, piece))
    return MarkdownText("").join(
        _code_span(piece) if is_code else MarkdownText(piece) for is_code, piece in whole
    )


def _pieces(shown: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a sentence, and whether each is code."""
    for found in PIECE.finditer(shown):
        piece = found[0]
        begins_block = found.start() == 0 and BEGINS_BLOCK.match(shown)
        if found["quoted"] is None and PLAIN.fullmatch(piece) and not begins_block:
            yield False, piece
            continue
        end = len(piece) if found["quoted"] else _end_of_word(piece)
        yield True, piece[:end]
        if end < len(piece):
            yield False, piece[end:]


def _end_of_word(piece: str) -> int:
    """Return where the sentence's punctuation follows a word; a pattern keeps its parentheses."""
    mark = MARK_BEHIND.search(piece)
    if mark is None or not mark.start() or (mark[0].startswith(")") and "(" in piece):
        return len(piece)
    return mark.start()


def markdown_code_line(command: str) -> MarkdownText:
    """Return a line of an indented code block, see :func:`line_verbatim`.

    A colon at the beginning is escaped, since the log of a CI service may take it for a command.
    """
    is_shown = isinstance(command, Shown) and not command.lstrip().startswith(":")
    shown = command if is_shown else line_verbatim(command.lstrip())
    if shown.startswith(":"):
        shown = Shown(f"{escape_character(':')}{shown[1:]}")
    return MarkdownText(f"    {shown}")


@cache
def _inert() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[`|]\p{M}*+|(?:(?<= )|\A) | \Z")
