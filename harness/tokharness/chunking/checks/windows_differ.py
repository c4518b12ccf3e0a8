"""The windows of a text are not the ids of the whole text.

Why it matters: a text that is longer than the context of a model is read in windows, with a stride
that they have in common, and is truncated for training. A window that loses an id, cuts the wrong
side, or has the offsets of another one gives answers at wrong places, and nothing raises.

Oracle: invariant: the ids of the whole text, with its offsets and special tokens. The first window
is the beginning of the ids, or their end if the left side is truncated. Each window begins where
the window before it ends, less the overlap; only the last window may have more in common with it.
The last id is there. The text of a pair that is not truncated is whole in each window, and
*longest_first* cuts no text below the length of the other one. Padding is on its side, and the ids
without it are the same.

How it works: for some of the texts and limits, ``windows`` is called without a limit, with both
sides, all strategies for a pair, and padding, as far as it has these parameters. A limit is left
out if it has no room for the special tokens, the overlap and the other text of a pair. Of
*longest_first* the first window is checked.

Verdicts: *bug*.

Example: windows that go on behind the overlap::

    TOK613 bug  windows: ids are lost

What to do: step by the limit less the overlap; count the special tokens into the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.chunking.chunker import NOT_TRIED, Window
from tokharness.chunking.splitting import Problem, has_surrogate
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.chunking.splitting import Splitting
    from tokharness.chunking.texts import Trial

CODE = "TOK613"
NAME = "windows-differ"

PAIR = "a second text: caf\u00e9 12345"
MULTIPLE = 8

MESSAGES = {
    "longer than the limit": "a window has more ids than the limit",
    "not the side": "the first window is not the side of the ids that is to be kept",
    "ids are lost": "an id of the text is in no window",
    "more in common": "a window has more in common with the one before it than the overlap",
    "less in common": "a window has less in common with the one before it than the overlap",
    "other ids": "the ids of a window are no part of the ids of the text",
    "offsets": "an id has other offsets in a window than in the whole text",
    "parts": "a window says of an id that it is of the other text of a pair, or special",
    "special tokens": "a window has other special tokens than the whole text",
    "the other text": "the text of a pair that is not truncated is not whole in a window",
    "uneven": "longest_first truncates a text below the length of the other one, or both too much",
    "padding": "padding is not on its side, or its length is not the multiple",
    "an empty window": "a window has no id of the text",
    "no window": "a text has no window",
}


def not_applicable(splitting: Splitting) -> str:
    """Return why the check has nothing to see, or ""."""
    if "windows" not in splitting.chunker.methods:
        return "the chunker has no windows(text, limit, overlap)"
    return ""


@dataclass(frozen=True, slots=True)
class _Call:
    """A way to call ``windows``: its settings."""

    options: Mapping[str, Any]

    @property
    def side(self) -> str:
        return str(self.options.get("side", "right"))


def problems(splitting: Splitting, trial: Trial) -> Iterator[Problem]:
    """Yield how windows of a trial are wrong, each with the first call that shows it."""
    if has_surrogate(trial.text) or trial in splitting.rest:
        return
    found: dict[str, dict[str, Any]] = {}
    for call in _calls(splitting.chunker.window_options):
        if (wrong := _wrong(splitting, trial, call)) is not None:
            found.setdefault(wrong[0], {"settings": dict(call.options), "windows": wrong[1]})
    if found:
        first, *others = (
            Cause("windows", (("how", how),), message=MESSAGES.get(how, f"windows {how}"))
            for how in found
        )
        yield Problem(first, next(iter(found.values())), others=tuple(others))


def _calls(options: Sequence[str]) -> Iterator[_Call]:
    """Yield the ways to call it, the simplest first."""
    yield _Call({})
    sides = [{}, {"side": "left"}] if "side" in options else [{}]
    yield from map(_Call, sides[1:])
    if "strategy" in options and "pair" in options:
        for strategy in ("only_first", "only_second", "longest_first"):
            yield from (_Call({"pair": PAIR, "strategy": strategy, **side}) for side in sides)
    if "padding" in options:
        more = {"multiple": MULTIPLE} if "multiple" in options else {}
        yield from (_Call({"padding": side, **more}) for side in ("right", "left"))


def _wrong(splitting: Splitting, trial: Trial, call: _Call) -> tuple[str, Any] | None:
    """Return what is wrong with the windows of a call, and the windows; None for nothing."""
    pair = {name: call.options[name] for name in ("pair",) if name in call.options}
    whole = _asked(splitting, trial.text, None, 0, pair)
    if not isinstance(whole, tuple) or len(whole) != 1:
        return None if whole is None else (whole if isinstance(whole, str) else "other ids", None)
    (one,) = whole
    room = trial.limit - len(one.special)
    strategy = call.options.get("strategy")
    fixed = {"only_first": 1, "only_second": 0}.get(str(strategy))
    if fixed is not None:
        room -= len(one.part(fixed))
    overlap = 0 if strategy == "longest_first" else trial.overlap
    if room <= overlap or (strategy == "longest_first" and room < 2):
        return None
    given = _asked(splitting, trial.text, trial.limit, overlap, call.options)
    if not isinstance(given, tuple):
        return None if given is None else (given, None)
    if "padding" in call.options:
        how = _padding(splitting, trial, call, given)
    elif any(len(window.ids) > trial.limit for window in given):
        how = "longer than the limit"
    else:
        how = _of_windows(one, given, call, fixed, room, overlap)
    return (how, [list(window.ids) for window in given[:20]]) if how else None


def _asked(
    splitting: Splitting, text: str, limit: int | None, overlap: int, options: Mapping[str, Any]
) -> tuple[Window, ...] | str | None:
    """Return the windows, what the call raises, or None if it was not tried."""
    answer = splitting.chunker.ask("windows", text, limit, overlap, dict(options))
    if answer.failure == NOT_TRIED:
        return None
    if answer.failure:
        return f"raises {answer.kind}" if answer.kind else answer.failure
    windows: tuple[Window, ...] = answer.value
    return windows or "no window"


def _of_windows(
    whole: Window,
    given: Sequence[Window],
    call: _Call,
    fixed: int | None,
    room: int,
    overlap: int,
) -> str:
    """Return what is wrong with windows that are not padded, or ""."""
    if any(_has_other_parts(whole, window, fixed) for window in given):
        return "parts"
    if any(window.special != whole.special for window in given):
        return "special tokens"
    if call.options.get("strategy") == "longest_first":
        return _of_both(whole, given[0], room, call.side)
    if fixed is not None and any(
        (one.part(fixed), one.offsets_of(fixed)) != (whole.part(fixed), whole.offsets_of(fixed))
        for one in given
    ):
        return "the other text"
    part = 0 if fixed is None else 1 - fixed
    rows = [list(zip(one.part(part), one.offsets_of(part), strict=True)) for one in given]
    wanted = list(zip(whole.part(part), whole.offsets_of(part), strict=True))
    if call.side == "left":
        rows, wanted = [row[::-1] for row in rows], wanted[::-1]
    how = _of_slices([i for i, _ in wanted], [[i for i, _ in row] for row in rows], room, overlap)
    return how or ("offsets" if _of_slices(wanted, rows, room, overlap) else "")


def _has_other_parts(whole: Window, window: Window, fixed: int | None) -> bool:
    """Whether ids are there, and are said to be of another text, or to be special."""
    if {*window.special} - {*whole.special}:
        return True
    if fixed is None or whole.part(fixed) == window.part(fixed):
        return False
    ids = whole.part(fixed)
    return not ids or bool(_places(window.ids, ids))


def _of_both(whole: Window, given: Window, room: int, side: str) -> str:
    """Return what is wrong with the first window of a pair whose texts may both be truncated."""
    sizes = []
    for part in (0, 1):
        ids, kept = whole.part(part), given.part(part)
        at = len(ids) - len(kept) if side == "left" else 0
        if ids[at : at + len(kept)] != kept:
            return "not the side"
        offsets = whole.offsets_of(part)[at : at + len(kept)]
        if offsets != given.offsets_of(part):
            return "offsets"
        sizes.append((len(kept), len(ids)))
    (first, of_first), (second, of_second) = sizes
    is_full = first + second == min(room, of_first + of_second)
    is_even = all(
        kept == size or kept + 1 >= other
        for kept, size, other in ((first, of_first, second), (second, of_second, first))
    )
    return "" if is_full and is_even else "uneven"


def _of_slices(whole: Sequence[Any], rows: Sequence[Sequence[Any]], room: int, overlap: int) -> str:
    """Return what is wrong with slices of ids, which go on from the first one, or ""."""
    first = rows[0]
    if list(whole[: len(first)]) != list(first):
        return "not the side" if _places(whole, first) else "other ids"
    if len(first) < min(room, len(whole)) and len(rows) == 1:
        return "ids are lost"
    end = len(first)
    for number, row in enumerate(rows[1:], 2):
        if not row:
            return "ids are lost" if end < len(whole) else "an empty window"
        start = end - overlap
        is_last = number == len(rows)
        if list(whole[start : start + len(row)]) == list(row) and len(row) > overlap:
            end = start + len(row)
        elif is_last and start > len(whole) - len(row) and list(whole[-len(row) :]) == list(row):
            end = len(whole)
        else:
            places = [at for at in _places(whole, row) if at]
            if not places:
                return "other ids"
            near = min(places, key=lambda at: abs(at - start))
            if near > end:
                return "ids are lost"
            return "less in common" if near > start else "more in common"
    return "" if end == len(whole) else "ids are lost"


def _places(whole: Sequence[Any], row: Sequence[Any]) -> list[int]:
    size = len(row)
    return [at for at in range(len(whole) - size + 1) if list(whole[at : at + size]) == list(row)]


def _padding(splitting: Splitting, trial: Trial, call: _Call, given: Sequence[Window]) -> str:
    """Return what is wrong with padded windows, or ""."""
    bare = _asked(splitting, trial.text, trial.limit, trial.overlap, {})
    if not isinstance(bare, tuple):
        return ""
    kept = [tuple(i for i, m in zip(one.ids, one.mask, strict=True) if m) for one in given]
    if kept != [one.ids for one in bare]:
        return "other ids"
    multiple = call.options.get("multiple", 1)
    for one, ids in zip(given, kept, strict=True):
        at = 0 if call.options["padding"] == "right" else len(one.ids) - len(ids)
        if one.ids[at : at + len(ids)] != ids or not all(one.mask[at : at + len(ids)]):
            return "padding"
        if len(one.ids) % multiple:
            return "padding"
    return ""
