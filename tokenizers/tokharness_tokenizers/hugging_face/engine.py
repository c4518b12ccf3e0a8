"""Hugging Face's library as a target.

What the library can do is asked of its objects: release 1.0 has no offsets, no normalizer and no
vocabulary on them, and takes as arguments of ``encode`` what earlier releases keep in the object.
What it does not show is read from the file.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers import libraries, variants
from tokharness_tokenizers.hugging_face import bounds, facts, stages, token_files, unicode_versions
from tokharness_tokenizers.hugging_face.declaration import declaration_of, file_declaration
from tokharness_tokenizers.hugging_face.loaded import load_differences
from tokharness_tokenizers.variants import of_hugging_face

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tokharness_tokenizers.hugging_face.loaded import Row

__all__ = ["Engine", "load"]


class Engine:
    """A tokenizer of the library with the method names of tokharness.

    ``plain`` treats special tokens as text and ``reading`` reads them. Both have the signature of
    ``Tokenizer.encode``; they belong to two objects where the setting is part of the object, so
    that threads do not disturb each other. ``record`` is the content of a ``tokenizer.json``, None
    if it is not JSON; or that which stands for a list of tokens, whose format is ``list_name``.
    """

    def __init__(self, path: Path, list_name: str, record: Any, plain: Any, reading: Any) -> None:
        self.name = str(path)
        self._plain, self._reading = plain, reading
        self.plain_setting = "encode_special_tokens=True"
        self.stage_versions = unicode_versions.stage_versions()
        self._options = {} if hasattr(plain, "encode_special_tokens") else PLAIN
        self.special_tokens, self.added_tokens = facts.added_tokens(plain, path)
        self.n_vocab = facts.n_vocab(plain, path, {**self.special_tokens, **self.added_tokens})
        if list_name:
            declaration = declaration_of(record, plain, self._round_trip, list_name)
        else:
            declaration = file_declaration(record, plain, self._round_trip)
        self.normalizer = declaration.normalizer
        self.normalize = declaration.normalize
        self.decode_single_token_bytes = declaration.token_bytes
        self.bytes_inside = declaration.bytes_inside
        self.stages_in_file = declaration.stages
        self.read_from_file = ("decode_single_token_bytes",)
        self.merges, self.scores = declaration.merges, declaration.scores
        self.algorithm, self.unknown_id = declaration.algorithm, declaration.unknown_id
        self._path = path
        shows_stages = not list_name and hasattr(plain, "to_str")  # those of a list are ours
        self.load_differences = self._load_differences if shows_stages else None
        self.encode_with_offsets = self._with_offsets if _has_offsets() else None
        self.decode_stream = self._stream if _has_stream() else None
        encoders = of_hugging_face.encoders(plain, self._options)
        self.encode_variants = functools.partial(variants.results, encoders)
        decoders = of_hugging_face.decoders(plain)
        self.decode_variants = functools.partial(variants.results, decoders)

    def encode_ordinary(self, text: str) -> list[int]:
        """Encode plain text: special tokens in it are text."""
        encoding = self._plain.encode(text, add_special_tokens=False, **self._options)
        return encoding.ids  # type: ignore[no-any-return]

    def encode(self, text: str) -> list[int]:
        """Encode as the library does by default."""
        return self._reading.encode(text).ids  # type: ignore[no-any-return]

    def encode_special(self, text: str) -> list[int]:
        """Encode text whose special tokens get their ids; nothing is added."""
        return self._reading.encode(text, add_special_tokens=False).ids  # type: ignore[no-any-return]

    def encode_batch(self, texts: list[str]) -> list[list[int]]:
        """Encode plain texts; padding to the longest of a batch is taken off again."""
        rows = self._plain.encode_batch(texts, add_special_tokens=False, **self._options)
        return [facts.without_batch_padding(row, self._plain.padding) for row in rows]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._plain.decode(ids, skip_special_tokens=False)  # type: ignore[no-any-return]

    @property
    def decode_batch(self) -> Callable[[list[list[int]]], list[str]] | None:
        """Decode several rows of ids, if the library can."""
        decode = getattr(self._plain, "decode_batch", None)
        return decode and functools.partial(decode, skip_special_tokens=False)

    def token_text(self, number: int) -> str:
        """Return the text of a token as the library has it; raises KeyError for an unknown id."""
        return stages.token_text(self._plain, number)

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a plain text after each stage that the library shows."""

        def encode_with_others(text: str) -> list[int]:
            return self._plain.encode(text, **self._options).ids  # type: ignore[no-any-return]

        encode = self.encode_ordinary, encode_with_others
        return stages.stages(self._plain, text, *encode, tuple(self.added_tokens))

    def _with_offsets(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        encoding = self._plain.encode(text, add_special_tokens=False, **self._options)
        return encoding.ids, encoding.offsets

    def _load_differences(self, most: int) -> list[Row]:
        record = parse_json(read_file(self._path))
        return load_differences(record, self._reading.to_str(), most)

    def _stream(self, ids: Sequence[int]) -> Iterator[str]:
        from tokenizers.decoders import DecodeStream

        stream = DecodeStream(skip_special_tokens=False)
        for number in ids:
            if text := stream.step(self._plain, number):
                yield text

    def _round_trip(self, text: str) -> str:
        return self.decode(self.encode_ordinary(text))


FORMATS = ("tokenizer_json", "clip_merges", "vocabulary_and_merges", "wordpiece_list")
"""The kinds of files that the library reads, as modules of :mod:`..file_formats`."""
PLAIN = {"encode_special_tokens": True}


def _has_offsets() -> bool:
    from tokenizers import Encoding

    return hasattr(Encoding, "offsets")


def _has_stream() -> bool:
    try:
        from tokenizers.decoders import DecodeStream
    except ImportError:
        return False
    return DecodeStream is not None


def load(path: Path) -> Engine:
    """Load a ``tokenizer.json`` or a list of tokens; raises TargetError if it is refused."""
    list_name, made = token_files.record_of(path) or ("", None)
    record = made or bounds.parsed(path)
    bounds.refuse_large(path, record)
    try:
        plain = _make(path, made)
        reading = plain
        if hasattr(plain, "encode_special_tokens"):
            reading = _make(path, made)
            plain.encode_special_tokens = True
    except (KeyboardInterrupt, TargetError):
        raise
    except BaseException as error:  # a panic is not an Exception
        raise libraries.refusal("tokenizers", path, error, *FORMATS) from error
    return Engine(path, list_name, record, plain, reading)


def _make(path: Path, record: Mapping[str, Any] | None) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(path)) if record is None else token_files.make(path, record)
