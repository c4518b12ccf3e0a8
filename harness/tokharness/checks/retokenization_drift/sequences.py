"""How often sequences of ids that a model may emit change when their text is encoded."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from tokharness.boundary.values import all_exact
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.ids.compared_decoding import contradicted_ids
from tokharness.diagnosis.probes.calls import decode_all, encode_all, reportable_ids
from tokharness.diagnosis.probes.id_sequences import is_utf8, partial_characters, whole_texts
from tokharness.diagnosis.probes.running_text import page, snippets
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.unicode.languages import parallel_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.targets.subject import Subject

# Decode sequences of ids, and encode their texts again.


@dataclass(frozen=True, slots=True)
class Retokenized:
    """A sequence of ids, its text, and the ids of that text, without ids that every text gets."""

    ids: list[Any]
    text: str
    again: list[Any]

    @property
    def changed(self) -> bool:
        """Whether the ids change."""
        return self.ids != self.again

    @property
    def reach(self) -> int:
        """Number of ids from the first change to the end."""
        same = takewhile(lambda pair: pair[0] == pair[1], zip(self.ids, self.again, strict=False))
        return len(self.ids) - len(list(same))

    def in_words(self) -> str:
        """Describe which ids become which."""
        before, after = (", ".join(map(str, ids)) for ids in (self.ids, self.again))
        return f'the text "{self.text}" of ids {before} is encoded as {after or "no ids"}'


def retokenize(rows: Sequence[list[int]], subject: Subject) -> list[Retokenized]:
    """Decode each row and encode its text.

    Rows on which the target raises, and texts with a special id or an id that is not an integer,
    are left out, since other checks report them.
    """
    special = frozenset(subject.special_tokens.values()) - unknown_ids(subject)
    texts = decode_all(rows, subject)
    decoded = [(r, t) for r, t in zip(rows, texts, strict=True) if not isinstance(t, Raised)]
    encoded = encode_all([text for _, text in decoded], subject)
    results = []
    for (ids, text), again in zip(decoded, encoded, strict=True):
        if isinstance(again, Raised) or not all_exact(again, int):
            continue
        own = without_affixes(again, subject)
        if special.isdisjoint(own):
            results.append(Retokenized(ids, text, own))
    return results


PAIRS, TRIPLES = "pairs of tokens", "triples of tokens"
CUT, PREFIXES = "sequences cut inside a character", "prefixes of encodings"

NUMBER = 500
"""Sequences of a length that are drawn from frequent tokens; equally many come from all tokens."""

PARTS = 3
"""Places at which an encoding is cut."""

EVERY_NAME = 24
"""Step between the names of CLDR that are used."""

LINE = re.compile(r"[^\n.]+\.?")


def emitted_sequences(subject: Subject) -> dict[str, list[list[int]]]:
    """Return distinct sequences of each kind, the same in each run, without special ids.

    Half of the pairs and triples have the tokens of running text; the other half have any tokens.
    Sequences of the most frequent tokens come first.
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


# How often ids change when their text is encoded again, and the worst sequences.

ByKind = dict[str, list["Retokenized"]]

SHOWN = 5
"""Sequences of a kind that are shown."""

LONGEST_EXAMPLE = 3
"""Ids of a sequence that the message shows."""


def retokenized_by_kind(subject: Subject) -> ByKind:
    """Decode and encode sequences of each kind; a sequence that breaks a character has kind CUT."""
    vocabulary = subject.vocabulary() if subject.target.can("decode_single_token_bytes") else None
    rows: ByKind = {kind: [] for kind in (PAIRS, TRIPLES, PREFIXES, CUT)}
    for kind, sequences in emitted_sequences(subject).items():
        for row in retokenize(sequences, subject):
            whole = PREFIXES if kind == CUT else kind
            rows[CUT if _is_cut(row, vocabulary) else whole].append(row)
    return rows


def _is_cut(row: Retokenized, vocabulary: Mapping[int, bytes] | None) -> bool:
    """Whether the sequence begins or ends inside a character."""
    if vocabulary is None:
        return "\ufffd" in row.text
    return not is_utf8(b"".join(vocabulary.get(number, b"") for number in row.ids))


def drift_failure(by_kind: ByKind, subject: Subject) -> Failure | None:
    """Return the fact with the rate of each kind and the worst sequences; None without any."""
    tried = {kind: rows for kind, rows in by_kind.items() if rows}
    if not tried:
        return None
    changed = {kind: [row for row in rows if row.changed] for kind, rows in tried.items()}
    rates = ", ".join(
        f"{len(changed[kind]) / len(rows):.1%} of {len(rows):,} {kind}"
        for kind, rows in tried.items()
    )
    message = f"ids that a model may emit change when their text is encoded again: {rates}"
    worst = {
        kind: sorted(rows, key=lambda row: -row.reach)[:SHOWN]
        for kind, rows in changed.items()
        if kind != CUT  # a cut sequence has U+FFFD in its text
    }
    shown = [row for rows in worst.values() for row in rows]
    if shown and len(shown[0].ids) <= LONGEST_EXAMPLE:
        message += f"; for example {shown[0].in_words()}"
    return Failure(
        Cause("drift of emitted ids", (), Verdict.FACT, message),
        count=sum(map(len, changed.values())),
        text=shown[0].text if shown else None,
        evidence={
            "tried": {kind: len(rows) for kind, rows in tried.items()},
            "changed": {kind: len(rows) for kind, rows in changed.items()},
            "worst": [
                {"kind": kind, **_record(row, subject)} for kind in worst for row in worst[kind]
            ],
        },
    )


def _record(row: Retokenized, subject: Subject) -> dict[str, Any]:
    tokens = decode_all([[number] for number in row.ids], subject)
    return {
        "ids": reportable_ids(row.ids),
        "tokens": ["" if isinstance(text, Raised) else text for text in tokens],
        "ids again": reportable_ids(row.again),
    }
