"""Two incomplete tokens form a character between scripts that never stand together.

Why it matters: a model knows a token that ends inside a character only next to the tokens that
usually complete it. A text that joins such a token to another script is unlike every training text.
Jang et al. (2024), "Improbable Bigrams Expose Vulnerabilities of Incomplete Tokens in Byte-Level
Tokenizers", found that models often cannot repeat such texts, and fail far less often if the texts
are encoded as other tokens. So a short text makes a model fail, and no filter expects it.

Oracle: static, over the vocabulary, and then the target itself. The first of two tokens ends inside
a character and the second begins there, the two parts join to an assigned character, and the whole
characters of the two tokens have no script in common (Script_Extensions; Han stands together with
kana, Hangul and Bopomofo, and Latin with all scripts). A pair is counted only if the target encodes
its text to exactly these two ids.

How it works: if there are more than 3,000 pairs, an even sample of them is encoded, and the message
says so. The table has the most frequent pairs of scripts, each with a text and its ids.

Verdicts: *fact*, once. Every vocabulary of byte-level byte-pair encoding that has incomplete tokens
of several scripts has such pairs, and encodes them as it should: no text is lost. What a model does
with such texts is not a property of its tokenizer.

Example: the vocabulary o200k_base, with a text of two Georgian letters and a Telugu letter::

    TOK410 fact  improbable bigrams   1,913 of 2,717 pairs, among them the ids 671 and 13,981

What to do: use the texts of the table when the model is evaluated. Before a vocabulary is trained,
forbid merges that end inside a character, except merges within one character. In production, reject
words that join two scripts, or encode them character by character.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import regex

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.token_content.texts import PARTIAL, content_texts
from tokharness.diagnosis.vocabulary.byte_table import byte_table
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.unicode.confusables import ALL_SCRIPTS, resolved_scripts_of
from tokharness.unicode.properties import category, main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


# Pairs of incomplete tokens that form a character only together, between two scripts.

STARTS_INSIDE = regex.compile(rb"([\x80-\xbf]{1,3})([^\x80-\xbf].*)", regex.DOTALL)
ENDS_INSIDE = regex.compile(rb"(.+)([\xc2-\xdf]|[\xe0-\xef].?|[\xf0-\xf4].{0,2})", regex.DOTALL)
"""The two parts of a token that begins or ends inside a character: the part of it, and the rest."""

EVERYWHERE = "Latn"
"""A script whose words occur in texts of all other scripts."""

UNASSIGNED = ("Cn", "Co", "Cs")


@dataclass(frozen=True, slots=True)
class Half:
    """An incomplete token: its id, its whole characters, and its bytes of the divided character."""

    number: int
    text: str
    part: bytes


@dataclass(frozen=True, slots=True)
class Bigram:
    """Two incomplete tokens, and their joined text."""

    first: Half
    second: Half
    text: str

    @property
    def ids(self) -> list[int]:
        """The ids of both tokens."""
        return [self.first.number, self.second.number]

    @property
    def scripts(self) -> tuple[str, str]:
        """The main scripts of the whole characters of both tokens."""
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
    """Return the tokens that match; the other group than ``whole`` has the part of a character."""
    halves = []
    for number, data in tokens.items():
        match = pattern.fullmatch(data)
        text = _decoded(match[whole]) if match else ""
        if match and text:
            halves.append(Half(number, text, match[3 - whole]))
    return halves


def _by_part_and_scripts(halves: Iterable[Half]) -> dict[tuple[bytes, frozenset[str]], list[Half]]:
    """Group halves in one script other than Latin by their part of a character and the script."""
    groups: dict[tuple[bytes, frozenset[str]], list[Half]] = {}
    halves = list(halves)
    scripts = resolved_scripts_of({char for half in halves for char in half.text})
    for half in halves:
        own = ALL_SCRIPTS.intersection(*map(scripts.__getitem__, half.text))
        if own and own != ALL_SCRIPTS and EVERYWHERE not in own:
            groups.setdefault((half.part, own), []).append(half)
    return groups


def _character(data: bytes) -> str:
    """Return the assigned character with these bytes; empty if there is none."""
    text = _decoded(data)
    return text if len(text) == 1 and category(text) not in UNASSIGNED else ""


def _decoded(data: bytes) -> str:
    """Return bytes as text; empty if they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


CODE = "TOK410"
NAME = "improbable-bigram"
REQUIRES = ("decode_single_token_bytes or bytes_inside", "n_vocab")

MOST_TRIED = 3000
MOST_SHOWN = 20


def audit(subject: Subject) -> Iterator[Failure]:
    """Encode the texts of pairs of incomplete tokens, and count the pairs that come back."""
    vocabulary = byte_table(subject)
    partial = [number for number, text in content_texts(subject).items() if PARTIAL in text]
    pairs = pairs_of({number: vocabulary[number] for number in partial if number in vocabulary})
    tried = pairs[:: -(-len(pairs) // MOST_TRIED)] if pairs else []
    found = produced(tried, subject)
    if found:
        shortest = min(found, key=lambda pair: (len(pair.text), pair.ids))
        first, second = shortest.ids
        sample = f", an even sample of {len(pairs):,}" if len(pairs) > len(tried) else ""
        message = (
            "pairs of incomplete tokens that the encoder gives for a text of two scripts: "
            f"{len(found):,} of {len(tried):,}{sample}; for example ids {first:,} and {second:,}"
        )
        yield Failure(
            Cause("improbable bigrams", (), Verdict.FACT, message),
            count=len(found),
            text=shortest.text,
            evidence={"pairs": len(pairs), "tried": len(tried), "scripts": _rows(found)},
            tokens={"": {number for pair in found for number in pair.ids}},
        )


def _rows(found: Sequence[Bigram]) -> list[dict[str, Any]]:
    """Return a row for each of the most frequent pairs of scripts."""
    counts = Counter(pair.scripts for pair in found)
    examples = {pair.scripts: pair for pair in reversed(found)}
    return [
        {
            "scripts": " and ".join(map(script_name, scripts)),
            "pairs": count,
            "example": examples[scripts].text,
            "its ids": examples[scripts].ids,
        }
        for scripts, count in counts.most_common(MOST_SHOWN)
    ]
