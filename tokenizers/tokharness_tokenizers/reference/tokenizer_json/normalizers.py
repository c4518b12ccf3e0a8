"""Normalizers of a ``tokenizer.json``, and the changes of a text that the file declares."""

from __future__ import annotations

import base64
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.components import probe
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap
from tokharness_tokenizers.reference.normalizers.forms import (
    BertNormalizer,
    NormalForm,
    TableVersions,
)
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase, Nmt, StripAccents
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.normalizers.replacing import (
    ByteLevel,
    Prepend,
    Replace,
    Sequence,
    Strip,
)
from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json.fields import (
    CASE,
    CATEGORIES,
    CLUSTERS,
    FORMS,
    MARKS,
    Tables,
    read_replacement,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness_tokenizers.reference.components import Normalizer
    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

NORMAL_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
STABLE = (Strip, StripAccents, Nmt)
"""Normalizers that make no text longer."""


def read_normalizer(fields: Fields, tables: Tables) -> Normalizer:
    """Make a normalizer; raises ValueError if it is damaged or not known."""
    kind = fields.component
    if kind == "Sequence":
        parts = [read_normalizer(part, tables) for part in fields.leaves("normalizers")]
        sequence = Sequence(tuple(parts), bounded=sum(map(_may_grow, parts)) > 1)
        if sequence.bounded:
            literals = (part.literal for part in parts if isinstance(part, Replace))
            probe(fields.where, sequence.normalize, literals)
        return sequence
    if kind in NORMAL_FORMS:
        return NormalForm(kind, tables.version(FORMS))
    if kind == "Lowercase":
        return Lowercase(tables.version(CASE))
    if kind == "StripAccents":
        return StripAccents(tables.version(MARKS))
    if kind == "Replace":
        return read_replacement(fields, tables)
    if kind == "Precompiled":
        return Precompiled(_charsmap(fields), tables.version(CLUSTERS))
    if kind == "BertNormalizer":
        return _bert(fields, tables)
    return _without_tables(kind, fields)


def _without_tables(kind: str, fields: Fields) -> Normalizer:
    """Make a normalizer that does not depend on a Unicode version."""
    if kind == "Strip":
        left, right = (fields.get(name, bool, True) for name in ("strip_left", "strip_right"))
        return Strip(left, right)
    if kind == "Prepend":
        return Prepend(fields.short("prepend"))
    if kind == "Nmt":
        return Nmt()
    if kind == "ByteLevel":
        return ByteLevel()
    raise fields.unknown("normalizer")


def _may_grow(part: Normalizer) -> bool:
    """Whether a normalizer may make a text longer."""
    return part.grows if isinstance(part, Replace) else not isinstance(part, STABLE)


def _charsmap(fields: Fields) -> str:
    charsmap = fields.get("precompiled_charsmap", str)
    try:
        _check_charsmap(charsmap)
    except ValueError as error:
        kind = LargeError if isinstance(error, LargeError) else ValueError
        raise kind(f"{fields.where}.precompiled_charsmap: {error}") from error
    return charsmap


@lru_cache(maxsize=4)
def _check_charsmap(charsmap: str) -> None:
    """Raise ValueError if a charsmap is not base64, or its trie is damaged."""
    Charsmap(base64.b64decode(charsmap, validate=True))


def _bert(fields: Fields, tables: Tables) -> BertNormalizer:
    lowercase = fields.get("lowercase", bool, True)
    strips = fields.record.get("strip_accents")
    versions = TableVersions(
        forms=tables.version(FORMS) if strips or (strips is None and lowercase) else None,
        categories=tables.version(CATEGORIES),
        case=tables.version(CASE) if lowercase else None,
    )
    return BertNormalizer(
        fields.get("clean_text", bool, True),
        fields.get("handle_chinese_chars", bool, True),
        fields.get("strip_accents", bool, None),
        lowercase,
        versions,
    )


DECLARED = "tokenizer.json"
"""The name of a change that is not only a normal form: the name of the file that declares it."""

SPLITTING = {"ByteLevel", "Split", "Digits", "Punctuation", "FixedLength", "Sequence"}
"""Pre-tokenizers that keep the text, unless their settings remove or add characters."""


def declared_normalizer(file: Mapping[str, Any], other: str = DECLARED) -> str | None:
    """Return the name of the normal form; None if no text is changed; ``other`` for a change."""
    if not _is_lossless(file):
        return other
    normalizers = [one for one in _components(file.get("normalizer")) if one["type"] != "Sequence"]
    if not normalizers:
        return None
    name = str(normalizers[0]["type"])
    return name if len(normalizers) == 1 and name in NORMAL_FORMS else other


def _is_lossless(file: Mapping[str, Any]) -> bool:
    """Whether the pre-tokenizer and the decoder give back all text."""
    decoder = file.get("decoder") or {}
    pre_tokenizers = list(_components(file.get("pre_tokenizer")))
    return decoder.get("type") == "ByteLevel" and all(
        one["type"] in SPLITTING
        and one.get("behavior") != "Removed"
        and not one.get("add_prefix_space")
        for one in pre_tokenizers
    )


def _components(component: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a component and the components inside it."""
    if isinstance(component, dict):
        yield component
        for name in ("normalizers", "pretokenizers"):
            for inner in component.get(name) or ():
                yield from _components(inner)
