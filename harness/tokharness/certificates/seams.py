"""The certificate of seams: between which characters a text may be cut, and what a cache may keep.

A cut is *neutral* if the ids of the text before it and those of the text after it, joined, are the
ids of the whole. The reference proves it for all texts that end with a character of a class and go
on with a character of a class. What is not proven is shown to change ids by two texts, or it is
not known.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tokharness.errors import TargetError
from tokharness.escaping import terminal
from tokharness.outcome import Raised
from tokharness.unicode.properties import runs_of_members

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.model import Target

VERSION = 1
EXAMPLES = 8
"""Characters of a class that the certificate names."""

Verdict: TypeAlias = Literal["safe", "changes", "not known"]
"""A cut is neutral for all texts; changes the ids of some text that is shown; or neither is known.
"""


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """Characters next to which cuts have the same verdicts.

    Attributes:
        name: Its name, for people.
        examples: Some of its characters.
        spans: Its code points, half-open, in order.

    """

    name: str
    examples: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Witness:
    """Two texts whose ids, joined, are not those of the joined text.

    Attributes:
        last: The class of the last character of the text before the cut.
        first: The class of the first character of the text after it.
        before: The text before the cut.
        after: The text after it.

    """

    last: int
    first: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AddedText:
    """An added token, in whose text no cut is neutral; the flags are those of Hugging Face."""

    text: str
    single_word: bool
    lstrip: bool
    rstrip: bool
    special: bool


@dataclass(frozen=True, slots=True)
class Family:
    """Texts ``before + repeated * n + after`` of which more and more tokens change.

    Attributes:
        before: What the texts begin with.
        repeated: What is repeated.
        after: What the texts end with.
        added: The text that is appended, or prepended.
        times: The numbers n that were tried.
        changed: The tokens of each text that the added text changes.

    """

    before: str
    repeated: str
    after: str
    added: str
    times: tuple[int, ...]
    changed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Append:
    """What a text that is appended may change: bounds that are proven, or None if not known.

    Attributes:
        pretokens: The most pre-tokens at the end.
        tokens: The most tokens at the end.
        characters: The most characters at the end.
        condition: What must hold of the appended text; "" if nothing must.
        word_tokens: The most tokens at the end of the last pre-token, while this only gets longer.
        family: Texts that show that no number of tokens is enough.

    """

    pretokens: int | None
    tokens: int | None
    characters: int | None
    condition: str
    word_tokens: int | None
    family: Family | None


@dataclass(frozen=True, slots=True)
class Seams:
    """The certificate of a target.

    Attributes:
        spec: The spec of the target.
        stages: The stages that the proof goes through.
        reason: Why nothing is proven; "" if something is.
        classes: The classes of characters.
        verdicts: The verdict of a cut, by the class of the character before it and after it.
        witnesses: The texts behind each verdict "changes".
        added: The added tokens.
        append: What an appended text may change.
        prepend: Texts of which a prepended text changes more and more tokens.
        assumptions: What the proof assumes.

    """

    spec: str
    stages: tuple[str, ...]
    reason: str
    classes: tuple[CharacterClass, ...]
    verdicts: tuple[tuple[Verdict, ...], ...]
    witnesses: tuple[Witness, ...]
    added: tuple[AddedText, ...]
    append: Append
    prepend: Family | None
    assumptions: tuple[str, ...]

    @property
    def proves_cuts(self) -> bool:
        """Whether some cut is proven to be neutral."""
        return any("safe" in row for row in self.verdicts)

    def record(self) -> dict[str, Any]:
        """Return the certificate as JSON has it (``schemas/seams.json``)."""
        return {"seams": VERSION, **dataclasses.asdict(self)}


def certify(target: Target, reference: Target | None) -> Seams:
    """Return the certificate of a target, from the proof of its reference.

    Raises:
        TargetError: the reference has no proof of cuts, or there is none.

    """
    owner = next((one for one in (target, reference) if one is not None and one.can("seams")), None)
    if owner is None:
        raise TargetError(
            f"{target.spec} has no reference that proves cuts; tokharness knows those of "
            "byte-level BPE, of tokenizer.json, of SentencePiece models and of RWKV's lists"
        )
    data = owner.call("seams", EXAMPLES)
    if isinstance(data, Raised):
        error = f"{type(data.error).__name__}: {data.error}"
        raise TargetError(f"{owner.spec}: the proof of its cuts fails: {error}")
    return seams_of(target.spec, data)


def seams_of(spec: str, data: Mapping[str, Any]) -> Seams:
    """Return the certificate that a reference gives as plain data."""
    append = data["append"]
    return Seams(
        spec,
        tuple(data["stages"]),
        data["reason"],
        tuple(_class_of(one["spans"], one["examples"]) for one in data["classes"]),
        tuple(map(tuple, data["verdicts"])),
        tuple(Witness(*row) for row in data["witnesses"]),
        tuple(AddedText(**one) for one in data["added"]),
        Append(**{**append, "family": _family_of(append["family"])}),
        _family_of(data["prepend"]["family"]),
        tuple(data["assumptions"]),
    )


def _class_of(spans: list[list[int]], examples: list[str]) -> CharacterClass:
    pairs = tuple((start, end) for start, end in spans)
    return CharacterClass(class_name(pairs, examples), tuple(examples), pairs)


def _family_of(record: Mapping[str, Any] | None) -> Family | None:
    if record is None:
        return None
    lists = {name: tuple(record[name]) for name in ("times", "changed")}
    return Family(**{**record, **lists})


GROUPS = {
    "capital letters": r"[\p{Lu}\p{Lt}]",
    "small letters": r"\p{Ll}",
    "letters without case": r"[\p{Lm}\p{Lo}]",
    "marks": r"\p{M}",
    "numbers": r"\p{N}",
    "punctuation": r"\p{P}",
    "symbols": r"\p{S}",
    "line breaks": r"[\n\r]",
    "other white space": r"[\t\x0b\x0c\x85\p{Z}]",
    "controls and format characters": r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\p{Cf}]",
    "code points without a character": r"[\p{Cn}\p{Co}]",
}
"""Sets of ``regex`` that contain each character once."""

LETTERS = ("capital letters", "small letters", "letters without case")
ASCII = "".join(map(chr, range(0x80)))
FEW = 8
"""Characters of a class that are all shown."""
MOST, SOME = 0.9, 0.1
"""Shares of a group from which a class has it, or some of it."""


def class_name(spans: Sequence[tuple[int, int]], examples: Sequence[str]) -> str:
    """Return the name of a class of characters, with some of its characters."""
    size = sum(end - start for start, end in spans)
    if size <= FEW:
        return " ".join(_quoted(chr(p)) for start, end in spans for p in range(start, end))
    whole: list[str] = []
    some: list[str] = []
    named: set[str] = set()
    for group, (starts, ends) in _groups().items():
        total = sum(ends) - sum(starts)
        common = _common(spans, starts, ends)
        if common >= MOST * total:
            whole.append(group)
        elif common >= SOME * total or 2 * common > size:
            some.append(f"some {group}")
        if group in whole or some[-1:] == [f"some {group}"]:
            named.update(char for char in ASCII if _holds(char, zip(starts, ends, strict=True)))
    if set(LETTERS) <= set(whole):
        whole = ["letters", *(one for one in whole if one not in LETTERS)]
    words = [*whole, *some] or ["a few characters"]
    others = [char for char in ASCII if _holds(char, spans) and char not in named]
    words += map(_quoted, others[:4])
    shown = " ".join(map(_quoted, examples[:4]))
    return f"{', '.join(words)} ({shown} ...)"


def _holds(char: str, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= ord(char) < end for start, end in spans)


def _quoted(char: str) -> str:
    return f'"{terminal(char)}"'


@cache
def _groups() -> dict[str, tuple[list[int], list[int]]]:
    found = {}
    for name, expression in GROUPS.items():
        runs = runs_of_members(expression)
        found[name] = [run.start for run in runs], [run.stop for run in runs]
    return found


def _common(spans: Sequence[tuple[int, int]], starts: list[int], ends: list[int]) -> int:
    """Return the number of code points that spans and runs share."""
    found = 0
    for start, end in spans:
        place = max(bisect_right(starts, start) - 1, 0)
        while place < len(starts) and starts[place] < end:
            found += max(0, min(end, ends[place]) - max(start, starts[place]))
            place += 1
    return found
