"""Train a vocabulary and write it to a file; its side file says how it was made."""

from __future__ import annotations

import hashlib
import platform
import re
from dataclasses import dataclass, field
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.errors import TokharnessError, UnknownNameError, UsageError
from tokharness.training import TrainingResult
from tokharness.unicode import versions
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import learn_ranks, make_vocabulary, train
from tokharness_tokenizers.reference.counting import count_pretokens
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K
from tokharness_tokenizers.reference.splitting import join_surrogates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from tokharness.training import TrainingOptions

__all__ = ["PATTERNS", "train_file"]

PATTERNS: Mapping[str, str] = MappingProxyType({"r50k": R50K, "cl100k": CL100K, "o200k": O200K})
"""The patterns that have a name."""


def train_file(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train a vocabulary on texts and write it, with its side file, to ``path``.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            texts have no pre-tokens.
        TokharnessError: a counting process ended early.
        OSError: a file cannot be written.

    """
    pattern = _pattern(options.pattern)
    unicode_version = options.unicode_version or versions.REGEX_VERSION
    _validate(options, pattern, unicode_version)
    corpus = _Corpus(texts)
    try:
        counts = count_pretokens(corpus, pattern, unicode_version, jobs=options.jobs)
    except ChildProcessError as error:
        raise TokharnessError(str(error)) from error
    covered = sum(len(pretoken) * count for pretoken, count in counts.items())
    if not covered:
        what = "the pattern matches nothing in the corpus" if corpus.size else "the corpus is empty"
        raise UsageError(f"{what}: there is nothing to train on")
    ranks = learn_ranks(counts, options.vocab_size, progress=progress)
    vocabulary = make_vocabulary(
        options.name, pattern, ranks, options.special_tokens, unicode_version
    )
    ranks_file.save(path, vocabulary, _how_made(corpus, options))
    return TrainingResult(len(ranks), corpus.size, corpus.characters - covered)


def _pattern(name_or_pattern: str) -> str:
    """Return the pattern of a name, or the regular expression itself.

    A string of letters, digits and hyphens is a misspelled name, since as a pattern it would match
    only itself.
    """
    if name_or_pattern in PATTERNS:
        return PATTERNS[name_or_pattern]
    if re.fullmatch(r"[\w-]*", name_or_pattern):
        raise UnknownNameError("pattern", name_or_pattern, PATTERNS)
    return name_or_pattern


def _validate(options: TrainingOptions, pattern: str, unicode_version: str) -> None:
    """Raise UsageError for invalid options, by a training without texts."""
    special = options.special_tokens
    if repeated := [text for text in special if special.count(text) > 1]:
        raise UsageError(f"the special token {repeated[0]!r} is given twice: remove one of them")
    try:
        train(
            [],
            vocab_size=options.vocab_size,
            pattern=pattern,
            special_tokens=special,
            unicode_version=unicode_version,
            name=options.name,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


@dataclass(slots=True)
class _Corpus:
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


def _how_made(corpus: _Corpus, options: TrainingOptions) -> dict[str, Any]:
    return {
        "by": "tokharness train",
        "tokharness": version("tokharness"),
        "python": platform.python_version(),
        "regex": version("regex"),
        "regex_unicode": versions.REGEX_VERSION,
        "vocab_size": options.vocab_size,
        "corpus_sha256": corpus.digest.hexdigest(),
        "corpus_bytes": corpus.size,
    }
