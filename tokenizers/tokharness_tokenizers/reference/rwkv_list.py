r"""Read RWKV's list of tokens: lines such as ``263 '\r\n' 2``, an id, a literal and a length.

The literal is a string or bytes as Python writes them; a string stands for its UTF-8 bytes. The
length is the number of bytes. Source: ``rwkv_vocab_v20230424.txt`` and ``rwkv_tokenizer.py`` of
BlinkDL's ChatRWKV, which evaluates the literal as Python code; here only a literal is read.

A list has no line for the id 0, which marks the end of a text and has no text of its own.

A defect of the vocabulary is loaded: a byte without a token, ids without a token, and a token with
several ids, whose last line counts, as in the library. A defect of the file is an error: a line of
another form, a wrong length, an id on two lines.
"""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import regex

from tokharness_tokenizers.reference.edited_tokens import GROWN, grown, short_tokens
from tokharness_tokenizers.reference.longest_match import LongestMatch
from tokharness_tokenizers.reference.models.byte_trie import ByteTrie
from tokharness_tokenizers.reference.ranks_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_ID = 2**32 - 1

_LINE = re.compile(r"([0-9]{1,10}) (.+) ([0-9]{1,9})")
_LITERAL = regex.compile(r"b?(?:'[^'\\]*+(?:\\.[^'\\]*+)*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\")")
_LINE_END = re.compile(r"\r\n?|\n")


def load(path: str | Path) -> LongestMatch:
    """Read a list of tokens; raises ValueError for a damaged file, and OSError."""
    return read(read_bytes(Path(path), "vocabulary file"), str(path))


def read(data: bytes, where: str) -> LongestMatch:
    """Parse a list of tokens; ``where`` is its name in errors and the name of the vocabulary.

    Raises:
        ValueError: a line is not an id, a literal and its length, an id is on two lines, or there
            are no lines.

    """
    ids: dict[bytes, int] = {}
    other_ids: dict[int, bytes] = {}
    line_of: dict[int, int] = {}
    for line, number, token in _lines(data, where):
        if number in line_of:
            message = f"the id {number} is already on line {line_of[number]}"
            raise ValueError(f"{where}, line {line}: {message}: each line needs its own")
        line_of[number] = line
        if token in ids:
            other_ids[ids[token]] = token
        ids[token] = number
    if not ids:
        raise ValueError(f"{where} is empty: it has no token")
    return LongestMatch(where, ByteTrie(ids), other_ids, altered_models)


def altered_models(model: ByteTrie) -> dict[str, ByteTrie]:
    """Return models that find fewer tokens, by the description of each."""
    single = {token: number for token, number in model.ids.items() if len(token) == 1}
    whole = {token: number for token, number in model.ids.items() if _is_utf8(token)}
    ascii_only = {token: number for token, number in whole.items() if token.isascii()}
    found = {
        "no token of several bytes is found": single,
        "no token that ends inside a character is found": {**single, **whole},
        "no token of several bytes that are not ASCII is found": {**single, **ascii_only},
        GROWN: grown(model.ids),
    }
    fewer = {what: ByteTrie(ids) for what, ids in found.items()}
    return {**fewer, **dict(short_tokens(model))}


def _is_utf8(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines(data: bytes, where: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield the number of each line, from 1, with its id and its token."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{where}, line {line}: the file is not UTF-8") from None
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    for line, content in enumerate(lines, start=1):
        try:
            yield line, *_parse(content)
        except ValueError as error:
            raise ValueError(f"{where}, line {line}: {error}") from None


def _parse(line: str) -> tuple[int, bytes]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"{line[:80]!r} is not an id, a literal and a length (truncated?)")
    number, token, length = int(match[1]), _literal(match[2]), int(match[3])
    if number > LARGEST_ID:
        raise ValueError(f"the id {number} is not a whole number from 0 to {LARGEST_ID:,}")
    if len(token) != length:
        raise ValueError(f"the token {match[2][:80]} has {len(token)} bytes, not {length}")
    if not token:
        raise ValueError("the token is empty")
    return number, token


def _literal(source: str) -> bytes:
    """Return the bytes of a literal; raises ValueError if it is none.

    Python would parse any expression, and may take a hundred bytes of memory for each of its bytes.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape, such as \d
            value = ast.literal_eval(source) if _LITERAL.fullmatch(source) else None
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, bytes):
            return value
    except (SyntaxError, ValueError):
        pass  # also a lone surrogate, which has no UTF-8
    raise ValueError(f"{source[:80]!r} is not a string or bytes as Python writes them") from None
