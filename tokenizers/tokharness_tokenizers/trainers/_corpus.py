"""What trainers share: the texts of a corpus, errors and notes, special tokens, the spec."""

from __future__ import annotations

import gc
import hashlib
import shlex
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokharness.errors import UsageError
from tokharness_tokenizers import file_formats
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokharness.training import TrainingOptions

# Training without the garbage collector, which looks at millions of lasting objects in vain.


@contextmanager
def without_collector() -> Iterator[None]:
    """Turn off the collection of cycles, of which training makes none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


# The fraction of a corpus that the characters of a vocabulary cover.


def character_coverage(options: TrainingOptions, *, default: float) -> float:
    """Return the fraction; raises UsageError if it is none."""
    coverage = default if options.character_coverage is None else options.character_coverage
    if not 0 < coverage <= 1:
        raise UsageError(f"--character-coverage is a fraction up to 1, not {coverage}")
    return coverage


# Errors and notes that trainers share.


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


# The target that loads a trained file.

SCHEME = "reference"


def library_spec(path: Path) -> str:
    """Return the spec of the library that reads a file, or of the reference if it is missing."""
    found = file_formats.find(path)
    scheme = str(found[0].library(path) or SCHEME).partition(":")[0] if found else SCHEME
    # A bare name without a suffix would name a known vocabulary.
    return f"{scheme}:{path if path.suffix or len(path.parts) > 1 else f'./{path}'}"


# The special tokens that a user adds.


def refuse_repeated(special_tokens: Sequence[str], defaults: Iterable[str] = ()) -> None:
    """Raise UsageError if a special token is given twice, or is one that the model has anyway."""
    if repeated := [text for text in special_tokens if special_tokens.count(text) > 1]:
        raise UsageError(f"the special token {repeated[0]!r} is given twice: remove one of them")
    known = set(defaults)
    if needless := [text for text in special_tokens if text in known]:
        raise UsageError(
            f"the model has the token {needless[0]!r} by default: "
            f"remove --special-token {shlex.quote(needless[0])}"
        )


@dataclass(slots=True)
class Corpus:
    """Texts without surrogates, whose size and digest are computed during the iteration."""

    texts: Iterable[str]
    characters: int = 0
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[str]:
        for text in map(join_surrogates, self.texts):
            data = text.encode()
            self.characters += len(text)
            self.size += len(data)
            self.digest.update(data)
            yield text

    def nothing_found(self, words: str) -> UsageError:
        """Return the error if there is nothing to train on; ``words`` say why, if it has text."""
        what = words if self.size else "the corpus is empty"
        return UsageError(f"{what}: there is nothing to train on")
