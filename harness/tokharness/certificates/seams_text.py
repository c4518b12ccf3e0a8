"""The certificate of seams as text: what a cache should do, then the classes and their verdicts."""

from __future__ import annotations

import textwrap
from string import ascii_uppercase
from typing import TYPE_CHECKING

from tokharness.escaping import terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.certificates.seams import AddedText, Family, Seams

WIDTH = 100
MARKS = {"safe": "=", "changes": "x", "not known": "?"}
SPACE, LINE_FEED = 0x20, 0x0A
MOST_ADDED = 6


def seams_text(seams: Seams, *, width: int | None) -> str:
    """Return the certificate for a terminal of so many columns."""
    columns = max(min(width or WIDTH, WIDTH), 40)
    lines: list[str] = []
    for line in _lines(seams):
        indent = " " * (len(line) - len(line.lstrip(" ")))
        # The mark of an item, or the letter of a class, stands out.
        hanging = indent + ("  " if line.lstrip(" ").startswith("- ") or not indent else "      ")
        lines += textwrap.wrap(
            line.strip(), columns, initial_indent=indent, subsequent_indent=hanging
        ) or [""]
    return "\n".join([*lines, ""])


def _lines(seams: Seams) -> Iterator[str]:
    yield f"seams of {terminal(seams.spec)}"
    yield "what to do"
    yield from (f"  - {line}" for line in advice(seams))
    yield f"proof: {', '.join(map(terminal, seams.stages)) or 'none'}"
    if seams.reason:
        yield f"  - not known: {terminal(seams.reason)}"
    yield from (f"  - it assumes that {terminal(one)}" for one in seams.assumptions)
    if not seams.proves_cuts:
        yield from (_witness(seams, index) for index in range(min(1, len(seams.witnesses))))
        return
    yield "classes of characters"
    names = [_letter(number) for number in range(len(seams.classes))]
    for name, one in zip(names, seams.classes, strict=True):
        yield f"  {name} {one.name}"
    yield "a cut after (row) and before (column): = neutral, x changes ids, ? not known"
    yield "    " + " ".join(f"{name:<2}" for name in names)
    for name, row in zip(names, seams.verdicts, strict=True):
        yield f"  {name} " + " ".join(f"{MARKS[verdict]:<2}" for verdict in row)
    if seams.witnesses:
        yield "texts whose ids change if they are cut"
        yield from (_witness(seams, index) for index in _shown_witnesses(seams))


def _shown_witnesses(seams: Seams) -> list[int]:
    """Return one witness for each class before the cut."""
    first: dict[int, int] = {}
    for index, witness in enumerate(seams.witnesses):
        first.setdefault(witness.last, index)
    return list(first.values())


def _witness(seams: Seams, index: int) -> str:
    witness = seams.witnesses[index]
    place = f"{_letter(witness.last)} {_letter(witness.first)}"
    return f'  {place}: "{terminal(witness.before)}" and "{terminal(witness.after)}"'


def _letter(number: int) -> str:
    turn, at = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[at] + (str(turn) if turn else "")


def advice(seams: Seams) -> Iterator[str]:
    """Yield what a cache, a chunker or a parallel encoder may do, and no more than is proven."""
    if not seams.proves_cuts:
        shown = " One is shown below to change ids." if seams.witnesses else ""
        yield f"Encode each text as a whole: no cut is proven to be neutral.{shown}"
    else:
        yield from _cuts(seams)
        if seams.assumptions:
            yield "These cuts are neutral as far as what the proof assumes holds (see below)."
        yield "Keep the tokens before the last of these places, and encode again from there."
    if seams.added:
        yield _of_added(seams.added)
    yield from _of_append(seams)
    if seams.prepend is not None:
        yield "The more text, the more of its tokens a text before it changes: " + _family(
            seams.prepend, "before"
        )


def _cuts(seams: Seams) -> Iterator[str]:
    every = range(len(seams.classes))
    for point, name in ((SPACE, "a space"), (LINE_FEED, "a line feed")):
        at = _class_of(seams, point)
        befores = [one for one in every if seams.verdicts[one][at] == "safe"]
        if befores:
            yield f"Cut before {name} that follows: {_names(seams, befores)}."
    at = _class_of(seams, LINE_FEED)
    afters = [one for one in every if seams.verdicts[at][one] == "safe"]
    if afters:
        yield f"Cut after a line feed before: {_names(seams, afters)}."


def _names(seams: Seams, chosen: list[int]) -> str:
    if len(chosen) == len(seams.classes):
        return "any character"
    left = [one for one in range(len(seams.classes)) if one not in chosen]
    if len(left) < len(chosen):
        others = "; ".join(f"{_letter(one)} {seams.classes[one].name}" for one in left)
        return f"any character but those of {others}"
    return "; ".join(f"{_letter(one)} {seams.classes[one].name}" for one in chosen)


def _class_of(seams: Seams, point: int) -> int:
    return next(
        number
        for number, one in enumerate(seams.classes)
        if any(start <= point < end for start, end in one.spans)
    )


def _of_added(added: tuple[AddedText, ...]) -> str:
    shown = ", ".join(f'"{terminal(one.text)}"' for one in added[:MOST_ADDED])
    more = f" and {len(added) - MOST_ADDED:,} more" if len(added) > MOST_ADDED else ""
    takes = [one for one in added if one.lstrip or one.rstrip or one.single_word]
    nor = (
        f" {len(takes):,} of them take white space or must be words: cut neither next to these, "
        "nor between two characters of white space."
        if takes
        else ""
    )
    return f"Never cut inside the text of an added token: {shown}{more}.{nor}"


def _of_append(seams: Seams) -> Iterator[str]:
    append = seams.append
    known = [
        f"{count:,} {word}" if count != 1 else word.removesuffix("s")
        for count, word in (
            (append.pretokens, "pre-tokens"),
            (append.tokens, "tokens"),
            (append.characters, "characters"),
        )
        if count is not None
    ]
    if append.pretokens is not None and append.tokens is not None:
        known = [f"{known[0]} (no more than {known[1]})"]
    if known:
        condition = f", if {append.condition}" if append.condition else ""
        besides = ", unless it completes an added token" if seams.added else ""
        bound = f"{' and the last '.join(known)}{condition}{besides}"
        do = "encode these again with it" if seams.proves_cuts else "what is before them stays"
        yield f"An appended text changes at most the last {bound}: {do}."
    if append.family is not None:
        yield "Replay no fixed number of tokens: the more text, the more of its tokens change: " + (
            _family(append.family, "behind")
        )
    elif append.tokens is None and append.word_tokens is not None:
        yield (
            "While an appended text only makes the last pre-token longer, it changes at most the "
            f"last {append.word_tokens:,} tokens of it."
        )
    elif append.tokens is None:
        yield "How many tokens at its end an appended text may change is not known."


def _family(family: Family, side: str) -> str:
    parts = [f'"{terminal(one)}"' for one in (family.before, family.after)]
    text = f'"{terminal(family.repeated)}" repeated n times'
    text = f"{parts[0]} and {text}" if family.before else text
    text = f"{text} and {parts[1]}" if family.after else text
    rows = zip(family.times, family.changed, strict=True)
    counts = ", ".join(f"{changed:,} for n = {times:,}" for times, changed in rows)
    return f'"{terminal(family.added)}" {side} {text} changes {counts}.'
