"""Decoders of a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.decoders.tokens import (
    CTC,
    BPEDecoder,
    ByteFallback,
    ByteLevel,
    Fuse,
    Metaspace,
    Replace,
    Sequence,
    Strip,
    WordPiece,
)
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.growth import probe
from tokharness_tokenizers.reference.tokenizer_json.tables import read_replacement

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.components import Decoder
    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields
    from tokharness_tokenizers.reference.tokenizer_json.tables import Tables


def read_decoding(fields: Fields | None, suffix: str, tables: Tables) -> Decoding:
    """Make the decoder with its data from the model: the suffix of words."""
    decoder = None if fields is None else read_decoder(fields, tables)
    components = _components(decoder)
    return Decoding(
        decoder,
        suffix,
        cleans_up=any(map(_cleans_up, components)),
        joins_bytes=any(isinstance(one, ByteLevel) for one in components),
        reads_bytes=any(isinstance(one, ByteFallback) for one in components),
        bytes_of=bytes_of if isinstance(decoder, ByteLevel) else None,
    )


def _components(decoder: Decoder | None) -> tuple[Decoder | None, ...]:
    if not isinstance(decoder, Sequence):
        return (decoder,)
    return tuple(inner for one in decoder.components for inner in _components(one))


def _cleans_up(decoder: Decoder | None) -> bool:
    return isinstance(decoder, WordPiece | CTC) and decoder.cleanup


def read_decoder(fields: Fields, tables: Tables) -> Decoder:
    """Make a decoder; raises ValueError if it is damaged or unknown."""
    kind = fields.component
    if kind == "Sequence":
        leaves = fields.leaves("decoders")
        parts = [read_decoder(part, tables) for part in leaves]
        replaced = [read_replacement(one, tables) for one in leaves if one.component == "Replace"]
        growing = [one for one in replaced if one.grows]
        spaced = [one for one in leaves if one.component in SPACED]
        sequence = Sequence(tuple(parts), bounded=len(growing) + len(spaced) > 1)
        if sequence.bounded:
            literals = (one.literal for one in replaced)
            probe(fields.where, lambda text: sequence.decode([text, text]), literals)
        return sequence
    if kind in SIMPLE:
        return SIMPLE[kind]()
    if kind == "WordPiece":
        return WordPiece(fields.get("prefix", str, "##"), fields.get("cleanup", bool, True))
    if kind == "Metaspace":
        scheme = fields.choice("prepend_scheme", ("always", "first", "never"), "always")
        prepends = fields.get("add_prefix_space", bool, True) and scheme != "never"
        return Metaspace(fields.character("replacement", "\u2581"), prepends)
    if kind == "BPEDecoder":
        return BPEDecoder(fields.get("suffix", str, "</w>"))
    if kind == "CTC":
        return CTC(
            fields.get("pad_token", str, "<pad>"),
            fields.get("word_delimiter_token", str, "|"),
            fields.get("cleanup", bool, True),
        )
    if kind == "Replace":
        return Replace(read_replacement(fields, tables).substitute)
    if kind == "Strip":
        start, stop = (fields.natural(name) for name in ("start", "stop"))
        return Strip(fields.character("content"), start, stop)
    raise fields.unknown("decoder")


SPACED = ("WordPiece", "BPEDecoder", "CTC")
"""Decoders that put spaces between tokens, or in place of their marks."""

SIMPLE: dict[str, Callable[[], Decoder]] = {
    "ByteLevel": ByteLevel,
    "ByteFallback": ByteFallback,
    "Fuse": Fuse,
}
