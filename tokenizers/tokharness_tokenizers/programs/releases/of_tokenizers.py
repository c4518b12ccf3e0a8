"""A release of Hugging Face's ``tokenizers``, with a ``tokenizer.json``.

Release 1.0 needs numpy; all that the library needs besides is for models on a hub.
"""

# scheme: hf
# library: tokenizers
# pip: --no-deps tokenizers==RELEASE numpy

from __future__ import annotations

import asyncio
import json
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

PLAIN = {"encode_special_tokens": True}
"""Arguments of ``encode`` with which special tokens are text, in release 1.0."""


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
            words = _words(tokenizer, text, normalized)
        shown.append(("pre-tokenizer", words))
    shown.append(("model", [token_text(tokenizer, number) for number in ids]))
    shown.append(("post-processor", [token_text(tokenizer, number) for number in with_others]))
    shown.append(("decoder", [tokenizer.decode(list(ids), skip_special_tokens=False)]))
    return shown


FIRST = b'"prepend_scheme":"first"'


def _words(tokenizer: Any, text: str, normalized: str) -> list[str]:
    """Return the pre-tokens of a normalized text.

    Metaspace with the scheme ``first`` puts a mark before a text alone, and before no text that the
    normalizer has stripped at the start.
    """
    pre_tokenizer = tokenizer.pre_tokenizer
    words = [word for word, _ in pre_tokenizer.pre_tokenize_str(normalized)]
    is_marked = bool(words) and not words[0].startswith(normalized[:1].replace(" ", words[0][:1]))
    if is_marked and FIRST in pre_tokenizer.__getstate__():
        offsets = tokenizer.encode(text, add_special_tokens=False).offsets
        if offsets and offsets[0][0] > 0:
            words[0] = words[0][1:]
    return words


def added_tokens(tokenizer: Any, record: Any) -> tuple[dict[str, int], dict[str, int]]:
    """Return the ids of the special tokens and of the other added ones, by text.

    They are those that the library shows: it may ignore the id that the file says. ``record`` is
    the content of the file.
    """
    if hasattr(tokenizer, "get_added_tokens_decoder"):
        known = tokenizer.get_added_tokens_decoder()
        rows = [(token.content, number, token.special) for number, token in known.items()]
    else:
        rows = [
            (one["content"], _id_of(tokenizer, one["content"], one["id"]), bool(one["special"]))
            for one in record.get("added_tokens") or ()
            if one["content"]
        ]
    special = {text: number for text, number, is_special in rows if is_special}
    return special, {text: number for text, number, is_special in rows if not is_special}


def _id_of(tokenizer: Any, content: str, number: int) -> int:
    """Return the id of an added token of a release that has no table of them."""
    options = {"add_special_tokens": False, "padding": None, "truncation": None}
    ids = tokenizer.encode(content, **options).ids
    return int(ids[0]) if len(ids) == 1 else number


def n_vocab(tokenizer: Any, record: Any, added: Mapping[str, int]) -> int:
    """Return one more than the largest id, which may be that of an added token."""
    if hasattr(tokenizer, "get_vocab"):
        return max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1) + 1
    vocabulary = record["model"]["vocab"]
    ids = [len(vocabulary) - 1] if isinstance(vocabulary, list) else [*vocabulary.values()]
    return max([*ids, *added.values()], default=-1) + 1


def without_batch_padding(encoding: Any, padding: Any) -> list[int]:
    """Return ids without those that only fill a row up to the longest one of the batch.

    What the row would have alone remains: padding to a length, or to a multiple of one.
    ``padding`` are the settings of the library, a dictionary before 1.0.
    """
    ids: list[int] = encoding.ids
    used = sum(encoding.attention_mask)
    if padding is None or used == len(ids):
        return ids
    settings = padding if isinstance(padding, dict) else _settings(padding)
    if settings["length"] is not None:
        return ids
    kept = used + -used % (settings["pad_to_multiple_of"] or 1)
    return ids[len(ids) - kept :] if settings["direction"] == "left" else ids[:kept]


def _settings(padding: Any) -> dict[str, Any]:
    """Return the settings that padding to a batch depends on."""
    return {name: getattr(padding, name) for name in ("length", "pad_to_multiple_of", "direction")}


# Further entry points of ``Tokenizer``.

NOT_CALLED = {
    "post_process": "it takes ids that were encoded before, not a text",
    "num_special_tokens_to_add": "it takes no text",
    "tokenize": "it gives no ids: release 1.0 calls encode, and then decode_tokens",
}


def encoders_of(
    tokenizer: Any, options: Mapping[str, Any]
) -> dict[str, Callable[[list[str]], Any]]:
    """Return the entry points that give the ids of plain texts.

    ``options`` are arguments with which special tokens are text, if that is no setting of the
    object (release 1.0).
    """
    arguments = {"add_special_tokens": False, **options}
    found: dict[str, Callable[[list[str]], Any]] = {}

    def rows(call: Callable[..., Any], method: Any, texts: list[str]) -> list[list[int]]:
        encodings = call(method, texts, arguments)
        return [without_batch_padding(one, tokenizer.padding) for one in encodings]

    for name, call in BATCHES.items():
        if method := getattr(tokenizer, name, None):
            found[name] = partial(rows, call, method)
    if method := getattr(tokenizer, "async_encode", None):
        found["async_encode"] = lambda texts: [_wait(method, one, arguments).ids for one in texts]
    if not options:
        found["encode with is_pretokenized=True"] = lambda texts: [
            tokenizer.encode([text], is_pretokenized=True, **arguments).ids for text in texts
        ]
    elif tokenizer.padding is None:  # else a call without it is not padded
        found["encode with padding=None"] = lambda texts: [
            tokenizer.encode(text, padding=None, **arguments).ids for text in texts
        ]
        found["encode_batch with padding=None"] = lambda texts: [
            encoding.ids for encoding in tokenizer.encode_batch(texts, padding=None, **arguments)
        ]
    return found


def decoders_of(tokenizer: Any) -> dict[str, Callable[[list[Any]], Any]]:
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


def has_offsets() -> bool:
    """Whether the release shows offsets, which 1.0 does not."""
    from tokenizers import Encoding

    return hasattr(Encoding, "offsets")


def stream(tokenizer: Any, ids: Sequence[int]) -> Iterator[str]:
    """Yield the parts of a text that the stream of the library gives for ids."""
    from tokenizers.decoders import DecodeStream

    decoder = DecodeStream(skip_special_tokens=False)
    for number in ids:
        if text := decoder.step(tokenizer, number):
            yield text


def stream_calls(tokenizer: Any, rows: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield what a stream gives behind a prompt, the first row, for the ids of each call."""
    from tokenizers.decoders import DecodeStream

    prompt, *calls = rows
    decoder = DecodeStream(ids=[*prompt], skip_special_tokens=False)
    for ids in calls:
        yield decoder.step(tokenizer, [*ids]) or ""


def has_stream_calls() -> bool:
    """Whether the stream of the release takes a prompt, and several ids in a call."""
    if not has_stream():
        return False
    from tokenizers.decoders import DecodeStream

    return "ids" in (getattr(DecodeStream, "__text_signature__", None) or "")


def has_stream() -> bool:
    """Whether the release decodes a stream."""
    try:
        from tokenizers.decoders import DecodeStream
    except ImportError:
        return False
    return DecodeStream is not None


def trims_offsets(post_processor: Any) -> bool:
    """Whether the JSON of a post-processor leaves out the spaces around a token, as by default."""
    if not isinstance(post_processor, dict):
        return False
    if post_processor.get("type") in ("ByteLevel", "RobertaProcessing"):
        return post_processor.get("trim_offsets", True) is True
    parts = post_processor.get("processors")
    return isinstance(parts, list) and any(map(trims_offsets, parts))


class Library:
    """A tokenizer of the library with the method names of tokharness.

    ``plain`` treats special tokens as text and ``reading`` reads them. Both have the signature of
    ``Tokenizer.encode``; they belong to two objects where the setting is part of the object, so
    that threads do not disturb each other. ``record`` is the content of the file.
    """

    plain_setting = "encode_special_tokens=True"

    def __init__(self, name: str, record: Any, plain: Any, reading: Any) -> None:
        self.name = name
        self._plain, self._reading = plain, reading
        self._options = {} if hasattr(plain, "encode_special_tokens") else PLAIN
        self.special_tokens, self.added_tokens = added_tokens(plain, record)
        self.n_vocab = n_vocab(plain, record, {**self.special_tokens, **self.added_tokens})
        self.encode_with_offsets = self._with_offsets if has_offsets() else None
        self.trims_offsets = trims_offsets((record or {}).get("post_processor"))
        self.decode_stream = partial(stream, plain) if has_stream() else None
        self.decode_stream_calls = partial(stream_calls, plain) if has_stream_calls() else None
        self.encoders, self.decoders = encoders_of(plain, self._options), decoders_of(plain)

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
        return [without_batch_padding(row, self._plain.padding) for row in rows]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids, also those of special tokens."""
        return self._plain.decode(ids, skip_special_tokens=False)  # type: ignore[no-any-return]

    @property
    def decode_batch(self) -> Callable[[list[list[int]]], list[str]] | None:
        """Decode several rows of ids, if the library can."""
        decode = getattr(self._plain, "decode_batch", None)
        return decode and partial(decode, skip_special_tokens=False)

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


def load(kind: str, path: str) -> Any:
    """Load a ``tokenizer.json``; raises what the library raises.

    Of the kind ``loaded``, ``name`` is the JSON of what the library has loaded.
    """
    from tokenizers import Tokenizer

    plain = reading = Tokenizer.from_file(path)
    if kind == "loaded":
        return Loaded(plain.to_str())
    with open(path, "rb") as file:  # noqa: PTH123 - this file imports no more than it has to
        record = json.load(file)
    if hasattr(plain, "encode_special_tokens"):
        reading = Tokenizer.from_file(path)
        plain.encode_special_tokens = True
    return Library(path, record, plain, reading)


class Loaded:
    """What the library has loaded, as its ``name``; it encodes nothing."""

    def __init__(self, content: str) -> None:
        self.name = content

    def encode(self, _text: str) -> list[int]:
        """Return no ids."""
        return []

    def decode(self, _ids: Sequence[int]) -> str:
        """Return no text."""
        return ""
