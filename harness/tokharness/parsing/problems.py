"""What a check finds on a stream, and how the events of two cuttings differ."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from tokharness.parsing.parser import ENDS, NO_EVENTS, NOT_TRIED
from tokharness.parsing.streams import single_deltas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause
    from tokharness.parsing.parser import Deltas, Parsed, Parser, Stream

REPLACEMENT = "\ufffd"
MOST_SHOWN = 40
LIKE_A_MARKER = r"<[^<>]+>|\[/?[A-Z_]+\]|```(?:\w+\n)?"
"""Text that is a marker in a format that models are trained on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A cause, with the deltas that show it; ``needs_others`` if only with other streams."""

    cause: Cause
    deltas: Deltas
    evidence: Mapping[str, Any] = field(default_factory=dict)
    needs_others: bool = False


def text_of(stream: Stream) -> str:
    """Return the text of a stream; of ids their numbers."""
    if isinstance(stream, bytes):
        return stream.decode("utf-8", "replace")
    return stream if isinstance(stream, str) else " ".join(map(str, stream))


def shown_events(parsed: Parsed) -> Any:
    """Return events as they stand in the evidence of a finding; of a failure its message."""
    if parsed.events is None:
        return f"{parsed.failure}: {parsed.message}"
    return [list(event) for event in parsed.events[:MOST_SHOWN]]


def change(one: Parsed, other: Parsed, stream: Stream, markers: Sequence[str]) -> str:
    """Return how the events of two cuttings of a stream differ; "" if they do not."""
    if one.failure or other.failure:
        return _change_of_failures(one, other)
    if one.events == other.events:
        return ""
    if one.by_field() == other.by_field():
        return "the order of events"
    if one.text == other.text:
        return "the field of a text"
    if _has_parts_of_characters(one.text, other.text, text_of(stream)):
        return "U+FFFD for parts of a character"
    shorter, longer = sorted((one, other), key=lambda parsed: len(parsed.text))
    if not _is_subsequence(shorter.text, longer.text):
        return "other text"
    return _addition(shorter, longer, text_of(stream), markers)


def _change_of_failures(one: Parsed, other: Parsed) -> str:
    names = {one.failure, other.failure} - {""}
    if one.failure == other.failure or NOT_TRIED in names:
        return ""
    name = min(names)
    return name if name in (*ENDS, NO_EVENTS) else f"raises {name}"


def _addition(shorter: Parsed, longer: Parsed, stream: str, markers: Sequence[str]) -> str:
    """Return what the longer events have in addition, or the shorter ones have lost."""
    marker = re.compile("|".join((*map(re.escape, filter(None, markers)), LIKE_A_MARKER)))
    if marker.sub("", shorter.text) == marker.sub("", longer.text):
        return "a marker as text"
    given, content = (marker.sub("", text) for text in (longer.text, stream))
    matcher = SequenceMatcher(None, shorter.text, longer.text, autojunk=False)
    added = [longer.text[c:d] for tag, _, _, c, d in matcher.get_opcodes() if tag != "equal"]
    parts = [part for text in added if (part := marker.sub("", text))]
    is_more = bool(Counter(longer.text) - Counter(stream))
    if is_more or all(
        part in shorter.text and given.count(part) > content.count(part) for part in parts
    ):
        return "text twice" if _is_in_its_field(parts, shorter, longer) else "text in two fields"
    start = "".join(added)
    if start not in content and any(one.startswith(start) and one in stream for one in markers):
        return "a marker as text"
    return "lost text"


def _is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(char in rest for char in part)


def _is_in_its_field(parts: Sequence[str], shorter: Parsed, longer: Parsed) -> bool:
    """Whether what the longer events have in addition stands in a field that has it already."""
    before = shorter.by_field()
    if longer.by_field().keys() == before.keys() and len(before) == 1:
        return True
    changed = [name for name, text in longer.by_field().items() if text != before.get(name)]
    return any(part in before.get(name, "") for name in changed for part in parts)


def _has_parts_of_characters(one: str, other: str, stream: str) -> bool:
    """Whether the text with more U+FFFD has them in the place of characters."""
    less, more = sorted((one, other), key=lambda text: text.count(REPLACEMENT))
    numbers = [text.count(REPLACEMENT) for text in (less, more, stream)]
    if numbers[0] == numbers[1]:
        return False
    rests = [len(text) - number for text, number in zip((less, more), numbers, strict=False)]
    return rests[1] < rests[0] or (rests[1] == rests[0] and numbers[1] > numbers[2])


def are_read_alike(parser: Parser, rows: Sequence[Stream]) -> list[bool]:
    """Return of each stream whether its fields are the same at once and in the smallest deltas.

    If not, they depend on cuts, and what else is wrong with them cannot be said.
    """
    whole = parser.parse_all([(row,) for row in rows])
    single = parser.parse_all([single_deltas(row) for row in rows])
    return [
        not one.failure and not other.failure and one.by_field() == other.by_field()
        for one, other in zip(whole, single, strict=True)
    ]


def events_of(parser: Parser, rows: Sequence[Deltas]) -> dict[Deltas, Parsed]:
    """Return what a parser makes of each cutting."""
    return dict(zip(rows, parser.parse_all(rows), strict=True))
