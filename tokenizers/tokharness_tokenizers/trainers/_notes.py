"""Errors and notes that trainers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from tokharness.training import TrainingOptions

__all__ = ["check_least_size", "check_size", "counted", "fewer_tokens"]


def check_least_size(options: TrainingOptions, least: int = 1, why: str = "") -> None:
    """Raise UsageError for a vocabulary that is too small whatever the corpus is."""
    if options.vocab_size < least:
        raise UsageError(f"--vocab-size is at least {least}{why}, not {options.vocab_size}")


def check_size(options: TrainingOptions, alphabet: int, advice: str = "") -> None:
    """Raise UsageError if the vocabulary has no room for the characters of the corpus."""
    if options.vocab_size < alphabet:
        raise UsageError(
            f"a vocabulary of {counted(options.vocab_size, 'token')} is too small for the "
            f"{counted(alphabet, 'token')} of single characters: use --vocab-size {alphabet} or "
            f"more{advice}"
        )


def fewer_tokens(options: TrainingOptions, tokens: int, minimum: int = 2) -> tuple[str, ...]:
    """Return the note for a vocabulary that has fewer tokens than wanted."""
    if tokens == options.vocab_size:
        return ()
    times = {1: "", 2: " twice"}.get(minimum, f" {minimum:,} times")
    return (f"fewer than {options.vocab_size:,} tokens: no pair of tokens occurs{times} now",)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 word", "2,000 words"."""
    return f"{number:,} {noun}{'s' * (number != 1)}"
