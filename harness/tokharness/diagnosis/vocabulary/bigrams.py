"""Pairs of incomplete tokens that form a character only together, between two scripts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised
from tokharness.unicode.confusables import ALL_SCRIPTS, resolved_scripts_of
from tokharness.unicode.properties import category
from tokharness.unicode.scripts import main_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["Bigram", "pairs_of", "produced"]

STARTS_INSIDE = regex.compile(rb"([\x80-\xbf]{1,3})([^\x80-\xbf].*)", regex.DOTALL)
ENDS_INSIDE = regex.compile(rb"(.+)([\xc2-\xdf]|[\xe0-\xef].?|[\xf0-\xf4].{0,2})", regex.DOTALL)
"""The two parts of a token that begins, or ends, inside a character: this part and the rest."""

EVERYWHERE = "Latn"
"""A script whose words stand in texts of all others."""

UNASSIGNED = ("Cn", "Co", "Cs")


@dataclass(frozen=True, slots=True)
class Half:
    """An incomplete token: its id, its whole characters, and its bytes of the divided one."""

    number: int
    text: str
    part: bytes


@dataclass(frozen=True, slots=True)
class Bigram:
    """Two incomplete tokens, and the text of both."""

    first: Half
    second: Half
    text: str

    @property
    def ids(self) -> list[int]:
        """The ids of both tokens."""
        return [self.first.number, self.second.number]

    @property
    def scripts(self) -> tuple[str, str]:
        """The main scripts of the whole characters of both."""
        return main_script(self.first.text), main_script(self.second.text)


def pairs_of(tokens: Mapping[int, bytes]) -> list[Bigram]:
    """Return the pairs of tokens whose whole characters have no script in common.

    Each half has at least one whole character of a script that is not Latin.
    """
    starts = _by_part_and_scripts(_halves(tokens, ENDS_INSIDE, 1))
    ends = _by_part_and_scripts(_halves(tokens, STARTS_INSIDE, 2))
    pairs = []
    for (head, own), (tail, others) in product(starts, ends):
        char = "" if own & others else _character(head + tail)
        if char:
            halves = product(starts[head, own], ends[tail, others])
            pairs += [Bigram(a, b, f"{a.text}{char}{b.text}") for a, b in halves]
    return pairs


def produced(pairs: Sequence[Bigram], subject: Subject) -> list[Bigram]:
    """Return the pairs whose text the target encodes as exactly these two tokens."""
    rows = encode_all([pair.text for pair in pairs], subject)
    return [
        pair
        for pair, ids in zip(pairs, rows, strict=True)
        if not isinstance(ids, Raised) and without_affixes(ids, subject) == pair.ids
    ]


def _halves(tokens: Mapping[int, bytes], pattern: regex.Pattern[bytes], whole: int) -> list[Half]:
    """Return the tokens that match, with whole characters in this group and a part in the other."""
    halves = []
    for number, data in tokens.items():
        match = pattern.fullmatch(data)
        text = _decoded(match[whole]) if match else ""
        if match and text:
            halves.append(Half(number, text, match[3 - whole]))
    return halves


def _by_part_and_scripts(halves: Iterable[Half]) -> dict[tuple[bytes, frozenset[str]], list[Half]]:
    """Group halves of one script other than Latin by their part of a character and the script."""
    groups: dict[tuple[bytes, frozenset[str]], list[Half]] = {}
    halves = list(halves)
    scripts = resolved_scripts_of({char for half in halves for char in half.text})
    for half in halves:
        own = ALL_SCRIPTS.intersection(*map(scripts.__getitem__, half.text))
        if own and own != ALL_SCRIPTS and EVERYWHERE not in own:
            groups.setdefault((half.part, own), []).append(half)
    return groups


def _character(data: bytes) -> str:
    """Return the assigned character that these bytes are; empty if they are none."""
    text = _decoded(data)
    return text if len(text) == 1 and category(text) not in UNASSIGNED else ""


def _decoded(data: bytes) -> str:
    """Return bytes as text; empty if they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""
