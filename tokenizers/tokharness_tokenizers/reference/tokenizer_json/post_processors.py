"""Post-processors, truncation, padding and decoders of a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.byte_characters import bytes_of
from tokharness_tokenizers.reference.components import probe
from tokharness_tokenizers.reference.decoders import (
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
from tokharness_tokenizers.reference.post_processors import (
    Padding,
    PostProcessing,
    Template,
    Truncation,
)
from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields, read_replacement

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness_tokenizers.reference.components import Decoder
    from tokharness_tokenizers.reference.post_processors import Direction, Strategy
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables


Parts = tuple["tuple[int, ...] | None", ...]
TEXT: Parts = (None,)
MOST_PARTS = 1000
"""Most ids and texts of a template; templates in use have three."""
MOST_FILLED = 1 << 20
"""Most ids up to which padding fills a text, since they are made for each text."""


def read_post_processing(file: Fields) -> PostProcessing:
    """Make the template, the truncation and the padding of a file.

    Raises:
        ValueError: a part is damaged, or the post-processor is unknown.

    """
    fields = file.child("post_processor")
    template = Template(TEXT if fields is None else _parts(fields))
    return PostProcessing(
        template, _truncation(file.child("truncation")), _padding(file.child("padding"))
    )


def _parts(fields: Fields) -> Parts:
    kind = fields.component
    if kind == "ByteLevel":
        return TEXT
    if kind in ("BertProcessing", "RobertaProcessing"):
        return ((_pair_id(fields, "cls"),), None, (_pair_id(fields, "sep"),))
    if kind == "Sequence":
        parts = TEXT
        for inner in fields.children("processors"):
            parts = _nested(_parts(inner), parts, inner.where)
        return parts
    if kind == "TemplateProcessing":
        known = Fields(f"{fields.where}.special_tokens", fields.get("special_tokens", dict, {}))
        parts = tuple(_template_part(part, known) for part in fields.children("single"))
        return _nested(parts, TEXT, fields.where)
    raise fields.unknown("post-processor")


def _nested(outer: Parts, inner: Parts, where: str) -> Parts:
    """Put a template in place of the text of another template."""
    size = sum(len(inner) if one is None else 1 for one in outer)
    if size > MOST_PARTS:  # several templates with two places each are exponential
        raise LargeError(f"{where} has {size:,} parts with those around it, more than {MOST_PARTS}")
    return tuple(part for one in outer for part in (inner if one is None else (one,)))


def _pair_id(fields: Fields, name: str) -> int:
    pair = fields.get(name, list)
    if [type(one) for one in pair] != [str, int]:
        raise ValueError(f"{fields.where}.{name} is {start_of(pair):.60}, not a token and its id")
    return int(pair[1])


def _template_part(part: Fields, known: Fields) -> tuple[int, ...] | None:
    if (text := part.child("Sequence")) is not None:
        if text.choice("id", ("A", "B")) == "B":
            raise ValueError(f"{part.where} is the second text of a pair, in the template of one")
        text.natural("type_id", 0)  # of no effect on the ids
        return None
    special = part.child("SpecialToken")
    if special is None:
        raise ValueError(f"{part.where} is neither a Sequence nor a SpecialToken")
    special.natural("type_id", 0)
    name = special.get("id", str)
    token = known.child(name)
    if token is None:
        raise ValueError(f"{special.where} names {name!r}, which special_tokens does not have")
    ids = token.get("ids", list)
    if not all(type(number) is int for number in ids):
        raise ValueError(f"{token.where}.ids is {start_of(ids):.60}, not a list of ids")
    return tuple(ids)


def _truncation(fields: Fields | None) -> Truncation | None:
    if fields is None:
        return None
    strategy = fields.choice("strategy", STRATEGIES, STRATEGIES[0])
    return Truncation(
        fields.natural("max_length"),
        _direction(fields),
        cast("Strategy", strategy),
        fields.natural("stride", 0),
    )


def _padding(fields: Fields | None) -> Padding | None:
    if fields is None:
        return None
    fields.natural("pad_type_id", 0)  # of no effect on the ids
    fields.get("pad_token", str, "")
    return Padding(
        fields.natural("pad_id", 0),
        _fixed_length(fields),
        fields.natural("pad_to_multiple_of", None, most=MOST_FILLED),
        _direction(fields),
    )


def _fixed_length(fields: Fields) -> int | None:
    """Return the length to fill up to; None for the length of the longest text."""
    strategy = fields.record.get("strategy", "BatchLongest")
    if strategy == "BatchLongest":
        return None
    if not isinstance(strategy, dict) or list(strategy) != ["Fixed"]:
        raise ValueError(
            f"{fields.where}.strategy is {start_of(strategy):.60}; known: BatchLongest, Fixed"
        )
    return int(Fields(f"{fields.where}.strategy", strategy).natural("Fixed", most=MOST_FILLED))


def _direction(fields: Fields) -> Direction:
    return cast("Direction", fields.choice("direction", ("Left", "Right"), "Right"))


STRATEGIES = ("LongestFirst", "OnlyFirst", "OnlySecond")


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
