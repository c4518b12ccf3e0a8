"""A tokenizer as ``transformers`` loads it, through ``AutoTokenizer``.

``transformers:FOLDER``   a folder with the files of a tokenizer: ``tokenizer.json``,
                          ``tokenizer_config.json`` and others
``transformers@RELEASE:FOLDER``   the same with another release, such as
                          ``transformers@4.57.3:FOLDER``

It needs the extra ``tokharness[transformers]``. Nothing is downloaded, and no code of the folder is
run (``trust_remote_code=False``).

What ``AutoTokenizer`` makes of a ``tokenizer.json`` may differ from the file: a class that
``tokenizer_config.json`` names can put another pre-tokenizer or post-processor in its place. The
automatic reference is ``reference`` with the ``tokenizer.json`` of the folder, which shows that, or
with its ``vocab.txt``, or ``vocab.json`` and ``merges.txt``, if the class is one of those that the
reference knows. Other folders have none.

Plain text is encoded with ``split_special_tokens=True`` and without the ids of the post-processor;
``encode`` is the default of the library, which reads special tokens from text. Decoding keeps
special tokens. The library cuts texts off and fills them up on request only, so the ``truncation``
and the ``padding`` of a ``tokenizer.json`` are not applied; the reference applies them.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError, VocabularyError
from tokharness.home import expand_user
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers import libraries, releases, variants
from tokharness_tokenizers.programs.releases.of_transformers import NOT_CALLED, Library, make

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tokharness.model import Description
    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.hugging_face.declaration import Declaration
    from tokharness_tokenizers.hugging_face.loaded import Row

__all__ = [
    "LIBRARY",
    "NOT_CALLED",
    "RUNS_CODE",
    "SCHEME",
    "describe",
    "healthy",
    "load",
    "load_release",
    "prepare",
    "reference",
    "versions",
]


SCHEME = LIBRARY = "transformers"
RUNS_CODE = False


def load(rest: str) -> AutoTarget:
    """Load a folder; raises TargetError if it is not there or is refused."""
    folder = expand_user(rest)
    if not folder.is_dir():
        raise TargetError(f"there is no folder {folder}: name one with the files of a tokenizer")
    libraries.require("transformers", SCHEME)
    from tokharness_tokenizers.hugging_face import bounds

    bounds.refuse_outside(folder)
    record = bounds.parsed(folder / "tokenizer.json")
    bounds.refuse_large(folder / "tokenizer.json", record)
    try:
        # Two objects, as the setting is part of the object and threads would disturb each other.
        plain, reading = (_load(folder, split_special_tokens=split) for split in (True, False))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic is not an Exception
        reason = " ".join(str(error).split())[:300]
        message = f"transformers refuses the folder {folder}: {reason}"
        raise TargetError(message, failure=type(error).__name__) from error
    return AutoTarget(folder, record, plain, reading)


def _load(folder: Path, **options: Any) -> Any:
    return make(str(folder), **options)


def _stage_versions() -> dict[str, str]:
    from tokharness_tokenizers.hugging_face import loaded

    return loaded.stage_versions()


def _declaration(
    folder: Path,
    content: Any,
    reading: Any,
    round_trip: Callable[[str], str],
    ids: Mapping[str, int],
) -> Declaration:
    """Return what the file declares; without one, what the library has made of other files.

    ``ids`` has the ids that the library gives the added tokens, by text.
    """
    from tokharness_tokenizers.hugging_face import declaration

    tokenizer = reading.backend_tokenizer if reading.is_fast else None
    if (folder / "tokenizer.json").is_file():
        return declaration.file_declaration(content, tokenizer, round_trip, ids)
    if (found := _list_of(folder)) is not None:
        name, record = found
        return declaration.declaration_of(record, tokenizer, round_trip, ids, name)
    if tokenizer is None:
        return declaration.Declaration()
    record = json.loads(tokenizer.to_str())
    return declaration.declaration_of(record, tokenizer, round_trip, ids, "transformers")


def load_release(release: str, rest: str) -> Remote:
    """Load a folder into another release; raises TokharnessError."""
    from tokharness_tokenizers.hugging_face import of_release

    folder = expand_user(rest)
    if not folder.is_dir():
        raise TargetError(f"there is no folder {folder}: name one with the files of a tokenizer")
    return of_release.load_folder(release, folder, _list_of(folder))


prepare = partial(releases.prepare, SCHEME)
"""Make the environment of a release."""


def reference(rest: str) -> str | None:
    """Return the spec of our reference with the files of the folder, if it reads them."""
    folder = expand_user(rest)
    file = folder / "tokenizer.json"
    if file.is_file():
        return f"reference:{file}"
    return f"reference:{folder}" if _list_of(folder) is not None else None


def describe(rest: str) -> Description | None:
    """Return what the files of the folder have; None if our reference does not read them.

    Raises VocabularyError if one of them is damaged.
    """
    from tokharness_tokenizers import descriptions

    if reference(rest) is None:
        return None
    return descriptions.describe_target(expand_user(rest))


def _list_of(folder: Path) -> tuple[str, dict[str, Any]] | None:
    """Return a folder's list of tokens: its name and a ``tokenizer.json``; None if it is unread."""
    from tokharness_tokenizers.hugging_face import token_files

    try:
        return token_files.record_of(folder) if folder.is_dir() else None
    except VocabularyError:
        return None


def healthy(rest: str) -> list[str]:
    """Return the folders of small healthy files of the same kind."""
    from tokharness_tokenizers.hugging_face import token_files as files

    folder = expand_user(rest)
    file = folder / "tokenizer.json"
    found = files.folders_of_kind(file if file.is_file() else folder)
    return [str(one) for one in found]


def versions() -> dict[str, str]:
    """Return the versions of the library and of the one below it; none if it is not installed."""
    found = libraries.versions("transformers")
    return found and found | libraries.versions("tokenizers")


class AutoTarget(Library):
    """A tokenizer of the release that is installed, with what its files declare."""

    def __init__(self, folder: Path, record: Any, plain: Any, reading: Any) -> None:
        super().__init__(str(folder), plain, reading)
        ids = {**self.special_tokens, **self.added_tokens}
        declaration = _declaration(folder, record, reading, self._round_trip, ids)
        self.stage_versions = _stage_versions() if reading.is_fast else {}
        declaration.at_versions(self.stage_versions).give_to(self)
        self._file = folder / "tokenizer.json"
        shows_stages = reading.is_fast and self._file.is_file()
        self.load_differences = self._load_differences if shows_stages else None
        self.encode_variants = partial(variants.results, self.encoders)

    def _load_differences(self, most: int) -> list[Row]:
        from tokharness_tokenizers.hugging_face.loaded import COMPONENTS, load_differences

        record = parse_json(read_file(self._file))
        loaded = self._reading.backend_tokenizer.to_str()
        return load_differences(record, loaded, most, COMPONENTS)

    def _round_trip(self, text: str) -> str:
        return self.decode(self.encode_ordinary(text))
