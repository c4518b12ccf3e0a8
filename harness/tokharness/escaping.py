r"""Escape hostile text for display; no other module does.

The types of escaped text, :class:`Shown`, :class:`MarkdownText` and :class:`Cell`, are what the
formats write: a value gets one of them only here, so that mypy reports a value that is written
unescaped.

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
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

    import regex
    from markupsafe import Markup
    from rich.text import Text

__all__ = [
    "Cell",
    "MarkdownText",
    "Shown",
    "cell",
    "drawn",
    "from_json",
    "github_command",
    "html",
    "json_argument",
    "json_text",
    "line_verbatim",
    "markdown",
    "plain_markdown",
    "sarif_text",
    "shell",
    "shorten",
    "shown_json",
    "shown_xml",
    "split_surrogate_pairs",
    "spreadsheet",
    "styled",
    "terminal",
    "truncate",
    "verbatim",
    "visible",
]

Part = TypeVar("Part", bound=str)

UNICODE_NUMBER_SIGN = r"\\u0023"
"""The escape of a number sign in JSON, as a replacement."""

_SHOWN_MARKS = 8
_WHOLE_ESCAPES = re.compile(r"(?:\\\\|\\u\{[0-9a-f]+\}|\\x[0-9a-f]{2}|[^\\])*")
_PLAIN_MARKDOWN = re.compile(r"(?!.*(?:://|::|www\.))[A-Za-z0-9%][A-Za-z0-9 .,:;+()/%-]*")
_LOG_COMMAND = re.compile(r"#(?=#[A-Za-z]*\[)")
"""How ``##[error]`` and ``##vso[`` begin, which CI services run wherever they are in a line."""
_LINE_COMMAND = re.compile(r"^((?:\s|\x1b\[[0-9;]*m)*):(?=:)", re.MULTILINE)
"""How ``::error::`` begins, which GitHub runs if it begins a line."""
_SARIF_SYNTAX = re.compile(r"\\\\|\\u\{([0-9a-f]+)\}|[][{}`]")
_SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


class _Escaped(str):
    """A text that is escaped for one kind of output.

    ``Shown("...")`` is for words of our own source only; a test finds other calls.
    """

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Escape a value; one that is escaped already stays."""
        raise NotImplementedError

    def format(self, *values: str | bytes | float) -> Self:  # type: ignore[override]
        """Return this template with the values in it, each of them escaped."""
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


class Shown(_Escaped):
    """The display form of a text, see :func:`visible`, and our own words around it."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return the display form."""
        return cls(visible(value))


class MarkdownText(_Escaped):
    """Markdown in which each value is a code span, see :func:`markdown`."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return a code span."""
        return cls(markdown(value))


class Cell(_Escaped):
    """A spreadsheet cell in ASCII that is never a formula, see :func:`spreadsheet`."""

    __slots__ = ()

    @classmethod
    def of(cls, value: str | bytes) -> Self:
        """Return the cell of a value."""
        return cls(spreadsheet(value))


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
        return Shown(_LOG_COMMAND.sub(r"\\x23", "".join(map(_byte, text))))
    if text.isascii() and text.isprintable() and "\\" not in text and "##" not in text:
        return Shown(text)
    return Shown(_invisible().sub(lambda match: "".join(map(_escape, match[0])), text))


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
    whole = _WHOLE_ESCAPES.match(text[: limit - 3])
    return type(text)(f"{whole[0] if whole else ''}...")


def terminal(text: str | bytes) -> Shown:
    """Return the display form for a terminal, without control characters.

    Print it with ``rich.text.Text``: it is not escaped for rich markup, in which "[red]" is a
    command.
    """
    return visible(text)


def markdown(text: str | bytes, *, most: int | None = None) -> MarkdownText:
    r"""Return the display form as a Markdown code span, which is also safe in a table cell.

    Backquotes, bars and spaces that Markdown would collapse become ``\u{..}``. With ``most`` the
    text is first shortened to this many columns, see :func:`shorten`.
    """
    shown = visible(text) if most is None else shorten(text, most)
    inert = _inert().sub(lambda match: "".join(map(_escape, match[0])), shown)
    return MarkdownText(f"`{inert or ' '}`")


def plain_markdown(text: str) -> MarkdownText:
    """Return words without a meaning in Markdown unchanged, and anything else as :func:`markdown`.

    So are the names of checks, families and packages.
    """
    return MarkdownText(text) if _PLAIN_MARKDOWN.fullmatch(text) else markdown(text)


def html(text: str | bytes) -> Markup:
    """Return the display form for HTML text and quoted attributes.

    Put it into ``<bdi>`` to isolate its direction.
    """
    from markupsafe import escape

    return escape(visible(text))


def verbatim(text: str) -> Shown:
    """Return the display form of our own text with meaningful backslashes, such as a command.

    Lines of printable ASCII stay unchanged; :func:`visible` escapes the others.
    """
    lines = text.split("\n")
    return Shown(
        "\n".join(
            line if line.isascii() and line.isprintable() else visible(line) for line in lines
        )
    )


def line_verbatim(command: str) -> Shown:
    """Return a command of one line unchanged, to be copied, if it is printable ASCII.

    :func:`visible` escapes another one.
    """
    is_plain = command.isascii() and command.isprintable() and not _LOG_COMMAND.search(command)
    return Shown(command) if is_plain else visible(command)


def drawn(output: str) -> Shown:
    """Return what rich has drawn of escaped texts; no line of it is a workflow command of GitHub.

    A text that wraps, or begins a line, may begin with two colons.
    """
    lines = (f"{line.rstrip()}\n" for line in output.splitlines())
    return Shown(_LINE_COMMAND.sub(r"\1\\u{3a}", "".join(lines)))


def json_text(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in ASCII, in which no string is a command in the log of a CI service."""
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    return Shown(f"{_LOG_COMMAND.sub(UNICODE_NUMBER_SIGN, text)}\n")


def shown_json(value: Any, *, indent: int | None = None) -> Shown:
    """Return data as JSON in which each string is in its display form."""
    return json_text(_shown(value), indent=indent)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(key): _shown(item) for key, item in value.items()}
    return list(map(_shown, value)) if isinstance(value, list | tuple) else value


def shown_xml(root: Element) -> Shown:
    """Return XML in ASCII in which each attribute and text is in its display form."""
    from xml.etree import ElementTree as ET

    for element in root.iter():
        element.attrib = {name: visible(value) for name, value in element.attrib.items()}
        element.text = visible(element.text or "")
    ET.indent(root)
    xml: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    # A line of a text may begin with two colons.
    return Shown(_LINE_COMMAND.sub(r"\1&#58;", xml.decode("ascii")) + "\n")


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


def spreadsheet(text: str | bytes, *, most: int | None = None) -> Cell:
    r"""Return the display form in ASCII for a spreadsheet cell, which is never a formula.

    A text that could be a formula gets an apostrophe in front. Characters outside ASCII become
    ``\u{...}``, since some programs read fullwidth signs as ASCII ones. So does a semicolon before
    a sign, since it starts a new cell where it is the separator. With ``most`` the text is first
    shortened to this many columns, see :func:`shorten`.
    """
    return cell(visible(text) if most is None else shorten(text, most))


def cell(shown: Shown) -> Cell:
    """Return a cell, as :func:`spreadsheet` does, for a text that is already in display form."""
    ascii_text = "".join(char if char.isascii() else _escape(char) for char in shown)
    ascii_text = re.sub(r';(?=["\s]*[=+@-])', lambda match: _escape(match[0]), ascii_text)
    is_formula = ascii_text.lstrip().startswith(("=", "+", "-", "@"))
    return Cell(f"'{ascii_text}" if is_formula else ascii_text)


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
    return Shown(_SARIF_SYNTAX.sub(_sarif_escape, text))


def _sarif_escape(match: re.Match[str]) -> str:
    if match[0] == r"\\":
        return match[0]
    code_point = int(match[1], 16) if match[1] else ord(match[0])
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"


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
    literal = _LOG_COMMAND.sub(UNICODE_NUMBER_SIGN, literal)
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
        rf"|{_LOG_COMMAND.pattern}"
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
