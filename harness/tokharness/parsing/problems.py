"""What a check finds on a stream, and how the events of two cuttings differ."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from operator import le
from typing import TYPE_CHECKING, Any

from tokharness.parsing.parser import ENDS, NO_EVENTS, NOT_TRIED
from tokharness.parsing.streams import single_deltas

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Cause
    from tokharness.parsing.parser import Deltas, Parsed, Parser, Stream

REPLACEMENT = "\ufffd"
MOST_SHOWN = 40

MOST_ALIGNED = 2_000
"""Characters of a text that is aligned with another one, in quadratic time; streams of
ours have some hundreds."""

MARKER_AS_TEXT, TWICE, LOST = "a marker as text", "text twice", "lost text"
LIKE_A_MARKER = r"<[^<>]+>|\[/?[A-Z_]+\]|```(?:\w+\n)?"
"""Text that is a marker in a format that models are trained on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A cause, with the deltas that show it; ``needs_others`` if only with other streams.

    ``others`` are causes that explain the stream, too: those are reported that explain most.
    """

    cause: Cause
    deltas: Deltas
    evidence: Mapping[str, Any] = field(default_factory=dict)
    needs_others: bool = False
    others: tuple[Cause, ...] = ()

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that explain it, the most specific first."""
        return self.cause, *self.others


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


def changes(one: Parsed, other: Parsed, stream: Stream, markers: Sequence[str]) -> tuple[str, ...]:
    """Return how the events of two cuttings of a stream differ, in words that are all true.

    They are empty if the events do not differ, or only in where text stands that is given twice:
    that is a fault of its own.
    """
    if one.failure or other.failure:
        return _change_of_failures(one, other)
    if one.events == other.events:
        return ()
    if _is_order_of_repeated(one, other, _marker(markers).sub("", text_of(stream))):
        return ()
    if one.by_field() == other.by_field():
        return ("the order of events",)
    if one.text == other.text:
        return ("the field of a text",)
    if _has_parts_of_characters(one.text, other.text, text_of(stream)):
        return ("U+FFFD for parts of a character",)
    shorter, longer = sorted((one, other), key=lambda parsed: len(parsed.text))
    if not _is_subsequence(shorter.text, longer.text):
        marker = _marker(markers)
        is_order = marker.sub("", shorter.text) == marker.sub("", longer.text)
        return ("the field of a text",) if is_order else ("other text",)
    return _addition(shorter, longer, text_of(stream), markers)


def _is_order_of_repeated(one: Parsed, other: Parsed, content: str) -> bool:
    """Whether events differ in their order alone, and the text of a field is in another one, too.

    The stream without its markers has the text of that field fewer times than the events.
    """
    fields, others = one.by_field(), other.by_field()
    surplus = Counter(one.text) - Counter(content)
    is_order = {name: Counter(text) for name, text in fields.items()} == {
        name: Counter(text) for name, text in others.items()
    }
    return is_order and any(
        Counter(text) <= surplus
        and all(_is_subsequence(text, one[longer]) for one in (fields, others))
        for name, text in fields.items()
        for longer in fields
        if text and longer != name
    )


def _change_of_failures(one: Parsed, other: Parsed) -> tuple[str, ...]:
    names = {one.failure, other.failure} - {""}
    if one.failure == other.failure or NOT_TRIED in names:
        return ()
    name = min(names)
    return (name if name in (*ENDS, NO_EVENTS) else f"raises {name}",)


def _addition(
    shorter: Parsed, longer: Parsed, stream: str, markers: Sequence[str]
) -> tuple[str, ...]:
    """Return what the longer events have in addition, or the shorter ones have lost."""
    marker = _marker(markers)
    of_both = (Counter(marker.findall(parsed.text)) for parsed in (shorter, longer))
    is_alike = marker.sub("", shorter.text) == marker.sub("", longer.text)
    if is_alike and le(*of_both):
        return (MARKER_AS_TEXT,)
    if len(longer.text) > MOST_ALIGNED:
        return ("other text",)
    given, content = (marker.sub("", text) for text in (longer.text, stream))
    matcher = SequenceMatcher(None, shorter.text, longer.text, autojunk=False)
    added = [longer.text[c:d] for tag, _, _, c, d in matcher.get_opcodes() if tag != "equal"]
    parts = [part for text in added if (part := marker.sub("", text))]
    is_more = bool(Counter(longer.text) - Counter(stream))
    if is_more or all(
        part in shorter.text and given.count(part) > content.count(part) for part in parts
    ):
        is_there = _is_in_its_field(parts, shorter, longer)
        return (TWICE,) if is_there else ("text in two fields",)
    start = "".join(added)
    if start not in content and any(one.startswith(start) and one in stream for one in markers):
        return MARKER_AS_TEXT, TWICE
    return (LOST,)


def _marker(markers: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join((*map(re.escape, filter(None, markers)), LIKE_A_MARKER)))


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
    """Whether the text with more U+FFFD, also than the stream, has them in place of characters."""
    less, more = sorted((one, other), key=lambda text: text.count(REPLACEMENT))
    numbers = [text.count(REPLACEMENT) for text in (less, more, stream)]
    if numbers[0] == numbers[1]:
        return False
    rests = [len(text) - number for text, number in zip((less, more), numbers, strict=False)]
    return rests[1] <= rests[0] and numbers[1] > numbers[2]


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
