"""Byte-level BPE: tiktoken's ranks and a side file.

The algorithm is that of Sennrich et al. 2016, over the bytes of pre-tokens as in GPT-2. The file
has the format of tiktoken, one token and its rank a line. Its side file ``FILE.json`` has the
pattern, the special tokens, the Unicode version, and how the vocabulary was made. Patterns may
have the names ``r50k``, ``cl100k`` and ``o200k``. Special tokens get the ids after the others.

Of equally frequent pairs, the least pair of byte strings is merged first.
"""

from __future__ import annotations

import platform
import re
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.errors import TokharnessError, UnknownNameError, UsageError
from tokharness.training import TrainingResult
from tokharness.unicode import versions
from tokharness_tokenizers.reference import byte_bpe_training, ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import (
    count_pretokens,
    learn_ranks,
    make_vocabulary,
)
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K
from tokharness_tokenizers.trainers._corpus import Corpus, counted, fewer_tokens, refuse_repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from tokharness.training import TrainingOptions

__all__ = ["NAME", "OPTIONS", "PATTERNS", "SIDE_SUFFIXES", "spec", "train"]

NAME = "byte-bpe"
OPTIONS = ("name", "pattern", "special_tokens", "unicode_version")
SIDE_SUFFIXES = (".json",)

PATTERNS: Mapping[str, str] = MappingProxyType({"r50k": R50K, "cl100k": CL100K, "o200k": O200K})
"""The patterns that have a name."""


def spec(path: Path) -> str:
    """Return the spec of tiktoken's engine with the trained ranks."""
    # A bare name without the suffix would name a known vocabulary.
    is_path = path.suffix == ".tiktoken" or len(path.parts) > 1
    return f"tiktoken:{path if is_path else f'./{path}'}"


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train a vocabulary on texts and write it, with its side file, to ``path``.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            texts have no pre-tokens.
        TokharnessError: a counting process ended early.
        OSError: a file cannot be written.

    """
    pattern = _pattern("o200k" if options.pattern is None else options.pattern)
    unicode_version = options.unicode_version or versions.REGEX_VERSION
    name = path.name.removesuffix(".tiktoken") if options.name is None else options.name
    _validate(options, name, pattern, unicode_version)
    corpus = Corpus(texts)
    try:
        counts = count_pretokens(corpus, pattern, unicode_version, jobs=options.jobs)
    except ChildProcessError as error:
        raise TokharnessError(str(error)) from error
    covered = sum(len(pretoken) * count for pretoken, count in counts.items())
    if not covered:
        raise corpus.nothing_found("the pattern matches nothing in the corpus")
    ranks = learn_ranks(counts, options.vocab_size, progress=progress)
    special = options.special_tokens
    vocabulary = make_vocabulary(name, pattern, ranks, special, unicode_version)
    ranks_file.save(path, vocabulary, _how_made(corpus, options))
    notes = fewer_tokens(options, len(ranks))
    if lost := corpus.characters - covered:
        unmatched = counted(lost, "character")
        note = f"the pattern does not match {unmatched} of the corpus; such characters are lost "
        notes += (f"{note}when a text is encoded",)
    return TrainingResult(len(ranks), len(special), corpus.size, notes)


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


def _validate(options: TrainingOptions, name: str, pattern: str, unicode_version: str) -> None:
    """Raise UsageError for invalid options, by a training without texts."""
    refuse_repeated(options.special_tokens)
    try:
        byte_bpe_training.train(
            [],
            vocab_size=options.vocab_size,
            pattern=pattern,
            special_tokens=options.special_tokens,
            unicode_version=unicode_version,
            name=name,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error


def _how_made(corpus: Corpus, options: TrainingOptions) -> dict[str, Any]:
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
