"""Train a vocabulary and write it to a file, which says how it was made."""

from __future__ import annotations

import hashlib
import platform
import re
from dataclasses import dataclass, field
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.errors import TokharnessError, UnknownNameError, UsageError
from tokharness.training import Trained
from tokharness.unicode import versions
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import learn_ranks, train, vocabulary
from tokharness_tokenizers.reference.counting import count_pretokens
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K
from tokharness_tokenizers.reference.splitting import joined_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from tokharness.training import Training

__all__ = ["PATTERNS", "train_file"]

PATTERNS: Mapping[str, str] = MappingProxyType({"r50k": R50K, "cl100k": CL100K, "o200k": O200K})
"""Patterns that have a name."""


def train_file(
    texts: Iterable[str], path: Path, training: Training, progress: Callable[[int], object]
) -> Trained:
    """Train a vocabulary on texts and write it, with its side file, to ``path``.

    Raises UsageError for what cannot be trained, before a text is asked for, and where the texts
    have no pre-token; TokharnessError if a counting process ends early; and OSError.
    """
    pattern = _pattern(training.pattern)
    unicode_version = training.unicode_version or versions.REGEX_VERSION
    _try_without_texts(training, pattern, unicode_version)
    corpus = _Measured(texts)
    try:
        counts = count_pretokens(corpus, pattern, unicode_version, jobs=training.jobs)
    except ChildProcessError as error:
        raise TokharnessError(str(error)) from error
    covered = sum(len(pretoken) * count for pretoken, count in counts.items())
    if not covered:
        what = "the pattern matches nothing in the corpus" if corpus.size else "the corpus is empty"
        raise UsageError(f"{what}: there is nothing to train on")
    ranks = learn_ranks(counts, training.vocab_size, progress=progress)
    made = vocabulary(training.name, pattern, ranks, training.special_tokens, unicode_version)
    ranks_file.save(path, made, _how_made(corpus, training))
    return Trained(len(ranks), corpus.size, corpus.characters - covered)


def _pattern(word: str) -> str:
    """Return the pattern of a name, or the regular expression that the word is.

    One of letters, digits and hyphens would match only itself: that is a name misspelt.
    """
    if word in PATTERNS:
        return PATTERNS[word]
    if re.fullmatch(r"[\w-]*", word):
        raise UnknownNameError("pattern", word, PATTERNS)
    return word


def _try_without_texts(training: Training, pattern: str, unicode_version: str) -> None:
    special = training.special_tokens
    if twice := [text for text in special if special.count(text) > 1]:
        raise UsageError(f"the special token {twice[0]!r} is given twice: leave one of them out")
    try:
        train(
            [],
            vocab_size=training.vocab_size,
            pattern=pattern,
            special_tokens=special,
            unicode_version=unicode_version,
            name=training.name,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


@dataclass(slots=True)
class _Measured:
    """Texts that are measured as they pass, without surrogates as training has them."""

    texts: Iterable[str]
    characters: int = 0
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[str]:
        for text in map(joined_surrogates, self.texts):
            data = text.encode()
            self.characters += len(text)
            self.size += len(data)
            self.digest.update(data)
            yield text


def _how_made(corpus: _Measured, training: Training) -> dict[str, Any]:
    return {
        "by": "tokharness train",
        "tokharness": version("tokharness"),
        "python": platform.python_version(),
        "regex": version("regex"),
        "regex_unicode": versions.REGEX_VERSION,
        "vocab_size": training.vocab_size,
        "corpus_sha256": corpus.digest.hexdigest(),
        "corpus_bytes": corpus.size,
    }
