"""Texts of the target's own tokens: joined, cut, with a letter changed, or completed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.worker.vocabularies import vocabulary_bytes

if TYPE_CHECKING:
    import random

    from tokharness.targets.subject import Subject

TOKENS_PER_TEXT = (1, 2, 2, 3, 4, 6)
MAX_LENGTH = 64
"""Most characters of a token that is joined with other tokens."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that are text, tokens that contain a part of a character, and special tokens."""

    whole: tuple[str, ...]
    partial: tuple[bytes, ...]
    special: tuple[str, ...]


def tokens_of(subject: Subject) -> Tokens:
    """Return the tokens of the target, or of the reference if the target does not give them."""
    whole, partial = [], []
    for token in vocabulary_bytes(subject):
        try:
            text = token.decode()
        except UnicodeDecodeError:
            partial.append(token)
        else:
            if 0 < len(text) <= MAX_LENGTH:
                whole.append(text)
    return Tokens(tuple(whole), tuple(partial), tuple(subject.special_tokens))


def token_texts(rng: random.Random, tokens: Tokens, count: int) -> list[str]:
    """Join tokens; every fourth text has a partial, changed or near-special token."""
    sizes = rng.choices(TOKENS_PER_TEXT, k=count)
    chosen = iter(rng.choices(tokens.whole, k=sum(sizes)))
    texts = []
    for number, size in enumerate(sizes):
        parts = [next(chosen) for _ in range(size)]
        if number % 4 == 0:
            parts[0] = _change(rng, parts[0], tokens)
        texts.append("".join(parts))
    return texts


def _change(rng: random.Random, text: str, tokens: Tokens) -> str:
    kind = int(rng.random() * 6)
    position = int(rng.random() * len(text))
    if kind == 0 and tokens.partial:
        return _complete(rng, rng.choice(tokens.partial))
    if kind == 1 and tokens.special:
        text = rng.choice(tokens.special)
        position = int(rng.random() * len(text))
        return text[:position] + rng.choice(("", " ", "\u200b", "\u0301", text)) + text[position:]
    if kind == 2:
        return text.swapcase()
    if kind == 3:
        return text[:position] + text[position + 1 :]
    if kind == 4:
        return text + text
    return text[position:] + text[:position]


def _complete(rng: random.Random, token: bytes) -> str:
    """Complete a part of a character with random bytes; bytes that do not fit are dropped."""
    before = bytes(rng.choices(range(0xC2, 0xF5), k=1)) if token[0] & 0xC0 == 0x80 else b""
    after = bytes(rng.choices(range(0x80, 0xC0), k=3))
    for end in range(4):
        try:
            return (before + token + after[:end]).decode()
        except UnicodeDecodeError:
            continue
    return (before + token + after).decode("utf-8", "ignore")
