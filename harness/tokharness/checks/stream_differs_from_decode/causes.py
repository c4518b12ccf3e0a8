"""What a stream does to a text, from its joined parts and what decoding at once gives.

Causes are predictions where that is possible: what a stream that drops repeated tokens gives is
computed, and compared with what it gave. Only then the differences of the two texts are named. A
stream shows several causes for a short text, of which further texts decide.
"""

from __future__ import annotations

from bisect import bisect_left
from codecs import getincrementaldecoder
from collections import Counter
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import ResultTooLongError
from tokharness.checks.stream_differs_from_decode.streamed import (
    REPLACEMENT,
    EndlessStreamError,
    NoTextError,
    are_alike,
    joined,
    stream_cause,
)
from tokharness.checks.stream_differs_from_decode.text_changes import text_changes
from tokharness.model import Cause, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["ENDLESS", "UNNAMED", "causes_of"]

NO_TEXT = stream_cause(
    "gives parts that are no text", "a part of a stream is bytes or another object, and no text"
)

ENDLESS = stream_cause("without an end", "a stream yields more parts than the text can have")

TAKEN_BACK = stream_cause(
    "decode takes back what it gave",
    "decode gives other text for some ids when further ids follow, and a stream has given the text",
    Verdict.RISK,
)
REPLACED = stream_cause(
    "decode replaces characters next to invalid bytes",
    "decode gives U+FFFD for characters next to bytes that never become a character, and a stream "
    "gives the characters",
    Verdict.RISK,
)
"""Of a decoder of byte tokens that replaces a whole run: no stream without a delay equals it."""

LOST = stream_cause("lost text", "a stream loses a part of the text")
ADDED = stream_cause(
    "added text", "a stream gives all of the text, and in it text that decode does not give"
)
OTHER = stream_cause("other text", "a stream gives a different text than decoding all ids at once")
UNNAMED = (LOST, ADDED, OTHER)
"""Causes that only say that two texts differ."""

MOST_TRIED = 64
"""Most ids of a stream that are tried between two letters, for whether the stream drops them."""

LONGEST_PART = 4
"""Most ids of a character, each of which stands for a byte."""


def causes_of(streamed: Any, wanted: str, ids: Sequence[int], subject: Subject) -> list[Cause]:
    """Return the causes that may explain a stream of ids, the narrowest first."""
    if isinstance(streamed, Raised):
        if isinstance(streamed.error, EndlessStreamError | ResultTooLongError):
            return [ENDLESS]
        if isinstance(streamed.error, NoTextError):
            return [NO_TEXT]
        name = type(streamed.error).__name__
        message = f"decode_stream raises {name} on ids that decode accepts"
        return [stream_cause(f"raises {name}", message)]
    if cause := _cause_in_decode(streamed, wanted, ids, subject):
        return [cause]
    of_ids = _predicted_from_ids(streamed, wanted, ids, subject)
    of_bytes = _of_invalid_bytes(streamed, wanted, ids, subject)
    of_text = text_changes(streamed, wanted, subject)
    of_tokens = _of_tokens(streamed, wanted, ids, subject)
    named = (*of_ids, *of_bytes, *of_text, *of_tokens)
    return [*named, *_observed(streamed, wanted)]


def _cause_in_decode(
    streamed: str, wanted: str, ids: Sequence[int], subject: Subject
) -> Cause | None:
    """Return the cause of a stream that gives what decode itself gives for fewer ids.

    These are the first ids, or those of each character alone.
    """
    pairs = zip(streamed, wanted, strict=False)
    place = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if place is None or streamed[place] == REPLACEMENT:
        return None
    given = streamed[: place + 1]
    firsts = (subject.decode(ids[:end]) or "" for end in range(1, len(ids)))
    if any(text.rstrip(REPLACEMENT).startswith(given) for text in firsts):
        return REPLACED if wanted[place] == REPLACEMENT else TAKEN_BACK
    eager = "".join(_of_each_character(ids, subject)).rstrip(REPLACEMENT)
    return REPLACED if are_alike(streamed.rstrip(REPLACEMENT), eager) else None


def _of_each_character(ids: Sequence[int], subject: Subject) -> list[str]:
    """Return what decode gives for the ids of each character, and U+FFFD for all others."""
    parts, place = list[str](), 0
    while place < len(ids):
        for size in range(1, LONGEST_PART + 1):
            text = subject.decode(ids[place : place + size]) or REPLACEMENT
            if REPLACEMENT not in text:
                break
        else:
            text, size = REPLACEMENT, 1
        parts.append(text)
        place += size
    return parts


def _predicted_from_ids(
    streamed: str, wanted: str, ids: Sequence[int], subject: Subject
) -> Iterator[Cause]:
    """Yield the causes whose stream is what decode gives for some of the ids."""
    special = frozenset(subject.special_tokens.values())
    plain = [number for number in ids if number not in special]
    first = next((at for at, number in enumerate(ids) if number in special), len(ids))
    most = _most_tokens(subject)
    for problem, what, left in (
        (f"ends after {most:,} tokens", f"what follows the first {most:,} tokens", ids[:most]),
        (DROPS_REPEATED, "a token that is equal to the one before it", _unrepeated(ids)),
        ("leaves out special tokens", "special tokens, which decode gives", plain),
        (
            "ends at a special token",
            "what follows a special token, which decode gives",
            ids[:first],
        ),
        (FORGETS, "the last token", ids[:-1]),
        (FORGETS_FIRST, "the first token", ids[1:]),
    ):
        if len(left) < len(ids):
            text = subject.decode(left)
            if text is None or not are_alike(streamed, text):
                continue
            if are_alike(text, wanted) and (streamed != text or text == wanted):
                continue
            if problem not in CONTROLS or CONTROLS[problem](subject):
                yield stream_cause(problem, f"a stream does not give {what}")


def _of_tokens(streamed: str, wanted: str, ids: Sequence[int], subject: Subject) -> Iterator[Cause]:
    """Yield a cause if a stream gives the last token again, or drops a token wherever it is."""
    last = subject.decode(ids[-1:])
    if last and streamed != wanted and are_alike(streamed, wanted + last):
        yield stream_cause("repeats the last token", "a stream gives the last token again")
    data = subject.token_bytes(ids)
    if data is not None and streamed == b"".join(data).decode("latin-1"):
        message = "a stream gives each byte of UTF-8 as a character of Latin-1"
        yield stream_cause("bytes as Latin-1", message)
    if len(streamed) < len(wanted):
        tried = dict.fromkeys(ids[:MOST_TRIED])
        dropped = {number for number in tried if _is_dropped(number, subject)}
        text = subject.decode([number for number in ids if number not in dropped])
        if dropped and text is not None and are_alike(streamed, text):
            message = "a stream does not give some tokens, wherever they stand"
            yield stream_cause("drops some tokens", message)
        yield from _of_sides(streamed, wanted, ids, subject)


SIDES: dict[str, Callable[[str, str], str]] = {"start": str.lstrip, "end": str.rstrip}


def _of_sides(streamed: str, wanted: str, ids: Sequence[int], subject: Subject) -> Iterator[Cause]:
    """Yield a cause if a stream drops characters wherever a part begins, or ends, with them."""
    lost = "".join(Counter(wanted) - Counter(streamed))
    if not lost.strip() or REPLACEMENT in lost:  # which have causes of their own
        return
    parts = _parts(ids, subject)
    for side, strip in SIDES.items():
        is_predicted = are_alike(streamed, "".join(strip(part, lost) for part in parts))
        if is_predicted and _is_dropped_inside(lost[0], subject):
            message = f"a stream drops some characters where they are at the {side} of a part"
            yield stream_cause(f"drops characters at the {side} of a part", message)


def _is_dropped_inside(char: str, subject: Subject) -> bool:
    """Whether a stream drops a character between two letters, too."""
    letter, numbers = (subject.encode(one) or [] for one in ("b", char))
    ids = [*letter, *numbers, *letter]
    whole = subject.decode(ids) or ""
    given = joined(subject.target.call("decode_stream", ids))
    return bool(whole.count(char) == 1 and given == whole.replace(char, ""))


def _parts(ids: Sequence[int], subject: Subject) -> list[str]:
    """Return the characters that each token completes, and at last the bytes that are left."""
    data = subject.token_bytes(ids)
    if data is None:
        return _of_each_character(ids, subject)
    decoder = getincrementaldecoder("utf-8")("replace")
    return [*map(decoder.decode, data), decoder.decode(b"", final=True)]


def _is_dropped(number: int, subject: Subject) -> bool:
    """Whether a stream does not give a token between two letters, which decode gives."""

    def ask() -> bool:
        letter = (subject.encode("a") or [])[:1]
        ids, without = [*letter, number, *letter], subject.decode([*letter, *letter])
        given = joined(subject.target.call("decode_stream", ids))
        return bool(given == without != subject.decode(ids))

    return subject.cache.get_or_compute(f"a stream drops {number}", ask)


FORGETS, FORGETS_FIRST = "forgets the last token", "forgets the first token"
DROPS_REPEATED = "drops repeated tokens"
WORDS = ("the quick brown fox", "a, b and c")


def _forgets_last_tokens(subject: Subject) -> bool:
    """Whether streams of plain texts lack the last token, too, and not only some last tokens."""

    def ask() -> bool:
        rows = [subject.encode(text) or [] for text in WORDS]
        given = [joined(subject.target.call("decode_stream", ids)) for ids in rows]
        return given == [subject.decode(ids[:-1]) for ids in rows]

    return subject.cache.get_or_compute("streams forget the last token", ask)


def _forgets_first_tokens(subject: Subject) -> bool:
    """Whether streams of plain texts lack the first token, too, and not only some first tokens."""

    def ask() -> bool:
        rows = [subject.encode(text) or [] for text in WORDS]
        given = [joined(subject.target.call("decode_stream", ids)) for ids in rows]
        return given == [subject.decode(ids[1:]) for ids in rows]

    return subject.cache.get_or_compute("streams forget the first token", ask)


def _drops_repeated_tokens(subject: Subject) -> bool:
    """Whether a stream of three equal letters has one, too, and not only one of some tokens."""

    def ask() -> bool:
        letter = (subject.encode("a") or [])[-1:]
        return bool(
            joined(subject.target.call("decode_stream", letter * 3)) == subject.decode(letter)
        )

    return subject.cache.get_or_compute("streams drop repeated tokens", ask)


CONTROLS = {
    FORGETS: _forgets_last_tokens,
    FORGETS_FIRST: _forgets_first_tokens,
    DROPS_REPEATED: _drops_repeated_tokens,
}
"""Whether plain ids show a cause, too; a short stream shows causes that it does not have."""


MANY = 600
"""Tokens of a stream that shows whether streams end after a number of tokens."""


def _most_tokens(subject: Subject) -> int:
    """Return the number of tokens after which streams end, whatever they are; else :data:`MANY`."""

    def given_of(ids: Sequence[int]) -> int | None:
        given = joined(subject.target.call("decode_stream", ids))
        if not isinstance(given, str) or not given:
            return None
        length = partial(_length_of_first, ids, subject)
        size = bisect_left(range(len(ids)), len(given), key=length)
        return size if size < len(ids) and subject.decode(ids[:size]) == given else None

    def ask() -> int:
        letters = (subject.encode("a") or [])[-1:] * MANY
        words = (subject.encode(" ".join(WORDS * MANY)[: MANY * LONGEST_PART]) or [])[:MANY]
        found = {given_of(ids) for ids in (letters, words, words[:-1])}
        return next(iter(found)) or MANY if len(found) == 1 else MANY

    return subject.cache.get_or_compute("most tokens of a stream", ask)


def _length_of_first(ids: Sequence[int], subject: Subject, size: int) -> int:
    return len(subject.decode(ids[:size]) or "")


def _unrepeated(ids: Sequence[int]) -> list[int]:
    return [number for number, _ in groupby(ids)]


def _of_invalid_bytes(
    streamed: str, wanted: str, ids: Sequence[int], subject: Subject
) -> Iterator[Cause]:
    """Yield the causes of what a stream does at U+FFFD, if it does it inside of a text, too."""
    if not wanted.strip(REPLACEMENT) or wanted.endswith(REPLACEMENT):
        longer = [*ids, *(subject.encode("a") or [])]
        text = subject.decode(longer)
        inside, whole = joined(subject.target.call("decode_stream", longer)), text or ""
    else:
        inside, whole = streamed, wanted
    if REPLACEMENT not in whole:
        return
    if (streamed, inside) == (wanted.replace(REPLACEMENT, ""), whole.replace(REPLACEMENT, "")):
        message = "a stream does not give U+FFFD for bytes that never become a character"
        yield stream_cause("drops bytes that never become a character", message)
    # The token of the first such bytes may have characters before them.
    if inside == streamed and wanted.partition(REPLACEMENT)[0].startswith(streamed):
        message = "a stream ends at the first bytes that never become a character"
        yield stream_cause("ends at bytes that never become a character", message)


def _observed(streamed: str, wanted: str) -> list[Cause]:
    """Return the causes that only say how the two texts differ."""
    if streamed.count(REPLACEMENT) > wanted.count(REPLACEMENT):
        message = "a stream has U+FFFD in place of a character whose bytes are in several tokens"
        return [stream_cause("U+FFFD for parts of a character", message)]
    if _is_subsequence(streamed, wanted):
        return _loss_causes(streamed, wanted)
    if "".join(streamed.split()) == "".join(wanted.split()):
        message = "a stream gives other white space than decode does"
        return [stream_cause("other white space", message)]
    if _is_subsequence(wanted, streamed):
        return _addition_causes(streamed, wanted)
    return [OTHER]


def _loss_causes(streamed: str, wanted: str) -> list[Cause]:
    """Causes that may explain a stream that only loses text."""
    causes = []
    if wanted.startswith(streamed):
        lost = "the end of the text"
        if wanted.endswith(REPLACEMENT):
            lost = "U+FFFD at the end, of the text or for ids that end inside a character"
        causes.append(stream_cause("lost at the end", f"a stream does not give {lost}"))
    if "".join(streamed.split()) == "".join(wanted.split()):
        message = "a stream loses white space of the text"
        causes.append(stream_cause("lost white space", message))
    return [*causes, LOST]


def _addition_causes(streamed: str, wanted: str) -> list[Cause]:
    """Causes that may explain a stream that gives all of a text and more."""
    causes = []
    pairs = enumerate(zip(streamed, wanted, strict=False))
    place = next((at for at, (one, other) in pairs if one != other), len(wanted))
    size = len(streamed) - len(wanted)
    if place and streamed[place : place + size] in wanted[:place]:
        message = "a stream gives a part of the text again"
        causes.append(stream_cause("repeats text", message))
    return [*causes, ADDED]


def _is_subsequence(streamed: str, wanted: str) -> bool:
    rest = iter(wanted)
    return all(character in rest for character in streamed)
