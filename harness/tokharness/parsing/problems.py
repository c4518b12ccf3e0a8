"""What a check finds on a stream, and how the events of two cuttings differ."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from tokharness.parsing.parser import ENDS, NO_EVENTS, NOT_TRIED

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
    """A cause, with the deltas that show it."""

    cause: Cause
    deltas: Deltas
    evidence: Mapping[str, Any] = field(default_factory=dict)


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
    if one.text.count(REPLACEMENT) != other.text.count(REPLACEMENT):
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
    parts = [longer.text[c:d] for tag, _, _, c, d in matcher.get_opcodes() if tag != "equal"]
    if all(part in shorter.text and given.count(part) > content.count(part) for part in parts):
        fields = {name for name, text in longer.by_field().items() if parts[0] in text}
        return "text in two fields" if len(fields) > 1 else "text twice"
    return "lost text"


def _is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(char in rest for char in part)


def events_of(parser: Parser, rows: Sequence[Deltas]) -> dict[Deltas, Parsed]:
    """Return what a parser makes of each cutting."""
    return dict(zip(rows, parser.parse_all(rows), strict=True))
