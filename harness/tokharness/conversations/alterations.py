"""Alterations of the reference's environment: what another engine of Jinja does in one place.

If the reference with an alteration gives exactly the text of another engine, the alteration is the
cause of the difference. They were seen in minijinja 3.1 and in @huggingface/jinja 0.5.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Environment = Any
"""An environment of Jinja, which is altered before it compiles a template."""

ZS = "\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
ASCII_SPACE = " \t\n\v\f\r"
UNICODE_SPACE = f"{ASCII_SPACE}\u0085{ZS}\u2028\u2029"
JAVASCRIPT_SPACE = f"{ASCII_SPACE}\ufeff{ZS}\u2028\u2029"


@dataclass(frozen=True, slots=True)
class Alteration:
    """What is changed: ``message`` says what the other engine does.

    ``change`` alters an environment, and ``values`` the variables of a template; ``role`` is that
    of the messages which are changed, if it is only one. ``probe`` is a template, and ``contents``
    those of the messages, with which an engine shows by itself whether it does this.
    """

    message: str
    change: Callable[[Environment], None] | None = None
    values: Callable[[Any], Any] | None = None
    role: str = ""
    probe: str = ""
    contents: tuple[Any, ...] = ("a",)


# White space that is stripped, and between words.


def _spaces(characters: str, *, takes_argument: bool = True) -> Callable[[Environment], None]:
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


def _writes(write: Callable[[Any], Any]) -> Callable[[Environment], None]:
    """Return a change of what a value becomes where the template writes it."""

    def change(environment: Environment) -> None:
        inner, text = environment.finalize or (lambda value: value), environment.filters["string"]
        environment.finalize = lambda value: write(inner(value))
        environment.filters["string"] = lambda value: text(write(value))

    return change


def _nothing(value: Any) -> Any:
    return "" if value is None else value


def _lower_case(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _as_json(value: Any) -> Any:
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False)
    return value


def _only_texts(value: Any) -> Any:
    """Return the texts and numbers in a list, joined, and nothing of an object."""
    if isinstance(value, list | tuple):
        return "".join(str(_only_texts(_lower_case(item))) for item in value if item is not None)
    return "" if isinstance(value, dict) else value


def _as_numbers(value: Any) -> Any:
    """Return plain data whose numbers are JavaScript's."""
    if isinstance(value, dict):
        return {key: _as_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_numbers(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if type(value) is int and abs(value) > 1 << 53:
        return int(Decimal(repr(float(value))))
    return value


# Messages, which a renderer written by hand may change first.


def _messages(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Any], Any]:
    def values(given: Any) -> Any:
        return {**given, "messages": [change(dict(one)) for one in given["messages"]]}

    return values


def _texts(change: Callable[[str], str]) -> Callable[[Any], Any]:
    """Return a change of the contents that are texts."""

    def changed(message: dict[str, Any]) -> dict[str, Any]:
        content = message.get("content")
        return {**message, "content": change(content)} if isinstance(content, str) else message

    return _messages(changed)


def _role(old: str, new: str) -> Alteration:
    def changed(message: dict[str, Any]) -> dict[str, Any]:
        return {**message, "role": new} if message.get("role") == old else message

    message = f"a message of the role {old} is rendered as one of the role {new}"
    return Alteration(message, values=_messages(changed), role=old)


def _with_content(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "content": ""} if message.get("content", 0) is None else message


def _without_null(message: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in message.items() if value is not None}


ROLES = ("system", "developer", "user", "assistant", "tool")

# Filters, and the length of a text.


def _json_with(change: Callable[[str], str], **options: Any) -> Callable[[Environment], None]:
    def alter(environment: Environment) -> None:
        inner = environment.filters["tojson"]
        environment.filters["tojson"] = lambda value, *rest, **more: change(
            inner(value, *rest, **{**options, **more})
        )

    return alter


HTML = {ord(one): f"\\u{ord(one):04x}" for one in "<>&'"}


def _tests(environment: Environment) -> None:
    environment.tests["sequence"] = lambda value: isinstance(value, list | tuple)


def _iterable(environment: Environment) -> None:
    inner = environment.tests["iterable"]
    environment.tests["iterable"] = lambda value: not isinstance(value, dict) and inner(value)


def _null_is_iterable(environment: Environment) -> None:
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


def _units(environment: Environment) -> None:
    def length(value: Any) -> int:
        return (
            len(value.encode("utf-16-le", "surrogatepass")) // 2
            if isinstance(value, str)
            else len(value)
        )

    environment.filters["length"] = environment.filters["count"] = length


def _indent(lines_of: Callable[[str], list[str]]) -> Callable[[Environment], None]:
    """Return a change of the lines of ``indent``."""

    def indent(text: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
        space = width if isinstance(width, str) else " " * width
        lines = lines_of(str(text))
        rest = [space + one if one or blank else one for one in lines[1:]]
        return (space if first else "") + "\n".join([*lines[:1], *rest])

    def change(environment: Environment) -> None:
        environment.filters["indent"] = indent

    return change


def _rust_lines(text: str) -> list[str]:
    """Return the lines of a text, less the line ends and an empty last line."""
    lines = [one.removesuffix("\r") for one in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


def _keeps_line_ends(environment: Environment) -> None:
    environment.newline_sequence = "\r\n"


def _codes(environment: Environment) -> None:
    inner = environment.globals["strftime_now"]

    def strftime_now(form: str) -> str:
        return re.sub(
            "%.",
            lambda code: inner(code.group()) if code.group()[1] in "YmdbBHM%" else code.group(),
            form,
        )

    environment.globals["strftime_now"] = strftime_now


# The table. A probe has the contents of messages, in the order of ``messages``.

TRIMMED = "{% for one in messages %}[{{ one.content | trim }}]{% endfor %}"
STRIPPED = "[{{ messages[0].content.strip('\\n') }}]"
WRITTEN = "[{{ messages[0].content }}]"
ENCODED = "{{ messages[0].content | tojson }}"
INDENTED = "{{ messages[0].content | indent(2) }}"
ITERABLE = "{{ 1 if messages[0].content is iterable else 0 }}"
SEQUENCE = "{{ 1 if messages[0].content is sequence else 0 }}"
SPACES = tuple(f"{one}a" for one in " \x1c\x85\u2003\ufeff")
DATA = {"b": [1, 2], "a": 0}

ALTERATIONS: dict[str, Alteration] = {
    "white space of JavaScript": Alteration(
        "trim, strip and split take JavaScript's white space: with U+FEFF, without U+0085 and "
        "U+001C to U+001F",
        _spaces(JAVASCRIPT_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "white space of Unicode": Alteration(
        "trim, strip and split take Unicode's white space, without U+001C to U+001F, which Python "
        "strips too",
        _spaces(UNICODE_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "white space of ASCII": Alteration(
        "trim, strip and split take ASCII's white space alone",
        _spaces(ASCII_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "strip without its argument": Alteration(
        "strip and trim take all white space, whatever characters they are given",
        _spaces(JAVASCRIPT_SPACE, takes_argument=False),
        probe=STRIPPED,
        contents=(" a\n",),
    ),
    "tojson escapes HTML": Alteration(
        "tojson escapes <, >, & and ' as Jinja's own does, and that of transformers does not",
        _json_with(lambda text: text.translate(HTML)),
        probe=ENCODED,
        contents=("<&'>",),
    ),
    "tojson escapes letters": Alteration(
        "tojson escapes all characters beyond ASCII",
        _json_with(str, ensure_ascii=True),
        probe=ENCODED,
        contents=("\u00e9",),
    ),
    "tojson without spaces": Alteration(
        "tojson writes no space after commas and colons",
        _json_with(str, separators=(",", ":")),
        probe=ENCODED,
        contents=(DATA,),
    ),
    "tojson sorts keys": Alteration(
        "tojson sorts the keys of objects",
        _json_with(str, sort_keys=True),
        probe=ENCODED,
        contents=(DATA,),
    ),
    "null is nothing": Alteration(
        "a null that the template writes is nothing, and not None",
        _writes(_nothing),
        probe=WRITTEN,
        contents=(None,),
    ),
    "null is iterable": Alteration(
        "null is iterable, and has no items",
        _null_is_iterable,
        probe=ITERABLE,
        contents=(None,),
    ),
    "booleans in lower case": Alteration(
        "a boolean that the template writes is true or false, and not True or False",
        _writes(_lower_case),
        probe=WRITTEN,
        contents=(True,),
    ),
    "lists as JSON": Alteration(
        "a list or an object that the template writes is JSON, and not Python's",
        _writes(_as_json),
        probe=WRITTEN,
        contents=(["a", {"b": None}],),
    ),
    "lists as their texts": Alteration(
        "a list that the template writes is its texts and numbers, and an object is nothing",
        _writes(_only_texts),
        probe=WRITTEN,
        contents=(["a", {"b": None}],),
    ),
    "numbers of JavaScript": Alteration(
        "numbers are JavaScript's: 1.0 is 1, and integers have 53 bits",
        values=_as_numbers,
        probe=ENCODED,
        contents=(1.0,),
    ),
    "length in UTF-16": Alteration(
        "the length of a text counts units of UTF-16",
        _units,
        probe="{{ messages[0].content | length }}",
        contents=("\U0001f600",),
    ),
    "lines of indent end with LF": Alteration(
        "indent begins a line after LF alone, and Jinja's also after U+0085, U+2028 and others",
        _indent(lambda text: text.split("\n")),
        probe=INDENTED,
        contents=("a\u2028b\n",),
    ),
    "indent drops the last line end": Alteration(
        "indent begins a line after LF alone, and drops a line end at the end of a text",
        _indent(_rust_lines),
        probe=INDENTED,
        contents=("a\u2028b\n",),
    ),
    "no sequence but lists": Alteration(
        "objects and texts are no sequences", _tests, probe=SEQUENCE, contents=({"a": 1},)
    ),
    "objects are not iterable": Alteration(
        "objects are not iterable", _iterable, probe=ITERABLE, contents=({"a": 1},)
    ),
    "line ends of the template": Alteration(
        "the line ends of the template stay CR LF, which Jinja turns into LF",
        _keeps_line_ends,
        probe="a\r\nb",
    ),
    "codes of strftime_now": Alteration(
        "strftime_now replaces the codes %Y, %m, %d, %b, %B, %H and %M alone",
        _codes,
        probe="{{ strftime_now('%S') }}",
    ),
    "null content is empty": Alteration(
        "a content that is null is rendered as an empty one",
        values=_messages(_with_content),
        probe=WRITTEN,
        contents=(None,),
    ),
    "keys with null are left out": Alteration(
        "keys of messages whose value is null are left out, as transformers 5 does",
        values=_messages(_without_null),
        probe="{{ 1 if 'content' in messages[0] else 0 }}",
        contents=(None,),
    ),
    "contents are stripped": Alteration(
        "white space around contents is stripped",
        values=_texts(str.strip),
        probe=WRITTEN,
        contents=(" a ",),
    ),
    "contents in NFC": Alteration(
        "contents are normalized to NFC",
        values=_texts(lambda text: normalize("NFC", text)),
        probe=WRITTEN,
        contents=("e\u0301",),
    ),
    **{f"the role {old} as {new}": _role(old, new) for old in ROLES for new in ROLES if new != old},
}
"""What other engines do otherwise, by the name of the cause; usual ones come first."""
