"""Texts of the target's own tokens: joined, cut inside, with a letter changed, completed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.engine.worker.units import sample_evenly
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["Tokens", "bytes_of_tokens", "token_texts", "tokens_of"]

MOST_DECODED = 50_000
TOKENS_A_TEXT = (1, 2, 2, 3, 4, 6)
LONGEST = 64
"""Characters of a token that is joined with others."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens that are text, tokens that hold a part of a character, and special ones."""

    whole: tuple[str, ...]
    partial: tuple[bytes, ...]
    special: tuple[str, ...]


def tokens_of(subject: Subject) -> Tokens:
    """Tokens of the target, or of the reference if the target does not tell them."""
    found: Iterable[bytes] = bytes_of_tokens(subject).values()
    if not found and subject.reference is not None:
        found = _decoded(subject, subject.reference.n_vocab)
    if not found:
        found = _decoded(subject, subject.target.n_vocab)
    whole, partial = [], []
    for token in dict.fromkeys(found):
        try:
            text = token.decode()
        except UnicodeDecodeError:
            partial.append(token)
        else:
            if 0 < len(text) <= LONGEST:
                whole.append(text)
    return Tokens(tuple(whole), tuple(partial), tuple(subject.special_tokens))


def bytes_of_tokens(subject: Subject) -> Mapping[int, bytes]:
    """Bytes of each id; none where the target does not tell them, or dies of being asked."""
    if not subject.target.can("decode_single_token_bytes"):
        return {}
    try:
        return subject.vocabulary()
    except TargetDeath:  # an audit tells it
        return {}


def _decoded(subject: Subject, size: int | None) -> list[bytes]:
    """Texts of single ids, where nothing tells their bytes; what is cut inside is left out.

    As far as the first id that ends the target's process, which is a check's to tell.
    """
    found = []
    for number in sample_evenly(range(size or 0), MOST_DECODED):
        text = called(subject.target.decode, [number])
        if isinstance(text, Raised):
            if isinstance(text.error, TargetDeath):
                break
        elif text and "\ufffd" not in text:
            found.append(text.encode("utf-8", "surrogatepass"))
    return found


def token_texts(rng: random.Random, tokens: Tokens, count: int) -> list[str]:
    """Join tokens; every fourth text has a part of one, a variant or what is near a special."""
    sizes = rng.choices(TOKENS_A_TEXT, k=count)
    chosen = iter(rng.choices(tokens.whole, k=sum(sizes)))
    texts = []
    for number, size in enumerate(sizes):
        parts = [next(chosen) for _ in range(size)]
        if number % 4 == 0:
            parts[0] = _changed(rng, parts[0], tokens)
        texts.append("".join(parts))
    return texts


def _changed(rng: random.Random, text: str, tokens: Tokens) -> str:
    kind = int(rng.random() * 6)
    place = int(rng.random() * len(text))
    if kind == 0 and tokens.partial:
        return _completed(rng, rng.choice(tokens.partial))
    if kind == 1 and tokens.special:
        text = rng.choice(tokens.special)
        place = int(rng.random() * len(text))
        return text[:place] + rng.choice(("", " ", "\u200b", "\u0301", text)) + text[place:]
    if kind == 2:
        return text.swapcase()
    if kind == 3:
        return text[:place] + text[place + 1 :]
    if kind == 4:
        return text + text
    return text[place:] + text[:place]


def _completed(rng: random.Random, token: bytes) -> str:
    """Characters around a part of one: what is missing is any continuation bytes."""
    before = bytes(rng.choices(range(0xC2, 0xF5), k=1)) if token[0] & 0xC0 == 0x80 else b""
    after = bytes(rng.choices(range(0x80, 0xC0), k=3))
    for end in range(4):
        try:
            return (before + token + after[:end]).decode()
        except UnicodeDecodeError:
            continue
    return (before + token + after).decode("utf-8", "ignore")
