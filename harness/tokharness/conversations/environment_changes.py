"""Changes of an environment of Jinja: what filters, tests and written values are in other engines.

Each function changes an environment, or returns a function that does, or it is what becomes of a
value.
"""

from __future__ import annotations

import functools
import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Environment = Any
"""An environment of Jinja, which is altered before it compiles a template."""

ZS = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
ASCII_SPACE = " \t\n\v\f\r"
UNICODE_SPACE = f"{ASCII_SPACE}\u0085{ZS}\u2028\u2029"
JAVASCRIPT_SPACE = f"{ASCII_SPACE}\ufeff{ZS}\u2028\u2029"

# White space that is stripped, and between words.


def strips_as(characters: str, *, takes_argument: bool = True) -> Callable[[Environment], None]:
    """Return a change of what ``trim``, ``strip`` and ``split`` take for white space."""

    def strip(side: str, text: str, chars: str | None = None) -> str:
        given = chars if chars is not None and takes_argument else characters
        stripped: str = getattr(str, side)(text, given)
        return stripped

    def split(text: str, separator: str | None = None, number: int = -1) -> list[str]:
        if separator is not None:
            return text.split(separator, number)
        stripped = text.strip(characters)
        pattern = f"[{re.escape(characters)}]+"
        return re.split(pattern, stripped, maxsplit=max(number, 0)) if stripped else []

    methods: dict[str, Any] = {
        side: functools.partial(strip, side) for side in ("strip", "lstrip", "rstrip")
    }
    if takes_argument:
        methods["split"] = split

    def trim(value: Any, chars: str | None = None) -> str:
        return strip("strip", value if isinstance(value, str) else str(value), chars)

    def change(environment: Environment) -> None:
        environment.filters["trim"] = trim
        _add_methods(environment, methods)

    return change


def _add_methods(environment: Environment, methods: Mapping[str, Callable[..., Any]]) -> None:
    """Give texts other methods, which the sandbox finds as attributes."""
    inner = environment.getattr

    def attribute(value: Any, name: str) -> Any:
        if isinstance(value, str) and name in methods:
            return functools.partial(methods[name], value)
        return inner(value, name)

    environment.getattr = attribute


# How values are written.


def writes(write: Callable[[Any], Any]) -> Callable[[Environment], None]:
    """Return a change of what a value becomes where the template writes it."""

    def change(environment: Environment) -> None:
        inner, text = environment.finalize or (lambda value: value), environment.filters["string"]
        environment.finalize = lambda value: write(inner(value))
        environment.filters["string"] = lambda value: text(write(value))

    return change


def nothing(value: Any) -> Any:
    """Return an empty text for null, and other values as they are."""
    return "" if value is None else value


def lower_case(value: Any) -> Any:
    """Return ``true`` or ``false`` for a boolean, and other values as they are."""
    return str(value).lower() if isinstance(value, bool) else value


def as_json(value: Any) -> Any:
    """Return the JSON of a list or an object, and other values as they are."""
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def only_texts(value: Any) -> Any:
    """Return the texts and numbers in a list, joined, and nothing of an object."""
    if isinstance(value, list | tuple):
        return "".join(str(only_texts(lower_case(item))) for item in value if item is not None)
    return "" if isinstance(value, dict) else value


def as_numbers(value: Any) -> Any:
    """Return plain data whose numbers are JavaScript's."""
    if isinstance(value, dict):
        return {key: as_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if type(value) is int and abs(value) > 1 << 53:
        return int(Decimal(repr(float(value))))
    return value


# Filters, and the length of a text.


def json_with(change: Callable[[str], str], **options: Any) -> Callable[[Environment], None]:
    """Return a change of what ``tojson`` writes: it gets options, and its text is changed."""

    def alter(environment: Environment) -> None:
        inner = environment.filters["tojson"]
        environment.filters["tojson"] = lambda value, *rest, **more: change(
            inner(value, *rest, **{**options, **more})
        )

    return alter


HTML = {ord(one): f"\\u{ord(one):04x}" for one in "<>&'"}


def only_lists_are_sequences(environment: Environment) -> None:
    """Make texts and objects no sequences."""
    environment.tests["sequence"] = lambda value: isinstance(value, list | tuple)


def objects_are_not_iterable(environment: Environment) -> None:
    """Make objects not iterable."""
    inner = environment.tests["iterable"]
    environment.tests["iterable"] = lambda value: not isinstance(value, dict) and inner(value)


def null_is_iterable(environment: Environment) -> None:
    """Make null iterable, and without items in a loop."""
    from jinja2 import nodes

    inner, parse = environment.tests["iterable"], environment._parse  # noqa: SLF001 - no other hook
    environment.tests["iterable"] = lambda value: value is None or inner(value)
    environment.filters["items of null"] = lambda value: () if value is None else value

    def parsed(*source: Any) -> Any:
        tree = parse(*source)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "items of null", [], [], None, None).set_lineno(
                loop.lineno
            )
        return tree

    environment._parse = parsed  # noqa: SLF001


def lengths_in_utf16(environment: Environment) -> None:
    """Count the length of a text in units of UTF-16."""

    def length(value: Any) -> int:
        return (
            len(value.encode("utf-16-le", "surrogatepass")) // 2
            if isinstance(value, str)
            else len(value)
        )

    environment.filters["length"] = environment.filters["count"] = length


def indents_lines(lines_of: Callable[[str], list[str]]) -> Callable[[Environment], None]:
    """Return a change of the lines of ``indent``."""

    def indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
        space = width if isinstance(width, str) else " " * width
        lines = lines_of(str(text))
        rest = [space + one if one or blank else one for one in lines[1:]]
        return (space if first else "") + "\n".join([*lines[:1], *rest])

    def change(environment: Environment) -> None:
        environment.filters["indent"] = indent

    return change


def lines_of_rust(text: str) -> list[str]:
    """Return the lines of a text, less the line ends and an empty last line."""
    lines = [one.removesuffix("\r") for one in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


def keeps_line_ends(environment: Environment) -> None:
    """Keep CR LF of a template; a template with LF gets CR LF."""
    environment.newline_sequence = "\r\n"


def few_codes(environment: Environment) -> None:
    """Let ``strftime_now`` replace few codes, and write the others."""
    inner = environment.globals["strftime_now"]

    def strftime_now(form: str) -> str:
        return re.sub(
            "%.",
            lambda code: inner(code.group()) if code.group()[1] in "YmdbBHM%" else code.group(),
            form,
        )

    environment.globals["strftime_now"] = strftime_now
