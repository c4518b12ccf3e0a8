"""The bounds of a ``tokenizer.json``, for a library that reads the same file.

An unknown component may stand before a component that exceeds a bound, so all components are
checked, and none is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference import splitting
from tokharness_tokenizers.reference.splitting import LargeError
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields, Tables
from tokharness_tokenizers.reference.tokenizer_json.normalizers import read_normalizer
from tokharness_tokenizers.reference.tokenizer_json.post_processors import (
    read_decoder,
    read_post_processing,
)
from tokharness_tokenizers.reference.tokenizer_json.pre_tokenizers import read_pre_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

STAGES = ("normalizer", "pre_tokenizer", "model", "decoder")
SHORT = ("prepend", "content", "continuing_subword_prefix", "end_of_word_suffix")
"""Texts that a component puts into each text."""
TABLES = ("vocab", "merges")
SEQUENCES: dict[str, tuple[str, Callable[[Fields, Tables], object]]] = {
    "normalizer": ("normalizers", read_normalizer),
    "pre_tokenizer": ("pretokenizers", read_pre_tokenizer),
    "decoder": ("decoders", read_decoder),
}
"""Stages whose components follow one another: the name of the components, and their reader."""


def refuse_large(record: Any) -> None:
    """Raise LargeError if a component of the parsed JSON exceeds a bound of our reader."""
    if not isinstance(record, dict):
        return
    places = [(stage, record.get(stage)) for stage in STAGES]
    while places:
        where, value = places.pop()
        if isinstance(value, list):
            places += [(f"{where}[{at}]", one) for at, one in enumerate(value)]
        elif isinstance(value, dict):
            _refuse_large_fields(Fields(where, value))
            places += [(f"{where}.{key}", one) for key, one in value.items() if key not in TABLES]
    _refuse_unless_unknown(read_post_processing, Fields("", record))
    for stage, (name, read) in SEQUENCES.items():
        if isinstance(record.get(stage), dict):
            _refuse_unless_unknown(_refuse_growth, Fields(stage, record[stage]), name, read)


def _refuse_unless_unknown(read: Callable[..., object], *arguments: Any) -> None:
    try:
        read(*arguments)
    except LargeError:
        raise
    except ValueError:
        pass  # the library may know it


def _refuse_growth(fields: Fields, name: str, read: Callable[[Fields, Tables], object]) -> None:
    """Raise LargeError if the components of a stage that our reader knows make a text too long."""
    known = []
    for leaf in fields.leaves(name):
        try:
            read(leaf, Tables())
        except LargeError:
            raise
        except ValueError:
            continue  # the library may know it
        known.append(leaf.record)
    read(Fields(fields.where, {"type": "Sequence", name: known}), Tables())


def _refuse_large_fields(fields: Fields) -> None:
    for name in SHORT:
        if isinstance(fields.record.get(name), str):
            fields.short(name)
    pattern = fields.record.get("Regex")
    if isinstance(pattern, str):
        try:
            splitting.refuse_large(pattern)
        except LargeError as error:
            raise LargeError(f"{fields.where}: {error}") from error
