"""The entry points of a tokenizer: what each takes and gives, and its operation on the wire.

One table drives all code that calls a tokenizer: the guard of its calls in this process, the
protocol of tokenizers in other processes, the program that serves them, and the tokenizer that asks
that program. A new optional method is a row here. A result of a new kind has a function in three
tables by kind: ``boundary/tokenizer.py``, ``protocol.py`` and ``serve.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container


class Argument(StrEnum):
    """The argument of an entry point."""

    TEXT = "text"
    TEXTS = "texts"
    BYTES = "bytes"
    ID = "id"
    IDS = "ids"
    ROWS = "rows of ids"
    CALLS = "the ids of each call"
    OTHER = "other"

    @property
    def is_batch(self) -> bool:
        """Whether one call takes all items of a request."""
        return self in (Argument.TEXTS, Argument.ROWS)

    @property
    def field(self) -> str:
        """The field of a request that holds the items."""
        if self in (Argument.TEXT, Argument.TEXTS):
            return "texts"
        return "bytes" if self is Argument.BYTES else "ids"


class Result(Enum):
    """The result of an entry point; for a batch, of each item."""

    IDS = auto()
    IDS_OF_EACH = auto()
    SPANS = auto()
    TEXT = auto()
    TEXT_OF_EACH = auto()
    NORMALIZED = auto()
    PARTS = auto()
    PARTS_OF_CALLS = auto()
    BYTES = auto()
    BYTES_OF_ID = auto()
    TEXT_OF_ID = auto()
    NUMBER = auto()
    STAGES = auto()
    IDS_OF_VARIANTS = auto()
    TEXTS_OF_VARIANTS = auto()
    PRE_TOKENS = auto()
    TABLE = auto()
    TOKENIZER = auto()
    DATA = auto()
    RECORD = auto()


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A method of a tokenizer; ``operation`` is "" if other processes are not asked for it."""

    name: str
    takes: Argument
    gives: Result
    operation: str = ""


def _row(name: str, takes: Argument, gives: Result, operation: str | None = None) -> EntryPoint:
    return EntryPoint(name, takes, gives, name if operation is None else operation)


ENTRY_POINTS = (
    _row("encode", Argument.TEXT, Result.IDS),
    _row("decode", Argument.IDS, Result.TEXT),
    _row("encode_ordinary", Argument.TEXT, Result.IDS),
    _row("encode_batch", Argument.TEXTS, Result.IDS_OF_EACH),
    _row("encode_special", Argument.TEXT, Result.IDS),
    _row("encode_bytes", Argument.BYTES, Result.IDS),
    _row("encode_with_offsets", Argument.TEXT, Result.SPANS),
    _row("count", Argument.TEXT, Result.NUMBER),
    _row("decode_batch", Argument.ROWS, Result.TEXT_OF_EACH),
    _row("decode_bytes", Argument.IDS, Result.BYTES),
    _row("decode_stream", Argument.IDS, Result.PARTS),
    _row("decode_stream_calls", Argument.CALLS, Result.PARTS_OF_CALLS),
    _row("decode_single_token_bytes", Argument.ID, Result.BYTES_OF_ID, "token_bytes"),
    _row("bytes_inside", Argument.ID, Result.DATA, ""),
    _row("pretokens", Argument.TEXT, Result.PRE_TOKENS, ""),
    _row("with_unicode_version", Argument.OTHER, Result.TOKENIZER, ""),
    _row("with_stage_versions", Argument.OTHER, Result.TOKENIZER, ""),
    _row("normalize", Argument.TEXT, Result.NORMALIZED),
    _row("token_text", Argument.ID, Result.TEXT_OF_ID),
    _row("load_differences", Argument.OTHER, Result.DATA, ""),
    _row("stages", Argument.TEXT, Result.STAGES),
    _row("stages_in_file", Argument.OTHER, Result.DATA, ""),
    _row("score", Argument.OTHER, Result.DATA, ""),
    _row("encode_altered", Argument.OTHER, Result.DATA, ""),
    _row("encode_altered_further", Argument.OTHER, Result.DATA, ""),
    _row("encode_altered_as", Argument.OTHER, Result.DATA, ""),
    _row("decode_altered", Argument.OTHER, Result.DATA, ""),
    _row("with_edited_tokens", Argument.OTHER, Result.TOKENIZER, ""),
    _row("reach", Argument.OTHER, Result.DATA, ""),
    _row("seams", Argument.OTHER, Result.RECORD, ""),
    _row("merge_orphans", Argument.OTHER, Result.DATA, ""),
    _row("merges", Argument.OTHER, Result.TABLE, ""),
    _row("scores", Argument.OTHER, Result.TABLE, ""),
    _row("encode_variants", Argument.TEXTS, Result.IDS_OF_VARIANTS),
    _row("decode_variants", Argument.ROWS, Result.TEXTS_OF_VARIANTS),
)
"""All methods that are called; a tokenizer has the first two, and may have any of the others."""

BY_NAME = {one.name: one for one in ENTRY_POINTS}
BY_OPERATION = {one.operation: one for one in ENTRY_POINTS if one.operation}
OPTIONAL_METHODS = tuple(one.name for one in ENTRY_POINTS[2:])
"""Methods that a tokenizer may have in addition to ``encode`` and ``decode``.

They are used and checked if they exist.
"""

PLAIN_ENTRY_POINTS = ("encode_ordinary", "encode")
"""Entry points for plain, untrusted text; the first that a tokenizer has is used."""


def plain_entry_point(methods: Container[str]) -> str:
    """Return the name of the entry point for plain text, given the methods of a tokenizer.

    This one function decides for every kind of target.
    """
    return next((name for name in PLAIN_ENTRY_POINTS if name in methods), "encode")
