"""Hugging Face's library as a target.

What the library can do is asked of its objects: release 1.0 has no offsets, no normalizer and no
vocabulary on them, and takes as arguments of ``encode`` what earlier releases keep in the object.
What it does not show is read from the file.
"""

from __future__ import annotations

import functools
import json
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers import libraries, variants
from tokharness_tokenizers.hugging_face import bounds, loaded, token_files
from tokharness_tokenizers.hugging_face.declaration import declaration_of, file_declaration
from tokharness_tokenizers.hugging_face.loaded import load_differences, refused_part
from tokharness_tokenizers.programs.releases.of_tokenizers import NOT_CALLED, Library

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokharness_tokenizers.hugging_face.loaded import Row

__all__ = ["NOT_CALLED", "Engine", "load"]


class Engine(Library):
    """A tokenizer of the release that is installed, with what its file declares.

    ``record`` is the content of a ``tokenizer.json``, None if it is not JSON; or that which stands
    for a list of tokens, whose format is ``list_name``.
    """

    def __init__(self, path: Path, list_name: str, record: Any, plain: Any, reading: Any) -> None:
        super().__init__(str(path), record, plain, reading)
        self.stage_versions = loaded.stage_versions()
        ids = {**self.special_tokens, **self.added_tokens}
        if list_name:
            declaration = declaration_of(record, plain, self._round_trip, ids, list_name)
        else:
            declaration = file_declaration(record, plain, self._round_trip, ids)
        declaration.at_versions(self.stage_versions).give_to(self)
        self.merges, self.scores = declaration.merges, declaration.scores
        self._path = path
        shows_stages = not list_name and hasattr(plain, "to_str")  # those of a list are ours
        self.load_differences = self._load_differences if shows_stages else None
        self.encode_variants = functools.partial(variants.results, self.encoders)
        self.decode_variants = functools.partial(variants.results, self.decoders)

    def _load_differences(self, most: int) -> list[Row]:
        record = parse_json(read_file(self._path))
        return load_differences(record, self._reading.to_str(), most)

    def _round_trip(self, text: str) -> str:
        return self.decode(self.encode_ordinary(text))


FORMATS = ("tokenizer_json", "clip_merges", "vocabulary_and_merges", "wordpiece_list")
"""The kinds of files that the library reads, as modules of :mod:`..file_formats`."""


def load(path: Path) -> Engine:
    """Load a ``tokenizer.json`` or a list of tokens; raises TargetError if it is refused."""
    list_name, made = token_files.record_of(path) or ("", None)
    record = made or bounds.parsed(path)
    bounds.refuse_large(path, record)
    try:
        plain = _make(path, made)
        reading = plain
        if hasattr(plain, "encode_special_tokens"):
            reading = _with_same_model(plain) or _make(path, made)
            plain.encode_special_tokens = True
    except (KeyboardInterrupt, TargetError):
        raise
    except BaseException as error:  # a panic is not an Exception
        where = "" if made else refused_part(record, _is_read)
        raise libraries.refusal("tokenizers", path, error, *FORMATS, where=where) from error
    return Engine(path, list_name, record, plain, reading)


def _with_same_model(tokenizer: Any) -> Any:
    """Return a tokenizer with the same model in memory, None if it would not be the same.

    The library takes three kilobytes for each piece of Unigram: 840 MB for 276,000 pieces.
    """
    if tokenizer.truncation is not None or tokenizer.padding is not None:
        return None
    other = type(tokenizer)(tokenizer.model)
    for stage in token_files.STAGES:
        if (part := getattr(tokenizer, stage)) is not None:
            setattr(other, stage, part)
    added = tokenizer.get_added_tokens_decoder()
    # In few calls, as each of them makes the search for all added tokens.
    in_order = [added[number] for number in sorted(added)]
    for is_special, tokens in groupby(in_order, key=attrgetter("special")):
        (other.add_special_tokens if is_special else other.add_tokens)(list(tokens))
    return other if other.get_added_tokens_decoder() == added else None


def _is_read(record: Mapping[str, Any]) -> bool:
    from tokenizers import Tokenizer

    try:
        Tokenizer.from_str(json.dumps(record))
    except KeyboardInterrupt:
        raise
    except BaseException:  # a panic is not an Exception
        return False
    return True


def _make(path: Path, record: Mapping[str, Any] | None) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(path)) if record is None else token_files.make(path, record)
