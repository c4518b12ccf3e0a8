"""Pre-tokenizers of a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tokharness_tokenizers.reference.components import FEW, probe
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import (
    PREPEND_SCHEMES,
    ByteLevel,
    Metaspace,
)
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import (
    Bert,
    Digits,
    Punctuation,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    BEHAVIORS,
    CharDelimiterSplit,
    FixedLength,
    Sequence,
    Split,
)
from tokharness_tokenizers.reference.tokenizer_json.fields import (
    NUMBERS,
    PUNCTUATION,
    SCRIPTS,
    SPLIT,
    WHITESPACE,
    Tables,
    read_pattern,
)

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.pre_tokenizers.metaspace import PrependScheme
    from tokharness_tokenizers.reference.pre_tokenizers.sequence import Behavior
    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields


def read_pre_tokenizer(fields: Fields, tables: Tables) -> PreTokenizer:
    """Make a pre-tokenizer; raises ValueError if it is damaged or not known."""
    kind = fields.component
    if kind == "Sequence":
        return _sequence(fields, tables)
    if kind == "ByteLevel":
        use_regex = fields.get("use_regex", bool, True)
        version = tables.version(SPLIT) if use_regex else None
        return ByteLevel(fields.get("add_prefix_space", bool, True), use_regex, version)
    if kind == "Split":
        find, isolated = read_pattern(fields, tables)
        return Split(find, _behavior(fields), fields.get("invert", bool, False), isolated)
    if kind == "Whitespace":
        return Whitespace(tables.version(WHITESPACE))
    if kind == "WhitespaceSplit":
        return WhitespaceSplit()
    if kind == "Punctuation":
        return Punctuation(_behavior(fields), tables.version(PUNCTUATION))
    if kind == "BertPreTokenizer":
        return Bert(tables.version(PUNCTUATION))
    if kind == "Digits":
        return Digits(fields.get("individual_digits", bool, False), tables.version(NUMBERS))
    if kind == "UnicodeScripts":
        return UnicodeScripts(tables.version(SCRIPTS))
    return _without_tables(kind, fields)


def _sequence(fields: Fields, tables: Tables) -> Sequence:
    parts = [read_pre_tokenizer(part, tables) for part in fields.leaves("pretokenizers")]
    growing = sum(isinstance(part, ByteLevel | Metaspace) for part in parts)
    sequence = Sequence(tuple(parts), bounded=growing > FEW)
    if sequence.bounded:
        probe(fields.where, lambda text: sequence.pieces(text, at_start=True))
    return sequence


def _without_tables(kind: str, fields: Fields) -> PreTokenizer:
    """Make a pre-tokenizer that needs no Unicode data."""
    if kind == "Metaspace":
        return _metaspace(fields)
    if kind == "CharDelimiterSplit":
        return CharDelimiterSplit(fields.character("delimiter"))
    if kind == "FixedLength":
        return FixedLength(fields.natural("length", 5, least=1))
    raise fields.unknown("pre-tokenizer")


def _metaspace(fields: Fields) -> Metaspace:
    """Make a Metaspace; files before 0.15 have ``add_prefix_space`` in place of the scheme.

    (The library refuses a file whose ``add_prefix_space`` is false and whose scheme is not
    ``never``, even if the scheme is the default.)
    """
    scheme = fields.choice("prepend_scheme", PREPEND_SCHEMES, "always")
    if not fields.get("add_prefix_space", bool, True):
        scheme = "never"
    return Metaspace(
        fields.character("replacement"),
        cast("PrependScheme", scheme),
        fields.get("split", bool, True),
    )


def _behavior(fields: Fields) -> Behavior:
    return cast("Behavior", fields.choice("behavior", BEHAVIORS, "Isolated"))
