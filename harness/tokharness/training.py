"""The options and the result of training a vocabulary."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TrainingOptions", "TrainingResult"]


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What to train.

    Attributes:
        vocab_size: The number of ordinary tokens; special tokens get the ids after them.
        pattern: The pattern of the pre-tokenizer: a regular expression, or a name that the adapter
            knows.
        special_tokens: The texts of the special tokens.
        unicode_version: The Unicode version of the pattern's character classes; None for the
            adapter's default.
        name: The name of the vocabulary.
        jobs: The number of processes; it has no effect on the result.

    """

    vocab_size: int
    pattern: str
    special_tokens: tuple[str, ...] = ()
    unicode_version: str | None = None
    name: str = "trained"
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """Counts of a finished training.

    Attributes:
        tokens: The number of ordinary tokens.
        corpus_bytes: The size of the texts in bytes of UTF-8.
        uncovered_characters: The number of characters that are in no pre-token.

    """

    tokens: int
    corpus_bytes: int
    uncovered_characters: int
