"""The bounds of a ``tokenizer.json``, for a library that reads the same file.

An unknown component may stand before a component that exceeds a bound, so all components are
checked, and none is read.
"""

from __future__ import annotations

from typing import Any

from tokharness_tokenizers.reference import pattern_size
from tokharness_tokenizers.reference.pattern_size import LargeError
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields
from tokharness_tokenizers.reference.tokenizer_json.post_processors import read_post_processing

STAGES = ("normalizer", "pre_tokenizer", "model", "decoder")
SHORT = ("prepend", "content", "continuing_subword_prefix", "end_of_word_suffix")
"""Texts that a component puts into each text."""
TABLES = ("vocab", "merges")


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
    try:
        read_post_processing(Fields("", record))
    except LargeError:
        raise
    except ValueError:
        pass  # the library may know it


def _refuse_large_fields(fields: Fields) -> None:
    for name in SHORT:
        if isinstance(fields.record.get(name), str):
            fields.short(name)
    pattern = fields.record.get("Regex")
    if isinstance(pattern, str):
        try:
            pattern_size.refuse_large(pattern)
        except LargeError as error:
            raise LargeError(f"{fields.where}: {error}") from error
