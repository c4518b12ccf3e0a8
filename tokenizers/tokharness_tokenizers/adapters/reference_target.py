"""The reference implementations of tokharness, in plain Python.

``reference``           the embedded vocabulary of 16,384 tokens
``reference:NAME``      ``embedded``, ``r50k_base``, ``p50k_base``, ``cl100k_base``, ``o200k_base``;
                        all but the first from tiktoken's cache of downloaded files
``reference:PATH``      a ``.tiktoken`` file with its side file ``PATH.json``, a ``tokenizer.json``,
                        or a folder that has one

A byte-level BPE vocabulary has every optional method but those of stages; its automatic reference
is tiktoken's engine with the same ranks and pattern. That of a ``tokenizer.json`` is ``hf`` with
the same file, if the extra ``tokharness[hf]`` is installed; each of its stages has a Unicode
version (``stage_versions``), the newest by default.

Pre-tokens of a byte-level BPE vocabulary have the Unicode version of the side file, or else that of
the installed ``regex``; ``with_unicode_version`` returns a copy with another version, without
reading the files again.

A vocabulary with a defect is loaded too. Encoding raises KeyError where a byte without a token
remains. Of two ids of one token, encoding uses the one on the later line, and both are decoded. An
id that an ordinary and a special token share is decoded as the ordinary one.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from tokharness.errors import VocabularyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tokharness.training import TrainingOptions, TrainingResult
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.reference.pipeline import Pipeline

__all__ = [
    "GUARDED",
    "RUNS_CODE",
    "SCHEME",
    "load",
    "load_ranks",
    "names",
    "reference",
    "train",
    "versions",
]

SCHEME = "reference"
GUARDED = True
RUNS_CODE = False


def load(rest: str) -> ByteBPE | Pipeline:
    """Load a vocabulary into the reference; raises VocabularyError or UnknownNameError."""
    file = _tokenizer_json(rest)
    return load_ranks(rest) if file is None else _load_tokenizer_json(file)


def load_ranks(rest: str) -> ByteBPE:
    """Load a byte-level BPE vocabulary; raises VocabularyError or UnknownNameError."""
    from tokharness_tokenizers.reference import ranks_file
    from tokharness_tokenizers.reference.byte_bpe import ByteBPE
    from tokharness_tokenizers.reference.rank_lines import parse_ranks
    from tokharness_tokenizers.vocabularies import locate

    rest = rest or "embedded"
    path = locate.path_of(rest)
    try:
        if path is not None:
            return ranks_file.load(path)
        published = locate.PUBLISHED[rest]
        data = locate.read_published(published)
        special = published.special_tokens
        # The digest proves the content; cl100k_base has holes between its special tokens.
        lines = parse_ranks(data, str(published.cache_path), special, allow_holes=True)
        return ByteBPE(published.name, published.pattern, lines.ranks, special)
    except (ValueError, OSError) as error:
        raise VocabularyError(str(error)) from error


def _tokenizer_json(rest: str) -> Path | None:
    """Return the path of a ``tokenizer.json``, which need not exist if its name says so."""
    from pathlib import Path

    from tokharness_tokenizers.vocabularies.recognize import is_tokenizer_json

    path = Path(rest).expanduser()
    if path.is_dir():
        path /= "tokenizer.json"
    if rest and path.is_file():
        return path if is_tokenizer_json(path) else None
    return path if rest.endswith(".json") else None


def _load_tokenizer_json(path: Path) -> Pipeline:
    from tokharness_tokenizers.reference import tokenizer_json

    try:
        return tokenizer_json.load(path)
    except (ValueError, OSError) as error:
        raise VocabularyError(str(error)) from error


def reference(rest: str) -> str | None:
    """Return the spec of the library that reads the same vocabulary; None if it is missing."""
    if _tokenizer_json(rest) is None:
        return f"tiktoken:{rest or 'embedded'}"
    try:
        version("tokenizers")
    except PackageNotFoundError:
        return None
    return f"hf:{rest}"


def names() -> tuple[str, ...]:
    """Return the names of the vocabularies."""
    from tokharness_tokenizers.vocabularies import locate

    return locate.NAMES


def versions() -> dict[str, str]:
    """Return the version of the regular expression engine."""
    return {"regex": version("regex")}


def train(
    texts: Iterable[str], path: Path, options: TrainingOptions, progress: Callable[[int], object]
) -> TrainingResult:
    """Train a vocabulary on texts and write it, with its side file, to ``path``.

    Patterns may have the names ``r50k``, ``cl100k`` and ``o200k``.

    Raises:
        UsageError: an option is invalid, which is checked before the first text is read, or the
            texts have no pre-tokens.

    """
    from tokharness_tokenizers.vocabularies import train_file

    return train_file.train_file(texts, path, options, progress)
