"""Hugging Face's library as a target.

What the library can do is asked of its objects: release 1.0 has no offsets, no normalizer and no
vocabulary on them, and takes as arguments of ``encode`` what earlier releases keep in the object.
What it does not show is read from the file.
"""

from __future__ import annotations

import asyncio
import functools
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers import libraries, variants
from tokharness_tokenizers.hugging_face import bounds, facts, token_files
from tokharness_tokenizers.hugging_face.declaration import declaration_of, file_declaration
from tokharness_tokenizers.hugging_face.loaded import load_differences
from tokharness_tokenizers.variants import one_by_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tokharness_tokenizers.hugging_face.loaded import Row
    from tokharness_tokenizers.variants import Variants

# What the library shows of its stages: the text after each of them.


def token_text(tokenizer: Any, number: int) -> str:
    """Return the text of a token; raises KeyError if no token has the id."""
    try:
        if hasattr(tokenizer, "id_to_token"):
            text = tokenizer.id_to_token(number)
        else:
            text = next(iter(tokenizer.decode_tokens([number])), None)
    except OverflowError:  # more than 32 bits, or negative
        text = None
    if text is None:
        raise KeyError(f"no token has the id {number!r}")
    return str(text)


def stages(
    tokenizer: Any,
    text: str,
    encode: Callable[[str], Sequence[int]],
    encode_with_others: Callable[[str], Sequence[int]],
    added: Sequence[str],
) -> list[tuple[str, list[str]]]:
    """Return a plain text after each stage that the library shows, with the name of the stage.

    The normalizer and the pre-tokenizer are called alone, on a text without added tokens.
    """
    ids, with_others = encode(text), encode_with_others(text)
    shown = []
    if hasattr(tokenizer, "normalizer") and not any(token in text for token in added):
        normalizer, pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
        normalized = text if normalizer is None else normalizer.normalize_str(text)
        shown.append(("normalizer", [normalized]))
        words = [normalized] if normalized else []
        if pre_tokenizer is not None:
            words = [word for word, _ in pre_tokenizer.pre_tokenize_str(normalized)]
        shown.append(("pre-tokenizer", words))
    shown.append(("model", [token_text(tokenizer, number) for number in ids]))
    shown.append(("post-processor", [token_text(tokenizer, number) for number in with_others]))
    shown.append(("decoder", [tokenizer.decode(list(ids), skip_special_tokens=False)]))
    return shown


# Further entry points of ``Tokenizer`` in Hugging Face's library ``tokenizers``.

NOT_CALLED = {
    "post_process": "it takes ids that were encoded before, not a text",
    "num_special_tokens_to_add": "it takes no text",
    "tokenize": "it gives no ids: release 1.0 calls encode, and then decode_tokens",
}


def encoders_of(tokenizer: Any, options: Mapping[str, Any]) -> Variants:
    """Return the entry points that give the ids of plain texts.

    ``options`` are arguments with which special tokens are text, if that is no setting of the
    object (release 1.0).
    """
    arguments = {"add_special_tokens": False, **options}
    found: dict[str, Callable[[list[str]], Any]] = {}

    def rows(call: Callable[..., Any], method: Any, texts: list[str]) -> list[list[int]]:
        encodings = call(method, texts, arguments)
        return [facts.without_batch_padding(one, tokenizer.padding) for one in encodings]

    for name, call in BATCHES.items():
        if method := getattr(tokenizer, name, None):
            found[name] = partial(rows, call, method)
    if method := getattr(tokenizer, "async_encode", None):
        found["async_encode"] = one_by_one(lambda text: _wait(method, text, arguments).ids)
    if not options:
        found["encode with is_pretokenized=True"] = one_by_one(
            lambda text: tokenizer.encode([text], is_pretokenized=True, **arguments).ids
        )
    elif tokenizer.padding is None:  # else a call without it is not padded
        found["encode with padding=None"] = one_by_one(
            lambda text: tokenizer.encode(text, padding=None, **arguments).ids
        )
        found["encode_batch with padding=None"] = lambda texts: [
            encoding.ids for encoding in tokenizer.encode_batch(texts, padding=None, **arguments)
        ]
    return found


def decoders_of(tokenizer: Any) -> Variants:
    """Return the entry points that give the texts of ids."""
    method = getattr(tokenizer, "async_decode_batch", None)
    if method is None:
        return {}
    return {"async_decode_batch": lambda rows: _wait(method, rows, {"skip_special_tokens": False})}


def _wait(method: Callable[..., Any], argument: Any, options: Mapping[str, Any]) -> Any:
    """Return the result of an asynchronous method, which needs a running event loop."""

    async def call() -> Any:
        return await method(argument, **options)

    return asyncio.run(call())


def _now(method: Callable[..., Any], argument: Any, options: Mapping[str, Any]) -> Any:
    return method(argument, **options)


BATCHES = {
    "encode_batch_fast": _now,
    **dict.fromkeys(("async_encode_batch", "async_encode_batch_fast"), _wait),
}
"""Entry points for several texts, and how to call them."""


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
        self.stage_versions = facts.stage_versions()
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
        encoders = encoders_of(plain, self._options)
        self.encode_variants = functools.partial(variants.results, encoders)
        decoders = decoders_of(plain)
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
        return token_text(self._plain, number)

    def stages(self, text: str) -> list[tuple[str, list[str]]]:
        """Return a plain text after each stage that the library shows."""

        def encode_with_others(text: str) -> list[int]:
            return self._plain.encode(text, **self._options).ids  # type: ignore[no-any-return]

        encode = self.encode_ordinary, encode_with_others
        return stages(self._plain, text, *encode, tuple(self.added_tokens))

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
