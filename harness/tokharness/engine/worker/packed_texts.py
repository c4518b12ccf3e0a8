"""Split failing packed texts, and replace each by its parts that fail."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from tokharness.engine.worker.units import sample_evenly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.engine.worker.batches import BatchOptions, BatchRunner, UnitResult

MAX_PARTS = 32_768
"""Default limit of parts that run for each unit: the largest number of texts of a unit."""


def run_packed(
    runner: BatchRunner,
    texts: Sequence[str],
    options: BatchOptions,
    unpack: Callable[[str], Sequence[str]],
    is_over: Callable[[], bool] = lambda: False,
    max_parts: int = MAX_PARTS,
) -> UnitResult:
    """Run texts, and the parts of each packed text that fails a check or could not be run.

    The parts that fail the same check replace a packed text. It stays a failing text if no part
    fails alone, or if ``max_parts`` leaves no time for its parts. Once the time ``is_over``, no
    further text is run.
    """
    result = runner.run(texts, options, is_over=is_over)
    groups = [*result.failing.values(), result.left_out, result.not_compared]
    packs = _packs(groups, unpack, max_parts)
    if packs:
        parts = _parts(packs, packs)
        options = replace(options, digested=False)
        of_parts = runner.run(parts, options, is_over=is_over)
        result.not_run += len(parts) - of_parts.cases
        _add(result, of_parts, packs)
        if options.recheck_every > 1:
            _recheck(runner, result, packs, replace(options, recheck_every=1))
        for code, failing in result.failing.items():
            result.failing[code] = _without_explained(failing, packs)
    return result


def _packs(
    groups: Iterable[Sequence[str]], unpack: Callable[[str], Sequence[str]], max_parts: int
) -> dict[str, Sequence[str]]:
    """Return packed texts with their parts: all of them, or an even sample of large groups.

    A group has the texts that fail a check, so that a check which all texts fail hides no other.
    """
    groups = sorted(map(list, groups), key=len)
    unpacked = ((text, unpack(text)) for text in dict.fromkeys(chain(*groups)))
    packs = {text: parts for text, parts in unpacked if len(parts) > 1}
    chosen: dict[str, Sequence[str]] = {}
    room = max_parts
    for place, group in enumerate(groups):
        new = {text: packs[text] for text in group if text in packs and text not in chosen}
        total, share = sum(map(len, new.values())), room // (len(groups) - place)
        size = len(new) if total <= share else len(new) * share // total
        taken = {text: new[text] for text in sample_evenly(list(new), size)}
        chosen |= taken
        room -= sum(map(len, taken.values()))
    return chosen


def _parts(texts: Iterable[str], packs: Mapping[str, Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(packs[text] for text in texts)))


def _add(result: UnitResult, of_parts: UnitResult, packs: Mapping[str, Sequence[str]]) -> None:
    """Add the result of the parts; a packed text that was not run is replaced by its parts."""
    for code, texts in of_parts.failing.items():
        result.failing[code] += texts
    result.left_out = [t for t in result.left_out if t not in packs] + of_parts.left_out
    result.not_compared = [t for t in result.not_compared if t not in packs] + of_parts.not_compared
    result.encoded += of_parts.encoded
    result.unseen &= of_parts.unseen
    result.seconds += of_parts.seconds


def _recheck(
    runner: BatchRunner,
    result: UnitResult,
    packs: Mapping[str, Sequence[str]],
    options: BatchOptions,
) -> None:
    """Run all parts with checks that call the target again, which have seen only some parts."""
    for code, texts in result.failing.items():
        kept = [text for text in _without_explained(texts, packs) if text in packs]
        if kept:
            again = runner.only(code).run(_parts(kept, packs), options)
            result.seconds += again.seconds
            result.failing[code] = texts + again.failing[code]


def _without_explained(texts: Sequence[str], packs: Mapping[str, Sequence[str]]) -> list[str]:
    """Leave out each packed text with a part that fails too."""
    failing = set(texts)
    return [text for text in texts if text not in packs or failing.isdisjoint(packs[text])]
