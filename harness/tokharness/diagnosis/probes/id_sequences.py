"""Ids to decode: valid, in holes, past the end, negative, and parts of characters."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tokharness.diagnosis.probes.calls import encode_all
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

HUGE = (1_000_000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64)
NEGATIVE = (-1, -2, -(2**31), -(2**31) - 1, -(2**63), -(2**63) - 1)
IN_A_HOLE, PART = "in a hole", "part of a character"
PAST_THE_END, NEGATIVE_ID = "past the end", "negative"
MAX_PARTS = 100
SEQUENCE_COUNT, MAX_LENGTH = 300, 12


def is_sendable(number: int, subject: Subject) -> bool:
    """Whether a number can be sent to the target: requests to another process have 32-bit ids."""
    return not subject.target.has_own_process or -(2**31) <= number < 2**31


def invalid_ids(subject: Subject) -> dict[str, list[int]]:
    """Ids outside the vocabulary, by where they are."""
    n_vocab = subject.target.n_vocab
    past = [*HUGE] if n_vocab is None else [n_vocab, n_vocab + 1, *(i for i in HUGE if i > n_vocab)]
    special = set(subject.target.special_tokens.values())
    invalid = {PAST_THE_END: [i for i in past if i not in special], NEGATIVE_ID: [*NEGATIVE]}
    return {place: [i for i in ids if is_sendable(i, subject)] for place, ids in invalid.items()}


def id_kinds(subject: Subject) -> dict[int, str]:
    """Kind of each id below ``n_vocab``; ids without a kind are in a hole."""
    target = subject.target
    special = dict.fromkeys(target.special_tokens.values(), "special")
    if not target.can("decode_single_token_bytes"):
        return dict.fromkeys(range(target.n_vocab or 0), "below n_vocab") | special
    parts = {number: PART for number, data in subject.vocabulary().items() if data}
    return parts | dict.fromkeys(whole_texts(subject), "ordinary") | special


def partial_characters(subject: Subject) -> list[list[int]]:
    """Sequences of ids that end inside a character."""
    sequences: list[list[int]] = []
    if subject.target.can("decode_single_token_bytes") and subject.target.n_vocab:
        whole = whole_texts(subject)
        tokens = [[n] for n, data in subject.vocabulary().items() if data and n not in whole]
        sequences += tokens[:: -(-len(tokens) // MAX_PARTS) or 1]
    for ids in encode_all(("\u4e2d", "\U0001f9ff", "\U000e0041", "\U00020001"), subject):
        if not isinstance(ids, Raised) and len(ids) > 1:
            sequences += [ids[:1], ids[:-1]]
    return sequences


def random_sequences(subject: Subject) -> list[list[int]]:
    """Random sequences of ordinary ids, the same in each run."""
    draw = random.Random(112)
    numbers = sorted(number for number, data in subject.vocabulary().items() if data)
    if not numbers:
        return []
    return [draw.choices(numbers, k=draw.randint(2, MAX_LENGTH)) for _ in range(SEQUENCE_COUNT)]


def whole_texts(subject: Subject) -> dict[int, str]:
    """Return the text of each ordinary id whose bytes are whole characters."""

    def compute() -> dict[int, str]:
        vocabulary = subject.vocabulary()
        rows = zip(vocabulary, map(text_or_bytes, vocabulary.values()), strict=True)
        return {number: text for number, text in rows if text and isinstance(text, str)}

    return subject.cache.get_or_compute("texts of whole characters", compute)


def text_or_bytes(data: bytes) -> str | bytes:
    """Return the text of bytes that are valid UTF-8, else the bytes."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def is_utf8(data: bytes) -> bool:
    """Whether bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
