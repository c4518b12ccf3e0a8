"""Healthy tokenizers, each from a small file that shows one component or format.

``RECORDS`` has the parsed files by name; :func:`against` returns the spec of the tokenizer of one.
:func:`altered` makes a fault in a file: the same file with a change.
"""

from __future__ import annotations

import copy
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from planted._files_of_id_stages import (
    ADDED_RECORDS,
    DECODER_RECORDS,
    MODEL_RECORDS,
    POST_RECORDS,
)
from planted._files_of_lists import LIST_RECORDS
from planted._files_of_text_stages import (
    NORMALIZER_RECORDS,
    PRE_TOKENIZER_RECORDS,
)
from tokharness_tokenizers.reference.tokenizer_json import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted._file_parts import Record
    from tokharness_tokenizers.reference.pipeline import Pipeline

RECORDS: dict[str, Record] = {
    **NORMALIZER_RECORDS,
    **PRE_TOKENIZER_RECORDS,
    **MODEL_RECORDS,
    **ADDED_RECORDS,
    **POST_RECORDS,
    **DECODER_RECORDS,
    **LIST_RECORDS,
}
"""Every healthy file, by name."""


def __getattr__(name: str) -> Callable[[], Pipeline]:
    """Return the factory of a healthy tokenizer, for its spec."""
    if name not in RECORDS:
        raise AttributeError(f"there is no record {name}")
    return partial(healthy, name)


def against(name: str) -> str:
    """Return the spec of a healthy tokenizer."""
    return f"python:{__name__}:{name}"


def record_of(name: str) -> Record:
    """Return a copy of a healthy file, which may be changed."""
    return copy.deepcopy(RECORDS[name])


@cache
def healthy(name: str) -> Pipeline:
    """Read a healthy file."""
    return read(RECORDS[name], name)


def altered(name: str, *place: str | int, to: Any) -> Any:
    """Read a file in which a value, which is at a place of nested objects and lists, is another."""
    record = record_of(name)
    parent: Any = record
    for key in place[:-1]:
        parent = parent[key]
    parent[place[-1]] = to
    return read(record, f"{name}, altered")
