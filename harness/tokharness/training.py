"""The options and the result of training a vocabulary."""

from __future__ import annotations

from dataclasses import dataclass, fields

__all__ = ["TrainingOptions", "TrainingResult"]


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What to train; None is the default of the trainer.

    A trainer uses ``vocab_size`` and ``jobs``, and of the others those that it names.

    Attributes:
        vocab_size: The number of ordinary tokens, without special tokens.
        jobs: The number of processes; it has no effect on the result.
        special_tokens: The texts of the special tokens.
        pattern: The pattern of the pre-tokenizer: a regular expression, or a name that the trainer
            knows.
        unicode_version: The Unicode version of the pattern's character classes.
        name: The name of the vocabulary.
        lowercase: Whether texts are made lower case, and accents removed.
        normalization: The name of the normalization of texts.
        character_coverage: The fraction of the corpus, in characters, that the alphabet covers;
            rarer characters are unknown.
        min_frequency: How often a pair of tokens has to occur to be merged.
        max_piece_length: The number of characters of the longest token.
        byte_fallback: Whether unknown characters are encoded as bytes.

    """

    vocab_size: int
    jobs: int = 1
    special_tokens: tuple[str, ...] = ()
    pattern: str | None = None
    unicode_version: str | None = None
    name: str | None = None
    lowercase: bool | None = None
    normalization: str | None = None
    character_coverage: float | None = None
    min_frequency: int | None = None
    max_piece_length: int | None = None
    byte_fallback: bool | None = None

    def given(self) -> tuple[str, ...]:
        """Return the names of the options without ``vocab_size`` and ``jobs`` that have a value."""
        names = (field.name for field in fields(self))
        return tuple(
            name
            for name in names
            if name not in {"vocab_size", "jobs"} and getattr(self, name) not in {None, ()}
        )


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """A finished training.

    Attributes:
        tokens: The number of ordinary tokens.
        special_tokens: The number of special tokens.
        corpus_bytes: The size of the texts in bytes of UTF-8.
        notes: Lines to print, without a full stop: why there are fewer tokens than wanted, or what
            the vocabulary does not cover.

    """

    tokens: int
    special_tokens: int
    corpus_bytes: int
    notes: tuple[str, ...] = ()
