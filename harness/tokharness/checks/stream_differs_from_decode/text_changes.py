"""Changes that a stream makes to the text that decoding all ids at once gives."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from tokharness.checks.stream_differs_from_decode.streamed import (
    REPLACEMENT,
    are_alike,
    joined,
    stream_cause,
)
from tokharness.unicode.normalization import FORMS, normalize
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

MARK = "\ufeff"
CONTROLS = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters but for tabs and line ends."""


def _as_surrogates(text: str) -> str:
    """Return a text with both surrogates of UTF-16 in place of each character above U+FFFF."""
    data = text.encode("utf-16-le", "surrogatepass")
    units = (data[place : place + 2] for place in range(0, len(data), 2))
    return "".join(unit.decode("utf-16-le", "surrogatepass") for unit in units)


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


CHANGES: dict[str, tuple[str, Callable[[str], str]]] = {
    "surrogates for characters above U+FFFF": (
        "gives two surrogates for a character above U+FFFF",
        _as_surrogates,
    ),
    "escapes of HTML": (
        "gives escapes for characters of HTML",
        lambda text: html.escape(text, quote=False),
    ),
    "escapes of HTML and of quotes": (
        "gives escapes for characters of HTML and for quotes",
        html.escape,
    ),
    "drops control characters": (
        "does not give control characters, which decode gives",
        lambda text: CONTROLS.sub("", text),
    ),
    "line ends become LF": ("gives a line feed for each other line end", _with_line_feeds),
}
"""By name, what a stream does, and the text that it gives."""


def text_changes(streamed: str, wanted: str, subject: Subject) -> Iterator[Cause]:
    """Yield the causes whose stream is the whole text with one change, the narrowest first."""
    for repeated in (_with_each_character_again(wanted), _with_each_cluster_again(wanted)):
        if repeated != wanted and are_alike(streamed, repeated):
            message = "a stream gives a character again with the combining mark that follows it"
            yield stream_cause("repeats before a combining mark", message)
            break
    if wanted.startswith(MARK) and are_alike(streamed, wanted.removeprefix(MARK)):
        message = "a stream does not give U+FEFF at its start, which it takes for a byte order mark"
        yield stream_cause("drops U+FEFF at the start", message)
    for form in FORMS:
        if streamed == normalize(form, wanted):
            yield stream_cause(f"normal form {form}", f"a stream gives the text in {form}")
            break
    yield from _of_a_character(streamed, wanted, subject)
    yield from _of_an_end(streamed, wanted, subject)
    for name, (message, change) in CHANGES.items():
        if streamed != wanted and streamed == change(wanted):
            yield stream_cause(name, f"a stream {message}")


def _of_a_character(streamed: str, wanted: str, subject: Subject) -> Iterator[Cause]:
    """Yield the cause that a stream drops or replaces a character, wherever it stands."""
    char = _changed_character(streamed, wanted)
    given, before, after = _between_letters(char, subject) if char else ("", "", "")
    if not char or not given.startswith(before) or not given.endswith(after):
        return
    size = len(given) - len(before) - len(after)
    if size in (0, 1) and given != before + char + after:
        name, how = f"U+{ord(char):04X}", "replaces" if size else "drops"
        yield stream_cause(f"{how} {name}", f"a stream {how} {name}, which decode gives")


def _of_an_end(streamed: str, wanted: str, subject: Subject) -> Iterator[Cause]:
    """Yield the cause that a stream ends at a character, wherever it stands."""
    char = wanted[len(streamed) : len(streamed) + 1] if wanted.startswith(streamed) else ""
    if not char or char == REPLACEMENT or char in streamed:
        return
    given, before, after = _between_letters(char, subject)
    if after and given == before:
        name = f"U+{ord(char):04X}"
        yield stream_cause(f"ends at {name}", f"a stream ends at {name}")


def _between_letters(char: str, subject: Subject) -> tuple[str, str, str]:
    """Return what a stream gives for a character between letters, and the text on both sides.

    All are empty if the character is not once in what decode gives, or if the stream raises.
    """
    ids = subject.encode(f"b{char}b")
    whole = None if ids is None else subject.decode(ids)
    given = joined(subject.target.call("decode_stream", ids or []))
    if whole is None or whole.count(char) != 1 or not isinstance(given, str):
        return "", "", ""
    before, _, after = whole.partition(char)
    return given, before, after


def _with_each_character_again(text: str) -> str:
    """Return what pairs of a character and its mark make: both e and e with its mark."""
    marks = [category(char)[0] == "M" for char in text]
    pairs = zip(["", *text], text, marks, strict=False)
    return "".join(before + char if is_mark else char for before, char, is_mark in pairs)


def _with_each_cluster_again(text: str) -> str:
    """Return what the text so far makes that a stream gives again with each further mark."""
    given, cluster = [], ""
    for char in text:
        cluster = cluster + char if category(char)[0] == "M" else char
        given.append(cluster)
    return "".join(given)


def _changed_character(streamed: str, wanted: str) -> str:
    """Return the only character of a text that a stream replaces or drops; "" if there is none.

    White space and U+FFFD have causes of their own.
    """
    if len(streamed) == len(wanted):
        pairs = zip(streamed, wanted, strict=True)
        changed = {other for one, other in pairs if one != other}
        kept = {one for one, other in zip(streamed, wanted, strict=True) if one == other}
        if len(changed) != 1 or changed & kept:
            return ""
    else:
        changed = set(wanted) - set(streamed)
        if len(changed) != 1 or wanted.replace(min(changed), "") != streamed:
            return ""
    [char] = changed
    return "" if char.isspace() or char == REPLACEMENT else char
