"""Hugging Face's library ``tokenizers``, from a ``tokenizer.json`` or a list of tokens.

``hf:FILE``      a ``tokenizer.json``, a ``vocab.txt`` of WordPiece or CLIP's merges, whatever the
                 name of the file is
``hf:FOLDER``    a folder with a ``tokenizer.json``, or else with a ``vocab.txt``, or ``vocab.json``
                 and ``merges.txt``
``hf@RELEASE:FILE``   a ``tokenizer.json``, with another release of the library, such as
                 ``hf@0.20.3:tokenizer.json``, in an environment of its own
``hf:NAME``      a repository of the Hugging Face Hub, such as ``hf:openai-community/gpt2``, from
                 the cache of ``huggingface_hub`` or, with a network, from the hub;
                 ``NAME@REVISION`` is a branch, a tag or a commit

It needs the extra ``tokharness[hf]``: ``tokenizers`` 0.20 or later, 1.0 included.

Plain text is encoded with ``encode_special_tokens``, so that special tokens in it are text, and
without the ids of the post-processor. ``encode`` is the library's default: it reads special tokens
from text and adds those ids. ``encode_special`` reads special tokens and adds nothing. Decoding
keeps special tokens (``skip_special_tokens=False``).

Added tokens that are not special are read from all text, also by the reference; they are the
attribute ``added_tokens``. ``normalizer`` is the normal form of the file, or ``tokenizer.json`` if
the file declares other changes of the text; ``normalize`` gives the text that decoding has to
return.

Of a list of tokens, the library reads the list, and has the stages that the class in
``tokenizer_config.json`` has in ``transformers``; without it, those that the tokens show. Release
1.0 cannot do this.

The automatic reference is ``reference`` with the same file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokharness_tokenizers import libraries, releases

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.hugging_face.engine import Engine

__all__ = [
    "LIBRARY",
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "load_release",
    "prepare",
    "recognize",
    "reference",
    "versions",
]

SCHEME, LIBRARY = "hf", "tokenizers"
RUNS_CODE = False


def load(rest: str) -> Engine:
    """Load a file into the library; raises TargetError if it is not there or is refused."""
    libraries.require("tokenizers", SCHEME)
    from tokharness_tokenizers.hugging_face import engine, hub

    return engine.load(hub.locate(rest))


def load_release(release: str, rest: str) -> Remote:
    """Load a ``tokenizer.json`` into another release; raises TokharnessError."""
    from tokharness_tokenizers.hugging_face import hub, of_release

    return of_release.load(release, hub.locate(rest))


prepare = partial(releases.prepare, SCHEME)
"""Make the environment of a release."""


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the same file."""
    from tokharness_tokenizers.hugging_face import hub

    return f"reference:{hub.locate(rest)}"


def describe(rest: str) -> Description | None:
    """Return what the file has; raises VocabularyError if it is damaged."""
    from tokharness_tokenizers import descriptions
    from tokharness_tokenizers.hugging_face import hub

    path = hub.locate(rest)
    found = descriptions.describe_target(path)
    return found or descriptions.describe_target(path, "tokenizer_json")


def recognize(path: Path) -> str | None:
    """Return the path of a file, or of a folder that has one, that the library reads."""
    from tokharness_tokenizers import file_formats

    found = file_formats.find(path) if path.exists() else None
    if found is None:
        return None
    is_json = found[0].__name__.endswith(".tokenizer_json")
    is_list = hasattr(found[0], "record") and found[0].library(found[1]) is not None
    return str(path) if is_json or is_list else None


def healthy(rest: str) -> list[str]:
    """Return the folders of small healthy files of the same kind."""
    from tokharness_tokenizers.hugging_face import hub
    from tokharness_tokenizers.hugging_face import token_files as files

    return [str(folder) for folder in files.folders_of_kind(hub.locate(rest))]


def versions() -> dict[str, str]:
    """Return the version of the library; none if it is not installed."""
    return libraries.versions("tokenizers")
