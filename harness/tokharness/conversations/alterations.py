"""Alterations of the reference's environment: what another engine of Jinja does in one place.

If the reference with an alteration gives exactly the text of another engine, the alteration is the
cause of the difference. They were seen in minijinja 3.1 and in @huggingface/jinja 0.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.conversations.environment_changes import (
    ASCII_SPACE,
    HTML,
    JAVASCRIPT_SPACE,
    UNICODE_SPACE,
    as_json,
    as_numbers,
    few_codes,
    indents_lines,
    json_with,
    keeps_line_ends,
    lengths_in_utf16,
    lines_of_rust,
    lower_case,
    nothing,
    null_is_iterable,
    objects_are_not_iterable,
    only_lists_are_sequences,
    only_texts,
    strips_as,
    writes,
)
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.conversations.environment_changes import Environment


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
        strips_as(JAVASCRIPT_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "white space of Unicode": Alteration(
        "trim, strip and split take Unicode's white space, without U+001C to U+001F, which Python "
        "strips too",
        strips_as(UNICODE_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "white space of ASCII": Alteration(
        "trim, strip and split take ASCII's white space alone",
        strips_as(ASCII_SPACE),
        probe=TRIMMED,
        contents=SPACES,
    ),
    "strip without its argument": Alteration(
        "strip and trim take all white space, whatever characters they are given",
        strips_as(JAVASCRIPT_SPACE, takes_argument=False),
        probe=STRIPPED,
        contents=(" a\n",),
    ),
    "tojson escapes HTML": Alteration(
        "tojson escapes <, >, & and ' as Jinja's own does, and that of transformers does not",
        json_with(lambda text: text.translate(HTML)),
        probe=ENCODED,
        contents=("<&'>",),
    ),
    "tojson escapes letters": Alteration(
        "tojson escapes all characters beyond ASCII",
        json_with(str, ensure_ascii=True),
        probe=ENCODED,
        contents=("\u00e9",),
    ),
    "tojson without spaces": Alteration(
        "tojson writes no space after commas and colons",
        json_with(str, separators=(",", ":")),
        probe=ENCODED,
        contents=(DATA,),
    ),
    "tojson sorts keys": Alteration(
        "tojson sorts the keys of objects",
        json_with(str, sort_keys=True),
        probe=ENCODED,
        contents=(DATA,),
    ),
    "null is nothing": Alteration(
        "a null that the template writes is nothing, and not None",
        writes(nothing),
        probe=WRITTEN,
        contents=(None,),
    ),
    "null is iterable": Alteration(
        "null is iterable, and has no items",
        null_is_iterable,
        probe=ITERABLE,
        contents=(None,),
    ),
    "booleans in lower case": Alteration(
        "a boolean that the template writes is true or false, and not True or False",
        writes(lower_case),
        probe=WRITTEN,
        contents=(True,),
    ),
    "lists as JSON": Alteration(
        "a list or an object that the template writes is JSON, and not Python's",
        writes(as_json),
        probe=WRITTEN,
        contents=(["a", {"b": None}],),
    ),
    "lists as their texts": Alteration(
        "a list that the template writes is its texts and numbers, and an object is nothing",
        writes(only_texts),
        probe=WRITTEN,
        contents=(["a", {"b": None}],),
    ),
    "numbers of JavaScript": Alteration(
        "numbers are JavaScript's: 1.0 is 1, and integers have 53 bits",
        values=as_numbers,
        probe=ENCODED,
        contents=(1.0,),
    ),
    "length in UTF-16": Alteration(
        "the length of a text counts units of UTF-16",
        lengths_in_utf16,
        probe="{{ messages[0].content | length }}",
        contents=("\U0001f600",),
    ),
    "lines of indent end with LF": Alteration(
        "indent begins a line after LF alone, and Jinja's also after U+0085, U+2028 and others",
        indents_lines(lambda text: text.split("\n")),
        probe=INDENTED,
        contents=("a\u2028b\n",),
    ),
    "indent drops the last line end": Alteration(
        "indent begins a line after LF alone, and drops a line end at the end of a text",
        indents_lines(lines_of_rust),
        probe=INDENTED,
        contents=("a\u2028b\n",),
    ),
    "no sequence but lists": Alteration(
        "objects and texts are no sequences",
        only_lists_are_sequences,
        probe=SEQUENCE,
        contents=({"a": 1},),
    ),
    "objects are not iterable": Alteration(
        "objects are not iterable", objects_are_not_iterable, probe=ITERABLE, contents=({"a": 1},)
    ),
    "line ends of the template": Alteration(
        "the line ends of the template stay CR LF, which Jinja turns into LF",
        keeps_line_ends,
        probe="a\r\nb",
    ),
    "codes of strftime_now": Alteration(
        "strftime_now replaces the codes %Y, %m, %d, %b, %B, %H and %M alone",
        few_codes,
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
