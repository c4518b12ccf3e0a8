"""Parts of a prompt that would be JSON, but for a bracket, a comma or a quote."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tokharness.conversations.shapes import MARKS
from tokharness.conversations.turns import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COMMA = re.compile(r",(?=\s*[\]}])")
"""A comma before a closing bracket, which JSON does not have."""

NO_COMMA = re.compile(r"\}(?=\s*\{)")
"""A closing bracket without the comma before the next object."""

QUOTES = re.compile(r"(?<=\w)(?=\s*[,:}\]])|(?<=[{,:\s])(?=\w)")
"""Where a quote may be missing."""

NAMED = re.compile(r"[a-z]+\n\s*(?=[{\[])")
"""The name of a role before a line of JSON."""

VALUE = r'[{{,]\s*"\w+"\s*:\s*{}\s*[}},]'
"""A text as a value of JSON without quotes."""

MOST_MENDED = 400
"""Characters in which a missing quote is looked for."""


def no_json(data: Sequence[Mapping[str, Any]], text: str) -> int | None:
    """Return where a text of plain data stands in what would be JSON, but for one character."""
    marks = [item for one in data for item in one.values() if isinstance(item, str)]
    places = [text.find(f'"{mark}"') for mark in marks if MARKS.search(mark)]
    places = [place for place in places if place >= 0]
    words = [(found.start(), found.end()) for found in WORD.finditer(text)] if places else []
    for place in places:
        part = part_around(text, place, words)
        if part[:1] in ("{", "[") and not is_json(part) and any(map(is_json, _mended(part))):
            return place
    return None


def bare_value(mark: str, text: str) -> int | None:
    """Return where a text is the value of a key of JSON, without quotes; None if it is not."""
    found = re.search(VALUE.format(mark), text)
    return None if found is None else found.start()


def part_around(text: str, place: int, words: Sequence[tuple[int, int]]) -> str:
    """Return what stands around a place, between two words in brackets.

    Behind the name of a role it is what follows on the next line, if JSON begins there.
    """
    start = max((end for _, end in words if end <= place), default=0)
    end = min((begin for begin, _ in words if begin >= place), default=len(text))
    part = text[start:end].strip()
    named = NAMED.match(part)
    return part if named is None else part[named.end() :]


def _mended(part: str) -> Iterator[str]:
    """Yield a text with one bracket, comma or quote more, or one bracket or comma less."""
    yield from (part + end for end in ("}", "]", '"}', "}]"))
    yield part[:-1]
    yield COMMA.sub("", part)
    yield NO_COMMA.sub("},", part)
    try:
        json.loads(part)
    except RecursionError:
        return
    except ValueError as error:
        place = getattr(error, "pos", 0)
        yield f"{part[:place]},{part[place:]}"
        yield part[:place].rstrip()[:-1] + part[place:]  # a bracket that closes too early
        for quote in QUOTES.finditer(part, 0, MOST_MENDED):
            yield f'{part[: quote.start()]}"{part[quote.start() :]}'


def is_json(part: str) -> bool:
    """Whether a text is one or several values of JSON with white space between them."""
    decoder, place = json.JSONDecoder(), 0
    try:
        while place < len(part):
            place = decoder.raw_decode(part, place)[1]
            place += len(part) - place - len(part[place:].lstrip())
    except (ValueError, RecursionError):
        return False
    return True
