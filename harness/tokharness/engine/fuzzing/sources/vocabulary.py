"""Texts of the target's own tokens: joined, cut, with a letter changed, or completed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised, call

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["Tokens", "bytes_of_tokens", "token_texts", "tokens_of"]

MAX_DECODED = 50_000
"""Ids that are decoded if the bytes of tokens are unknown."""

TOKENS_PER_TEXT = (1, 2, 2, 3, 4, 6)
MAX_LENGTH = 64
"""Characters of a token that is joined with others."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that are text, tokens that contain a part of a character, and special tokens."""

    whole: tuple[str, ...]
    partial: tuple[bytes, ...]
    special: tuple[str, ...]


def tokens_of(subject: Subject) -> Tokens:
    """Return the tokens of the target, or of the reference if the target does not give them."""
    tokens: Iterable[bytes] = bytes_of_tokens(subject).values()
    if not tokens and subject.reference is not None:
        tokens = _decode_ids(subject, subject.reference.n_vocab)
    if not tokens:
        tokens = _decode_ids(subject, subject.target.n_vocab)
    whole, partial = [], []
    for token in dict.fromkeys(tokens):
        try:
            text = token.decode()
        except UnicodeDecodeError:
            partial.append(token)
        else:
            if 0 < len(text) <= MAX_LENGTH:
                whole.append(text)
    return Tokens(tuple(whole), tuple(partial), tuple(subject.special_tokens))


def bytes_of_tokens(subject: Subject) -> Mapping[int, bytes]:
    """Return the bytes of each id, none if the target does not give them or crashes."""
    if not subject.target.can("decode_single_token_bytes"):
        return {}
    try:
        return subject.vocabulary()
    except TargetDeath:  # an audit reports it
        return {}


def _decode_ids(subject: Subject, size: int | None) -> list[bytes]:
    """Decode single ids if their bytes are unknown; parts of characters are left out.

    Stops at the first id that crashes the target; a check reports it.
    """
    tokens = []
    for number in sample_evenly(range(size or 0), MAX_DECODED):
        text = call(subject.target.decode, [number])
        if isinstance(text, Raised):
            if isinstance(text.error, TargetDeath):
                break
        elif text and "\ufffd" not in text:
            tokens.append(text.encode("utf-8", "surrogatepass"))
    return tokens


def token_texts(rng: random.Random, tokens: Tokens, count: int) -> list[str]:
    """Join tokens; every fourth text has a partial or changed token, or one close to a special."""
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
