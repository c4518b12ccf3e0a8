"""mistral-common, the library of Mistral's models.

``mistral:FILE``     a ``tekken.json``, or a SentencePiece model, whatever its name is
``mistral:FOLDER``   a folder with one of them
``mistral:NAME``     a file that the library carries, such as ``mistral:tekken_240911.json`` or
                     ``mistral:tokenizer.model.v1``

It needs the extra ``tokharness[mistral]``: ``mistral-common`` 1.8.8 or later.

``encode`` is the library's ``encode(text, bos=False, eos=False)``; both arguments are required, so
the library has no default. Special tokens are never read from text. The target is the tokenizer
below the prompts of a chat, which are made of ids.

Decoding keeps the special tokens of a Tekken vocabulary (``SpecialTokenPolicy.KEEP``). Those of a
SentencePiece model are left out (``SpecialTokenPolicy.IGNORE``), since the library otherwise
returns pieces, with U+2581 for a space, and not text. What such a model changes in a text is its
``normalizer``, and the text that decoding has to return is ``normalize``.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description
    from tokharness_tokenizers.mistral.engine import Engine

__all__ = [
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "names",
    "recognize",
    "reference",
    "versions",
]

SCHEME = "mistral"
RUNS_CODE = False
LIBRARY = "mistral-common"


def load(rest: str) -> Engine:
    """Load a file into the library; raises TargetError or UnknownNameError."""
    libraries.require(LIBRARY, SCHEME)
    from tokharness_tokenizers.mistral import engine, files

    path = files.locate(rest)
    is_tekken = files.format_of(path) == files.TEKKEN
    try:
        return engine.load_tekken(path) if is_tekken else engine.load_sentencepiece(path)
    except Exception as error:
        raise libraries.refusal(LIBRARY, path, error, files.TEKKEN, files.SENTENCEPIECE) from error


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    from tokharness_tokenizers.mistral import files

    return f"reference:{files.locate(rest)}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions
    from tokharness_tokenizers.mistral import files

    return descriptions.describe_target(files.locate(rest))


def names() -> tuple[str, ...]:
    """Return the names of the files that the library carries; none if it is not installed."""
    from tokharness_tokenizers.mistral import files

    return tuple(sorted(files.carried()))


def recognize(path: Path) -> str | None:
    """Return the path if it is a Tekken vocabulary or a folder that has one."""
    from tokharness_tokenizers.file_formats import is_a

    return str(path) if is_a("tekken_json", path) else None


def healthy(rest: str) -> list[str]:
    """Return small healthy files of the same format."""
    from tokharness_tokenizers.mistral import files
    from tokharness_tokenizers.vocabularies.locate import healthy_files

    is_tekken = files.format_of(files.locate(rest)) == files.TEKKEN
    return healthy_files("tekken*.json" if is_tekken else "bpe*.model")


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions(LIBRARY)
