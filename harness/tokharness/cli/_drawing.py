"""Drawings of ``tokharness show``: the tokens of a text, and its round trip in words."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetDeath, TokharnessError
from tokharness.escaping import Shown, styled, terminal
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    import io
    from collections.abc import Container, Iterable, Sequence

    from rich.console import Console
    from rich.table import Table

    from tokharness.model import Target

# The tokens of a text as a reader sees them, whatever the algorithm of the tokenizer.

UNKNOWN, BYTE = "unknown token", "part of a character"

WORD_START, REPLACEMENT = "\u2581", "\ufffd"
BYTE_TOKEN = re.compile(r"<0x[0-9A-F]{2}>")
"""Pattern of the token of a byte in vocabularies with byte fallback (SentencePiece)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A token in its display form; its kind is UNKNOWN, BYTE or ""."""

    shown: Shown
    kind: str = ""


def pieces_of(ids: Sequence[Any], target: Target) -> list[Piece]:
    """Return the tokens with these ids.

    A token has the text of its vocabulary, with marks such as ``##`` and U+2581. A byte-level
    vocabulary writes bytes as other characters; its tokens are shown as the bytes that they stand
    for. A token whose text and bytes are unknown is shown as its id.
    """
    texts = _values("token_text", ids, target)
    data = _values("decode_single_token_bytes", ids, target)
    return [
        _piece(number, *known, is_unknown=number == target.unknown_id)
        for number, *known in zip(ids, texts, data, strict=True)
    ]


def _values(method: str, ids: Sequence[Any], target: Target) -> list[Any]:
    return target.call_each(method, ids) if target.can(method) else [None] * len(ids)


def _piece(number: Any, text: Any, data: Any, *, is_unknown: bool) -> Piece:
    has_text = isinstance(text, str)
    if is_unknown:
        return Piece(terminal(text if has_text else str(number)), UNKNOWN)
    if isinstance(data, bytes) and not (has_text and _is_own_text(text, data)):
        return Piece(shown_bytes(data), "" if _is_utf8(data) else BYTE)
    if not has_text:
        return Piece(terminal(str(number)))
    return Piece(terminal(text), BYTE if BYTE_TOKEN.fullmatch(text) else "")


def _is_own_text(text: str, data: bytes) -> bool:
    """Whether a vocabulary writes a token as text, and not each byte as a character."""
    plain = text.replace(WORD_START, " ").encode("utf-8", "surrogatepass")
    return plain == data or (len(text) != len(data) and REPLACEMENT not in text)


def shown_bytes(data: bytes) -> Shown:
    """Return bytes as the text that they spell, with escapes for bytes that are not text."""
    return terminal(data.decode() if _is_utf8(data) else data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# The round trip of a text through a target, in words.

SAME = Shown("decodes to the same text")


def encode_and_decode(text: str, target: Target) -> tuple[list[int] | None, Shown]:
    """Return the ids of a text, None if the target raises, and a note on the round trip."""
    ids = target.encode(text)
    if isinstance(ids, Raised):
        return None, _error_note(ids.error)
    back = target.decode(ids)
    if isinstance(back, Raised):
        return None, _error_note(back.error)
    return ids, _note(text, back)


def _error_note(error: BaseException) -> Shown:
    """Say how encoding or decoding failed; an error of the program itself is raised."""
    if isinstance(error, TokharnessError):
        raise error
    if isinstance(error, TargetDeath):
        return Shown("crashes or hangs: {}").format(str(error))
    return Shown("raises {}: {}").format(type(error).__name__, str(error))


def _note(text: str, back: str) -> Shown:
    if back == text:
        return SAME
    if not is_scalar(text) and back == scalar_text(text):
        return Shown("decodes to the text with {}").format(_surrogate_changes(text))
    return Shown('decodes to "{}"').format(back)


def _surrogate_changes(text: str) -> str:
    """Describe what replaces the surrogates of a text in its scalar form."""
    plain = scalar_text(text)
    joined = ["its surrogate pairs joined"] if len(plain) < len(text) else []
    lost = plain.count("\ufffd") > text.count("\ufffd")
    return " and ".join([*joined, *(["U+FFFD for each lone surrogate"] if lost else [])])


NARROW = 80
"""Width of a terminal below which tables have fewer columns."""


def console_for(stream: io.StringIO, *, width: int | None, color: bool) -> Console:
    """Return a console that writes to a stream and changes no text."""
    from rich.console import Console

    return Console(
        file=stream,
        width=width or 120,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
    )


def has_box_drawing() -> bool:
    """Whether stdout can show lines of box drawing."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def is_narrow(console: Console) -> bool:
    """Whether a table of names, bytes and specs would break words."""
    return console.width < NARROW


def table_with(headings: Iterable[Shown], unbroken: Container[int] = ()) -> Table:
    """Return an empty table with these columns, in ASCII if stdout is not UTF-8.

    Columns of the numbers in ``unbroken`` are as wide as their cells.
    """
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD if has_box_drawing() else ASCII, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(styled((heading, "")), overflow="fold", no_wrap=number in unbroken)
    return table
