"""What is to be trained, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Trained", "Training"]


@dataclass(frozen=True, slots=True)
class Training:
    """What is to be trained: ``vocab_size`` ordinary tokens, and the special ones after them.

    ``pattern`` cuts the pre-tokens: a regular expression, or a name that the adapter knows.
    ``unicode_version`` is the one its classes are read at, None the adapter's own. ``jobs`` is how
    many processes may work; what is trained does not depend on it.
    """

    vocab_size: int
    pattern: str
    special_tokens: tuple[str, ...] = ()
    unicode_version: str | None = None
    name: str = "trained"
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training: ordinary tokens, bytes of text, characters no pre-token covers."""

    tokens: int
    size: int
    left_out: int
