"""The documents of a part of a corpus file, in blocks, with the rows that hold none.

As with the loader ``text`` of Hugging Face's datasets, each line of a text file is a document,
without its line end; a whole file can be a document instead. Empty documents are left out.
"""

from __future__ import annotations

import csv
import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE
from typing import TYPE_CHECKING, BinaryIO, cast

from tokharness.corpora.blocks import (
    LANGUAGE_COLUMNS,
    NOT_UTF8,
    ROWS_AT_ONCE,
    TEXT_COLUMNS,
    Block,
    column_in,
    missing_column,
    too_long,
)
from tokharness.corpora.columnar import arrow_documents, parquet_documents
from tokharness.corpora.sources import open_source
from tokharness.corpora.streams import (
    EXPANDS,
    HEAD_BYTES,
    BrokenFileError,
    Decompressed,
    decompressed,
    expands,
    is_compressed,
    line_blocks,
)
from tokharness.json_content import parse_json_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.corpora.blocks import Reading
    from tokharness.corpora.sources import Source

LONGEST_ROW = 1 << 24
"""Bytes of a line of JSON or CSV, which also has other columns than the text."""

MOST_VALUES = 1_000_000
"""Values and keys of a line of JSON."""

TOO_DEEP = f"JSON that is nested too deep, or has more than {MOST_VALUES:,} values"

OTHER_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)
"""Byte order marks of UTF-16 and UTF-32; the first one also begins little-endian UTF-32."""

OTHER_ENCODING = "it begins with the byte order mark of UTF-16 or UTF-32, not of UTF-8: convert it"


def is_numbered_from_start(source: Source) -> bool:
    """Whether rows are numbered from the start of the file, and not of the part."""
    return source.format == "parquet"


def read_documents(
    source: Source, reading: Reading, start: int = 0, end: int | None = None
) -> Iterator[Block]:
    """Yield the documents of the part of a file from byte ``start`` to before byte ``end``.

    What is wrong with the file itself is a bad row of the last block.

    Raises:
        ChangedError: the file is not the one that was listed.
        UnreachableError: the store of an address does not give its bytes.
        UsageError: a library is missing that reads the format.

    """
    last = 0
    try:
        with open_source(source) as file:
            for block in _read(file, source, reading, start, end):
                last = block.last
                yield block
    except BrokenFileError as error:
        yield Block(bad=[(str(error), last + 1)], last=last)
    except OSError as error:
        reason = f"cannot be read: {error.strerror or type(error).__name__}"
        yield Block(bad=[(reason, last + 1)], last=last)


def _read(
    file: BinaryIO, source: Source, reading: Reading, start: int, end: int | None
) -> Iterator[Block]:
    if source.format == "parquet":
        return _bounded(parquet_documents(file, reading, start, end, source), source)
    if source.format == "arrow":
        return _bounded(arrow_documents(file, reading), source)
    if start or end is not None:
        head = file.read(HEAD_BYTES)
        file.seek(0)
        if is_compressed(head) or head.startswith(OTHER_MARKS):
            if start:  # the first part reads the file, or says what is wrong with it
                return iter(())
            end = None
    stream = decompressed(file, source.name)
    if source.format in ("csv", "tsv"):
        return _csv(stream, reading, "," if source.format == "csv" else "\t")
    if source.format == "text" and reading.documents == "file":
        return _whole_file(stream, reading)
    is_json = source.format == "jsonl"
    lines = line_blocks(stream, LONGEST_ROW if is_json else reading.longest, start, end)
    if start == 0:
        lines = _from_start(lines)
    return _json_lines(lines, reading) if is_json else _text_lines(lines, reading)


def _bounded(blocks: Iterator[Block], source: Source) -> Iterator[Block]:
    """Yield blocks until they expand too much: a thousand copies of a text take a few bytes."""
    size = 0
    for block in blocks:
        size += sum(map(len, block.texts))
        if source.size and expands(size, source.size):
            raise BrokenFileError(EXPANDS)
        yield block


def _from_start(lines: Iterator[list[bytes | None]]) -> Iterator[list[bytes | None]]:
    """Remove the byte order mark from the first line of a file."""
    for block in lines:
        first = block[0]
        yield [first if first is None else _without_mark(first), *block[1:]]
        break
    yield from lines


def _without_mark(data: bytes) -> bytes:
    """Remove the byte order mark from the start of a file, which another encoding may have."""
    if data.startswith(OTHER_MARKS):
        raise BrokenFileError(OTHER_ENCODING)
    return data.removeprefix(BOM_UTF8)


# Plain text.


def _text_lines(lines: Iterator[list[bytes | None]], reading: Reading) -> Iterator[Block]:
    last = 0
    for block in lines:
        first, last = last + 1, last + len(block)
        texts = _decoded(block)
        if texts is None:
            result = Block(last=last)
            for row, line in enumerate(block, first):
                _add_line(result, line, row, reading)
            yield result
        elif "" in texts:
            rows = [row for row, text in enumerate(texts, first) if text]
            full = list(filter(None, texts))
            yield Block(full, rows, [None] * len(full), empty=len(texts) - len(full), last=last)
        else:
            rows = list(range(first, last + 1))
            yield Block(texts, rows, [None] * len(texts), last=last)


def _decoded(block: Sequence[bytes | None]) -> list[str] | None:
    """Decode all lines at once; None if one of them is not UTF-8, or too long."""
    try:
        text = b"\n".join(cast("Sequence[bytes]", block)).decode()
    except (UnicodeDecodeError, TypeError):  # it is not UTF-8; a long line is None
        return None
    texts = text.split("\n")
    return [one.removesuffix("\r") for one in texts] if "\r" in text else texts


def _add_line(block: Block, line: bytes | None, row: int, reading: Reading) -> None:
    if line is None:
        block.bad.append((too_long(reading.longest), row))
        return
    try:
        text = line.decode()
    except UnicodeDecodeError:
        block.bad.append((NOT_UTF8, row))
    else:
        is_line = reading.documents == "line"
        block.add(text.removesuffix("\r") if is_line else text, None, row, reading)


def _whole_file(stream: BinaryIO | Decompressed, reading: Reading) -> Iterator[Block]:
    data = bytearray()
    while len(data) <= reading.longest and (more := stream.read(1 << 18)):
        data += more
    block = Block(last=1)
    whole = None if len(data) > reading.longest else _without_mark(bytes(data))
    _add_line(block, whole, 1, reading)
    yield block


# Rows with columns: JSON lines and CSV.


def _json_lines(lines: Iterator[list[bytes | None]], reading: Reading) -> Iterator[Block]:
    last = 0
    for lists in lines:
        block = Block()
        for row, line in enumerate(lists, last + 1):
            if line is None:
                block.bad.append((too_long(LONGEST_ROW), row))
            elif line.strip():
                _add_json(block, line, row, reading)
        last += len(lists)
        block.last = last
        yield block


def _add_json(block: Block, line: bytes, row: int, reading: Reading) -> None:
    try:
        value = parse_json_row(line.decode(), MOST_VALUES)
    except UnicodeDecodeError:
        block.bad.append((NOT_UTF8, row))
        return
    except ValueError as error:
        is_json = not isinstance(error, json.JSONDecodeError)
        block.bad.append((TOO_DEEP if is_json else "not JSON", row))
        return
    if not isinstance(value, dict):
        block.add(value, None, row, reading)
        return
    if reading.named:
        block.note_columns(value, reading)
    column = column_in(reading.text_column, TEXT_COLUMNS, value)
    if column is None:
        block.bad.append((missing_column(reading), row))
        return
    language = column_in(reading.language_column, LANGUAGE_COLUMNS, value)
    block.add(value[column], None if language is None else value[language], row, reading)


class _TooLongError(Exception):
    pass


class _TextLines:
    """Lines for the reader of CSV; a line that is too long raises, and the next call goes on.

    ``is_over`` once a line was asked for that there is not.
    """

    def __init__(self, lines: Iterator[list[bytes | None]]) -> None:
        self._lines = (line for block in _from_start(lines) for line in block)
        self.last, self.is_over = 0, False

    def __iter__(self) -> _TextLines:
        return self

    def __next__(self) -> str:
        try:
            line = next(self._lines)
        except StopIteration:
            self.is_over = True
            raise
        self.last += 1
        if line is None:
            raise _TooLongError
        return line.decode("utf-8", "surrogateescape") + "\n"


def _csv(stream: BinaryIO | Decompressed, reading: Reading, delimiter: str) -> Iterator[Block]:
    csv.field_size_limit(LONGEST_ROW)
    lines = _TextLines(line_blocks(stream, LONGEST_ROW))
    rows = csv.reader(lines, delimiter=delimiter)
    header: list[str] | None = None
    places = -1, -1, 0
    block = Block()
    while True:
        row = lines.last + 1
        try:
            values = next(rows)
        except StopIteration:
            break
        except BrokenFileError:  # the rows before that are documents
            block.last = lines.last
            yield block
            raise
        except (csv.Error, _TooLongError) as error:
            is_long = isinstance(error, _TooLongError) or "field limit" in str(error)
            block.bad.append((too_long(LONGEST_ROW) if is_long else "not CSV", row))
            rows = csv.reader(lines, delimiter=delimiter)
            continue
        if lines.is_over:  # only a quote makes the reader ask for more lines than a row has
            block.bad.append(("a quote is not closed", row))
            break
        if header is None and values:
            header = values
            block.note_columns(header, reading)
            column = column_in(reading.text_column, TEXT_COLUMNS, header)
            if column is None:
                yield block
                raise BrokenFileError(missing_column(reading))
            language = column_in(reading.language_column, LANGUAGE_COLUMNS, header)
            language_at = -1 if language is None else header.index(language)
            places = header.index(column), language_at, len(header)
            continue
        if values:
            _add_csv(block, values, places, row, reading)
        if len(block.texts) >= ROWS_AT_ONCE or len(block.bad) >= ROWS_AT_ONCE:
            block.last = lines.last
            yield block
            block = Block()
    block.last = lines.last
    yield block


def _add_csv(
    block: Block, values: list[str], places: tuple[int, int, int], row: int, reading: Reading
) -> None:
    text_at, language_at, columns = places
    if text_at >= len(values) or any(values[columns:]):  # a comma in a text without quotes
        reason = "too few columns" if text_at >= len(values) else "more columns than the header"
        block.bad.append((reason, row))
        return
    text = values[text_at]
    if not text.isascii() and any("\udc80" <= one <= "\udcff" for one in text):
        block.bad.append((NOT_UTF8, row))
        return
    block.add(text, values[language_at] if -1 < language_at < len(values) else None, row, reading)
