"""Outputs of models, and the ways to cut each of them into deltas."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.parsing.parser import Deltas, Parser, Stream

__all__ = ["cuttings", "single_deltas", "streams"]

TEXTS = (
    "",
    "Hello there, world.",
    "caf\u00e9 e\u0301 \u4e2d\u6587 \U0001f468\u200d\U0001f469 \U0001f9ff\0 \ufffd end",
    "  two spaces\r\n\n\ttab  ",
    "<think>first plan</think>final answer",
    "<think>\nfirst plan \U0001f9ff\n</think>\n\nfinal caf\u00e9\n",
    "<think>wide < narrow, </ thin k> open</think>\u0301shut",
    "<think>outer<think>inner</think>after</think>last",
    "<think>never ends",
    "alone</think>later",
    "cut short <thi",
    "less < more <",
    '<tool_call>\n{"name": "find", "arguments": {"town": "Z\\u00fcrich \U0001f9ff"}}\n</tool_call>',
    '<tool_call>{"name": "one"}</tool_call>\n<tool_call>{"name": "a \\"b\\" }"}</tool_call>done',
    '<tool_call>{"name": "unfinished", "argum',
    '<tool_call>{"name": "add", "arguments": {"x": -12.5e3, "y": [10, true, null]}}</tool_call>',
    '{"name": "find", "arguments": {"town": "\\ud83e\\uddff\\n"}}',
    '[TOOL_CALLS] [{"name": "find", "arguments": {"town": "Bern"}}]',
    "<|channel|>analysis<|message|>plan<|end|><|start|>assistant<|message|>final answer<|return|>",
    '```json\n{"key": "value"}\n```\nafterwards',
    "<function=find><parameter=town>Bern</parameter></function>",
    "escaped &lt;b&gt; &amp;amp; caf&#233; &#x4e2d",
)
"""Formats that models are trained on, unfinished ones, and texts without any."""

WORDS = ("alpha", "bravo \U0001f9ff", "charlie", "delta")
JSON = '{"name": "find", "arguments": {"town": "Z\\u00fcrich", "days": [12, 3]}}'

MOST_PAIRED = 40
"""Markers that stand behind each other one."""

MOST_PLACES, RANDOM_CUTS = 80, 6
TOKEN = re.compile(r"\s?\w+|<\|?|\|?>|\s+|.", re.DOTALL)
"""Pieces as long as tokens are."""

WORD = re.compile(r"\w+|\W", re.DOTALL)


def streams(parser: Parser) -> list[Stream]:
    """Return the outputs that a parser is tried on: its examples, and texts of our own."""
    if parser.takes == "ids":
        return list(dict.fromkeys(parser.examples))
    texts = [*_of_markers(parser.markers), *TEXTS]
    ours = [text.encode() for text in texts] if parser.takes == "bytes" else texts
    return list(dict.fromkeys([*parser.examples, *ours]))


def _of_markers(markers: Sequence[str]) -> Iterator[str]:
    """Yield texts with each marker, with two of them, with the start of one, and in another case.

    A marker and the next one, which may end it, have JSON between them, and stand twice.
    """
    first, second, third, last = WORDS
    for marker, following in pairwise(markers):
        yield f"{marker}{JSON}\n{following}{second}"
        yield f"{marker}{first}{following}{second}{marker}{third}{following}{last}"
    for marker in markers:
        yield f"{first}{marker}{second}"
        yield f"{marker}{marker}{first}"
        yield f"{first}{marker[:-1]}{second}"
        yield f"{first}{marker[:-1]}"
        yield f"{first}{marker[: len(marker) // 2]}{marker}{second}"
        yield f"{first}{marker.swapcase()}{second}"
        for other in markers[:MOST_PAIRED]:
            yield f"{first}{marker}{second}{other}{third}"


def cuttings(stream: Stream) -> list[Deltas]:
    """Return the ways to cut a stream into deltas, the one without a cut first."""
    size = len(stream)
    places = range(1, size)
    single = places[:: -(-len(places) // MOST_PLACES) or 1]
    draw = random.Random(size)
    rows = [_cut(stream, []), _cut(stream, places)]
    rows += [_cut(stream, [place]) for place in single]
    rows += [_cut(stream, places[start::step]) for step in (2, 3, 7) for start in range(step)]
    if isinstance(stream, str):
        rows += [tuple(pattern.findall(stream)) or (stream,) for pattern in (TOKEN, WORD)]
    for _ in range(RANDOM_CUTS if size > 2 else 0):
        rows.append(_cut(stream, sorted(draw.sample(places, k=draw.randint(1, min(size - 1, 9))))))
    empty = stream[:0]
    rows.append((empty, *_cut(stream, places), empty))
    rows.append(tuple(delta for one in _cut(stream, places) for delta in (one, empty)))
    return list(dict.fromkeys(rows))


def single_deltas(stream: Stream) -> Deltas:
    """Return a stream in deltas of one character, byte or id."""
    return _cut(stream, range(1, len(stream)))


def _cut(stream: Stream, places: Sequence[int]) -> Deltas:
    edges = [0, *places, len(stream)]
    return tuple(stream[start:end] for start, end in pairwise(edges))
