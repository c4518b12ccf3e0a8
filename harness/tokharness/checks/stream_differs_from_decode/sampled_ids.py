"""Streams of ids that no text is encoded to, which a model may choose all the same."""

from __future__ import annotations

import random
from itertools import accumulate, cycle, islice, pairwise
from typing import TYPE_CHECKING, Any

from tokharness.checks.stream_differs_from_decode.causes import UNNAMED, causes_of
from tokharness.checks.stream_differs_from_decode.streamed import (
    REPLACEMENT,
    are_alike,
    joined,
    stream_cause,
)
from tokharness.diagnosis.comparisons import MAX_SHOWN, compared_call
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.diagnosis.probes.growth import measure_growth
from tokharness.diagnosis.probes.id_sequences import IN_A_HOLE, PART, id_kinds
from tokharness.errors import SkippedTextError
from tokharness.model import Verdict
from tokharness.outcome import Raised
from tokharness.targets.processes.limits import processor_clock
from tokharness.unicode.properties import category

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness.model import Cause
    from tokharness.targets.subject import Subject

    Rows = list[list[int]]

__all__ = ["CALLS", "Difference", "differences", "differences_of_calls", "growth"]

STREAM, CALLS = "decode_stream", "decode_stream_calls"

RANDOM_ROWS, LONGEST_ROW = 160, 14
LONG_ROW = 600
MOST_PARTS, MOST_OF_A_KIND = 24, 6
MOST_DECODED = 1_500
MOST_OF_A_CAUSE, MOST_SMALLER = 12, 80

MIXED = "hello world, \U0001f9ff and \u4e2d\u6587 e\u0301\u0302 caf\u00e9\0 \n\n  x"
"""A text of characters of one to four bytes, marks, NUL and white space."""

Difference = tuple[list["Cause"], dict[str, "Any"]]
"""The causes of a stream that differs, and the call with both results."""


def differences(subject: Subject) -> Iterator[Difference]:
    """Yield the causes of each stream of ids that differs from decoding them at once."""
    rows = _rows(subject)
    decoded = decode_all(rows, subject)
    streamed = map(joined, subject.target.call_each(STREAM, rows))
    by_cause: dict[Cause, Rows] = {}
    for ids, wanted, given in zip(rows, decoded, streamed, strict=True):
        if isinstance(wanted, Raised) or _was_skipped(given) or are_alike(given, wanted):
            continue
        if causes := _diagnosed(ids, subject)[0]:  # else it is right the second time
            by_cause.setdefault(causes[0], []).append(ids)
    for cause, wrong in by_cause.items():
        for ids in wrong[:: -(-len(wrong) // MOST_OF_A_CAUSE) or 1]:
            causes, evidence = _diagnosed(_smallest(ids, cause, subject), subject)
            if causes:
                yield causes, evidence


def _was_skipped(given: Any) -> bool:
    return isinstance(given, Raised) and isinstance(given.error, SkippedTextError)


def _diagnosed(ids: list[int], subject: Subject) -> Difference:
    """Return the causes of a stream of ids, none if it is right, and the call."""
    wanted = subject.decode(ids)
    if wanted is None:  # decode may refuse any ids
        return [], {}
    given = joined(subject.target.call(STREAM, ids))
    if are_alike(given, wanted):
        return [], {}
    return causes_of(given, wanted, ids, subject), compared_call(
        STREAM, given, wanted, subject, ids
    )


def _smallest(ids: list[int], cause: Cause, subject: Subject) -> list[int]:
    """Return fewer ids whose stream has the same first cause.

    A cause that names nothing may be of two faults at once: then any difference is enough.
    """
    is_named = cause not in UNNAMED
    tries, size = MOST_SMALLER, len(ids) // 2
    while size and tries:
        place = 0
        while place < len(ids) and tries:
            shorter = [*ids[:place], *ids[place + size :]]
            tries -= 1
            found = _diagnosed(shorter, subject)[0]
            if found and (found[0] == cause or not is_named):
                ids = shorter
            else:
                place += size
        size //= 2
    return ids


# The ids.


def _rows(subject: Subject) -> Rows:
    """Return sequences of ids of all kinds, the same in each run."""
    kinds = _ids_of_kinds(subject)
    letter = (subject.encode("a") or [])[:1] or kinds["ordinary"][:1]
    rows: Rows = []
    for part in kinds[PART][:: -(-len(kinds[PART]) // MOST_PARTS) or 1]:
        p = [part]
        rows += [
            p,
            [*letter, *p],
            [*p, *letter],
            [*letter, *p, *letter],
            [*letter, *p * 9, *letter],
        ]
    nul = subject.encode("\0") or []
    for numbers in (kinds["special"], kinds[IN_A_HOLE], kinds["mark"], nul):
        for number in numbers[:MOST_OF_A_KIND]:
            rows += [[number], [*letter, number, *letter], [*letter, number, number, *letter]]
    rows += [letter * 3, letter * LONG_ROW]
    draw = random.Random(108)
    pools = [numbers for numbers in kinds.values() if numbers]
    for number in range(RANDOM_ROWS if pools else 0):
        size = LONG_ROW if number < 2 else draw.randint(2, LONGEST_ROW)
        some = draw.sample(pools, k=draw.randint(1, min(2, len(pools))))
        rows.append([draw.choice(draw.choice(some)) for _ in range(size)])
    return [[], *filter(None, rows)]


def _ids_of_kinds(subject: Subject) -> dict[str, list[int]]:
    """Return the ids of each kind.

    Those of an ASCII character, or that start with a mark, are ordinary too.
    """
    texts = _texts_of_ids(subject)
    kinds: dict[str, list[int]] = {
        name: [] for name in ("ordinary", PART, "special", IN_A_HOLE, "mark", "ASCII")
    }
    by_id = id_kinds(subject)
    for number, text in texts.items():
        kind = by_id.get(number, IN_A_HOLE if subject.target.n_vocab else "ordinary")
        if kind != "special" and REPLACEMENT in text:
            kind = PART
        elif kind not in kinds:
            kind = "ordinary"
        kinds[kind].append(number)
        if kind == "ordinary" and text:
            if category(text[0])[0] == "M":
                kinds["mark"].append(number)
            elif len(text) == 1 and text.isascii():
                kinds["ASCII"].append(number)
    return kinds


def _texts_of_ids(subject: Subject) -> dict[int, str]:
    """Return what some ids decode to alone: those of a text, special ones, and a sample."""
    rows = encode_all((MIXED, "\u0301", "\u0302"), subject)
    numbers = {number for ids in rows if not isinstance(ids, Raised) for number in ids}
    special = sorted(subject.target.special_tokens.values())[:MOST_OF_A_KIND]
    below = range(subject.target.n_vocab or 0)
    sample = below[:: -(-len(below) // MOST_DECODED) or 1]
    vocabulary = subject.vocabulary()
    parts = [number for number, data in vocabulary.items() if _is_part(data)]
    parts = parts[:: -(-len(parts) // MOST_DECODED) or 1]
    chosen = sorted({*numbers, *special, *sample, *parts})
    texts = zip(chosen, decode_all([[number] for number in chosen], subject), strict=True)
    return {number: text for number, text in texts if isinstance(text, str)}


def _is_part(data: bytes) -> bool:
    return REPLACEMENT in data.decode("utf-8", "replace")


# A prompt before a stream, and several ids in a call.


def differences_of_calls(subject: Subject) -> Iterator[Difference]:
    """Yield the causes of streams that a prompt, or the grouping of ids into calls, changes."""
    ids = subject.encode(MIXED)
    if ids is None or not subject.target.can(CALLS):
        return
    draw = random.Random(108)
    sizes = [[size] for size in (1, 2, 3, 5, len(ids))]
    sizes += [[draw.randint(1, 4) for _ in ids] for _ in range(MOST_OF_A_KIND)]
    for row in sizes:
        yield from _of_groups(ids, _in_groups(ids, row), subject)
    for cut in range(1, len(ids)):
        yield from _of_prompt(ids[:cut], ids[cut:], subject)


def _in_groups(ids: list[int], sizes: list[int]) -> Rows:
    """Return the ids of each call, whose numbers repeat."""
    ends = list(accumulate(islice(cycle(sizes), len(ids)), initial=0))
    groups = (ids[start:end] for start, end in pairwise(ends))
    return [group for group in groups if group]


def _of_groups(ids: list[int], rows: Rows, subject: Subject) -> Iterator[Difference]:
    wanted = subject.decode(ids)
    given = joined(subject.target.call(CALLS, [[], *rows]))
    if wanted is None or are_alike(given, wanted):
        return
    if not are_alike(joined(subject.target.call(STREAM, ids)), wanted):
        return  # it is wrong in any grouping
    message = "a stream gives another text if a call gets several ids"
    cause = stream_cause("depends on the grouping of ids into calls", message)
    evidence = compared_call(CALLS, given, wanted, subject) | {"ids of each call": rows[:MAX_SHOWN]}
    yield [cause], evidence


def _of_prompt(prompt: list[int], ids: list[int], subject: Subject) -> Iterator[Difference]:
    """Yield the causes of a stream of ids behind a prompt, whose text is not to be given.

    A prompt that ends inside a character leaves its part to the stream, or does not.
    """
    whole, decoded, alone = map(subject.decode, ([*prompt, *ids], prompt, ids))
    if whole is None or decoded is None or alone is None:
        return
    before = decoded.rstrip(REPLACEMENT)
    if not whole.startswith(before):
        return
    wanted = whole[len(before) :]
    given = joined(subject.target.call(CALLS, [prompt, *([number] for number in ids)]))
    if are_alike(given, wanted) or (before != decoded and are_alike(given, alone)):
        return
    evidence = compared_call(CALLS, given, wanted, subject) | {"prompt": prompt, "ids": ids}
    if before and are_alike(given, before + wanted):
        inside = " that ends inside a character" if before != decoded else ""
        message = f"a stream gives the text of a prompt{inside}, which the user has already"
        yield [stream_cause(f"repeats a prompt{inside}", message)], evidence
    else:
        yield causes_of(given, wanted, ids, subject), evidence


# Time.

FAST = 1.5
"""Exponent above which a stream grows too fast."""


def growth(subject: Subject) -> Iterator[Difference]:
    """Measure streams of a letter, and of a part of a character again and again."""
    kinds = _ids_of_kinds(subject)
    letter = (subject.encode("a") or [])[:1]
    clock = processor_clock(with_descendants=subject.target.has_own_process)
    for numbers, words, verdict in (
        (letter, "the ids of a text", Verdict.BUG),
        (kinds[PART][:1], "parts of characters", Verdict.RISK),
    ):
        if not numbers:
            continue

        def call(size: int, repeat: int, numbers: list[int] = numbers) -> Callable[[], object]:
            ids = numbers * (size + repeat)
            return lambda: subject.target.call(STREAM, ids)

        curve = measure_growth(call, clock)
        if curve is not None and curve.exponent > FAST:
            message = f"the time of a stream of {words} grows faster than their number"
            cause = stream_cause(f"time grows too fast, of {words}", message, verdict)
            seconds = {
                f"{size:,} ids": round(s, 4)
                for size, s in zip(curve.sizes, curve.seconds, strict=True)
            }
            shown = {"entry point": STREAM, "for": numbers, "exponent": round(curve.exponent, 2)}
            yield [cause], shown | {"seconds": seconds}
            return
