"""Sequences of ids that a model may emit, and that encoding a text may never give."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING

from tokharness.boundary.values import all_exact
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.compared_decoding import contradicted_ids
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.diagnosis.probes.id_sequences import partial_characters, whole_texts
from tokharness.diagnosis.probes.running_text import page, snippets
from tokharness.diagnosis.special.unknown_ids import unknown_ids
from tokharness.outcome import Raised
from tokharness.unicode.languages import parallel_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.targets.subject import Subject

__all__ = ["CUT", "PAIRS", "PREFIXES", "TRIPLES", "emitted_sequences"]

PAIRS, TRIPLES = "pairs of tokens", "triples of tokens"
CUT, PREFIXES = "sequences cut inside a character", "prefixes of encodings"

NUMBER = 500
"""Sequences of a length that are drawn from frequent tokens, and as many from all tokens."""

PARTS = 3
"""Places at which an encoding is cut."""

EVERY_NAME = 24
"""One of so many names of CLDR is used."""

LINE = re.compile(r"[^\n.]+\.?")


def emitted_sequences(subject: Subject) -> dict[str, list[list[int]]]:
    """Return distinct sequences of each kind, the same in each run, without special ids.

    Half of the pairs and triples have the tokens of running text, the most frequent ones first; the
    others have any tokens.
    """
    draw = random.Random(113)
    left_out = _left_out(subject)
    encoded = [ids for ids in _encodings(subject) if left_out.isdisjoint(ids)]
    counts = Counter(number for ids in encoded for number in ids)
    ordinary = [number for number in _ordinary(subject) if number not in left_out] or list(counts)
    frequent = sorted(counts.keys() & set(ordinary))
    prefixes = [
        ids[:end]
        for ids in filter(None, encoded)
        for end in draw.sample(range(1, len(ids)), min(PARTS, len(ids) - 1))
    ]
    parts = [ids for ids in partial_characters(subject) if all_exact(ids, int)]
    cut = [ids for ids in parts if left_out.isdisjoint(ids)]
    kinds = {CUT: cut, PREFIXES: prefixes}
    for kind, length in ((PAIRS, 2), (TRIPLES, 3)):
        rows = [
            draw.choices(tokens, k=length)
            for tokens in (frequent, ordinary)
            for _ in range(NUMBER if tokens else 0)
        ]
        kinds[kind] = sorted(rows, key=lambda row: -min(counts[number] for number in row))
    seen: set[tuple[int, ...]] = set()
    return {kind: _unseen(kinds[kind], seen) for kind in (PAIRS, TRIPLES, CUT, PREFIXES)}


def _unseen(rows: Sequence[list[int]], seen: set[tuple[int, ...]]) -> list[list[int]]:
    new = [ids for ids in dict.fromkeys(map(tuple, rows)) if ids and ids not in seen]
    seen.update(new)
    return list(map(list, new))


def _left_out(subject: Subject) -> frozenset[int]:
    """Ids that do not stand for a text of their own: special, added, unknown, contradicted."""
    special = {*subject.special_tokens.values(), *subject.target.added_tokens.values()}
    if subject.target.unknown_id is not None:
        special.add(subject.target.unknown_id)
    return frozenset(special | unknown_ids(subject) | contradicted_ids(subject))


def _ordinary(subject: Subject) -> Sequence[int]:
    """Return the ids of whole characters, or all ids if the target does not show its tokens."""
    if subject.target.can("decode_single_token_bytes"):
        return list(whole_texts(subject))
    return range(subject.target.n_vocab or 0)


def _encodings(subject: Subject) -> list[list[int]]:
    """Return the ids of sentences, of lines of code and of names in all languages."""
    names = " ".join(text for text, _ in parallel_texts().values()).split()
    lines = [line for text in snippets().values() for line in text.splitlines() if line.strip()]
    texts = [*LINE.findall(page()), *lines, *names[::EVERY_NAME]]
    rows = [ids for ids in encode_all(texts, subject) if not isinstance(ids, Raised)]
    return [without_affixes(ids, subject) for ids in rows if all_exact(ids, int)]
