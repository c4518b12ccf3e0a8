"""RWKV's "World" tokenizer, of the library ``rwkv``, from its list of tokens.

``rwkv:FILE``   a list of tokens, such as ``rwkv_vocab_v20230424.txt``

It needs the extra ``tokharness[rwkv]``.

The library evaluates each line of the list as Python code. The list is therefore read by our own
reader first, which accepts literals only, and the library gets no other file.

``decode`` of the library returns one U+FFFD for ids whose bytes are not UTF-8 as a whole, and for
ids that have no token. ``encode_bytes`` and ``decode_bytes`` are its ``encodeBytes`` and
``decodeBytes``. The tokenizer has no special tokens: the id 0, the end of a text, has no token.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.errors import VocabularyError
from tokharness_tokenizers import libraries
from tokharness_tokenizers.file_errors import FILE_ERRORS, sentence_of

if TYPE_CHECKING:
    from tokharness.model import Description

__all__ = [
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "recognize",
    "reference",
    "versions",
]

SCHEME = "rwkv"
RUNS_CODE = False


def load(rest: str) -> types.SimpleNamespace:
    """Load a list of tokens; raises TargetError, or VocabularyError if our reader refuses it."""
    from tokharness_tokenizers.reference import rwkv_list
    from tokharness_tokenizers.reference.algorithm_names import LONGEST_MATCH

    libraries.require("rwkv", SCHEME)
    path = Path(rest)
    try:
        other_ids = rwkv_list.load(path).other_ids
    except FILE_ERRORS as error:
        mistake = libraries.mistaken_format("rwkv", path, "rwkv_list")
        raise mistake or VocabularyError(sentence_of(path, error)) from error
    tokenizer = _library_tokenizer(rest)
    bytes_of = tokenizer.idx2token
    return types.SimpleNamespace(
        name=rest,
        algorithm=LONGEST_MATCH,
        n_vocab=max(bytes_of) + 1,
        special_tokens={},
        conflicting_tokens=other_ids,
        encode=tokenizer.encode,
        encode_bytes=tokenizer.encodeBytes,
        decode=tokenizer.decode,
        decode_bytes=tokenizer.decodeBytes,
        decode_single_token_bytes=bytes_of.__getitem__,
    )


def _library_tokenizer(path: str) -> Any:
    from rwkv.rwkv_tokenizer import TRIE_TOKENIZER

    try:
        return TRIE_TOKENIZER(path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise libraries.refusal("rwkv", Path(path), error, "rwkv_list") from error


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    return f"reference:{rest}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions

    return descriptions.describe_target(Path(rest), "rwkv_list")


def recognize(path: Path) -> str | None:
    """Return the path of a list of tokens, if the library is there; else the reference has it."""
    from tokharness_tokenizers.file_formats import is_a

    is_installed = libraries.find_version("rwkv") is not None
    return str(path) if is_installed and is_a("rwkv_list", path) else None


def healthy(_rest: str) -> list[str]:
    """Return the path of a small healthy file of the same kind."""
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    return healthy_files("rwkv.txt")


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions("rwkv")
