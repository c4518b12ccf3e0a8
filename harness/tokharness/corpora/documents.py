"""The documents of a part of a corpus file, in blocks, with the rows that hold none.

As with the loader ``text`` of Hugging Face's datasets, each line of a text file is a document,
without its line end; a whole file can be a document instead. Empty documents are left out.
"""

from __future__ import annotations

import csv
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, cast

from tokharness.corpora.sources import open_source
from tokharness.corpora.streams import BrokenFileError, Decompressed, decompressed, line_blocks
from tokharness.errors import UsageError
from tokharness.extras import what_installs
from tokharness.json_content import parse_json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.corpora.sources import Source

TEXT_COLUMNS = ("text", "content", "document", "body")
"""Columns that usually have the text, the most usual one first."""

LANGUAGE_COLUMNS = ("language", "lang")

LONGEST_ROW = 1 << 24
"""Bytes of a line of JSON or CSV, which also has other columns than the text."""

MOST_VALUES = 1_000_000
"""Values and keys of a line of JSON."""

ROWS_AT_ONCE = 256
"""Rows of a Parquet or Arrow file that are in memory at once."""

DocumentKind: TypeAlias = Literal["line", "file"]

NOT_UTF8 = "not UTF-8"


@dataclass(frozen=True, slots=True)
class Reading:
    """How the documents of a corpus are found in its files.

    Without a name of a column, a usual name is looked for. ``documents`` says what a document of a
    text file is; ``longest`` is the number of bytes beyond which a document is left out.
    """

    text_column: str | None = None
    language_column: str | None = None
    documents: DocumentKind = "line"
    longest: int = 1 << 21


@dataclass(slots=True)
class Block:
    """Some documents of a file, as columns.

    ``rows`` are numbers of lines or rows in the part, from 1; ``languages`` has None for a document
    without a language. ``bad`` has each row that holds no document, with the reason. ``empty``
    counts the documents without text, and ``last`` is the number of the last row so far.
    """

    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    languages: list[str | None] = field(default_factory=list)
    bad: list[tuple[str, int]] = field(default_factory=list)
    empty: int = 0
    last: int = 0

    def add(self, text: Any, language: Any, row: int, reading: Reading) -> None:
        """Add a document, or say why the row has none."""
        if not isinstance(text, str):
            self.bad.append(("no text" if text is None else "no text but another value", row))
        elif not text:
            self.empty += 1
        elif 4 * len(text) > reading.longest < len(text.encode("utf-8", "replace")):
            self.bad.append((too_long(reading.longest), row))
        else:
            self.texts.append(text)
            self.rows.append(row)
            self.languages.append(language if isinstance(language, str) and language else None)


def too_long(longest: int) -> str:
    """Return the reason for which a document is left out."""
    return f"longer than {longest:,} bytes"


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
        return _parquet(file, reading, start, end, source)
    if source.format == "arrow":
        return _arrow(file, reading)
    stream = decompressed(file, source.name)
    if source.format in ("csv", "tsv"):
        return _csv(stream, reading, "," if source.format == "csv" else "\t")
    if source.format == "text" and reading.documents == "file":
        return _whole_file(stream, reading)
    is_json = source.format == "jsonl"
    lines = line_blocks(stream, LONGEST_ROW if is_json else reading.longest, start, end)
    if start == 0:
        lines = _without_mark(lines)
    return _json_lines(lines, reading) if is_json else _text_lines(lines, reading)


def _without_mark(lines: Iterator[list[bytes | None]]) -> Iterator[list[bytes | None]]:
    """Remove the byte order mark from the first line of a file."""
    for block in lines:
        first = block[0]
        yield [first if first is None else first.removeprefix(BOM_UTF8), *block[1:]]
        break
    yield from lines


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
    whole = None if len(data) > reading.longest else bytes(data).removeprefix(BOM_UTF8)
    _add_line(block, whole, 1, reading)
    yield block


# Rows with columns: JSON lines, CSV, Parquet, Arrow.


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
        value = parse_json_text(line.decode(), MOST_VALUES)
    except UnicodeDecodeError:
        block.bad.append((NOT_UTF8, row))
        return
    except ValueError:
        block.bad.append(("not JSON", row))
        return
    if not isinstance(value, dict):
        block.add(value, None, row, reading)
        return
    column = _column(reading.text_column, TEXT_COLUMNS, value)
    if column is None:
        block.bad.append((_missing(reading), row))
        return
    language = _column(reading.language_column, LANGUAGE_COLUMNS, value)
    block.add(value[column], None if language is None else value[language], row, reading)


def _column(named: str | None, usual: Sequence[str], names: Any) -> Any:
    """Return the named column, or the first usual one, if it is among ``names``; else None."""
    return next((name for name in ((named,) if named else usual) if name in names), None)


def _missing(reading: Reading) -> str:
    if reading.text_column:
        return f"no column {reading.text_column!r}"
    return f"no column {', '.join(TEXT_COLUMNS[:-1])} or {TEXT_COLUMNS[-1]}: name it"


class _TooLongError(Exception):
    pass


class _TextLines:
    """Lines for the reader of CSV; a line that is too long raises, and the next call goes on."""

    def __init__(self, lines: Iterator[list[bytes | None]]) -> None:
        self._lines = (line for block in _without_mark(lines) for line in block)
        self.last = 0

    def __iter__(self) -> _TextLines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.last += 1
        if line is None:
            raise _TooLongError
        return line.decode("utf-8", "surrogateescape") + "\n"


def _csv(stream: BinaryIO | Decompressed, reading: Reading, delimiter: str) -> Iterator[Block]:
    csv.field_size_limit(LONGEST_ROW)
    lines = _TextLines(line_blocks(stream, LONGEST_ROW))
    rows = csv.reader(lines, delimiter=delimiter)
    header: list[str] | None = None
    text_at = language_at = -1
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
            is_long = isinstance(error, _TooLongError)
            block.bad.append((too_long(LONGEST_ROW) if is_long else "not CSV", row))
            rows = csv.reader(lines, delimiter=delimiter)
            continue
        if header is None:
            header = values
            column = _column(reading.text_column, TEXT_COLUMNS, header)
            if column is None:
                raise BrokenFileError(_missing(reading))
            text_at = header.index(column)
            language = _column(reading.language_column, LANGUAGE_COLUMNS, header)
            language_at = -1 if language is None else header.index(language)
            continue
        if values:
            _add_csv(block, values, (text_at, language_at), row, reading)
        if len(block.texts) >= ROWS_AT_ONCE or len(block.bad) >= ROWS_AT_ONCE:
            block.last = lines.last
            yield block
            block = Block()
    block.last = lines.last
    yield block


def _add_csv(
    block: Block, values: list[str], columns: tuple[int, int], row: int, reading: Reading
) -> None:
    text_at, language_at = columns
    if text_at >= len(values):
        block.bad.append(("too few columns", row))
        return
    text = values[text_at]
    if not text.isascii() and any("\udc80" <= one <= "\udcff" for one in text):
        block.bad.append((NOT_UTF8, row))
        return
    block.add(text, values[language_at] if -1 < language_at < len(values) else None, row, reading)


def _pyarrow(module: str) -> Any:
    try:
        import importlib

        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"Parquet and Arrow files need pyarrow: {what_installs('scan')}"
        ) from error


def _parquet(
    file: BinaryIO, reading: Reading, start: int, end: int | None, source: Source
) -> Iterator[Block]:
    """Yield the documents of the row groups whose first byte lies in the part."""
    parquet, arrow = _pyarrow("pyarrow.parquet"), _pyarrow("pyarrow")
    try:
        opened = parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        columns = _columns(opened.schema_arrow.names, reading)
    except (arrow.ArrowException, BrokenFileError) as error:
        if start:  # the first part says what is wrong with the file
            return
        if isinstance(error, BrokenFileError):
            raise
        raise _broken("Parquet", error) from error
    try:
        first = 0
        for number in range(opened.metadata.num_row_groups):
            group = opened.metadata.row_group(number)
            place = max(group.column(0).data_page_offset, 0) if group.num_columns else 0
            if start <= place < (source.size if end is None else end):
                batches = opened.iter_batches(
                    ROWS_AT_ONCE, row_groups=[number], columns=columns, use_threads=False
                )
                yield from _from_batches(batches, columns, first, reading)
            first += group.num_rows
    except (arrow.ArrowException, MemoryError) as error:
        raise _broken("Parquet", error) from error


def _arrow(file: BinaryIO, reading: Reading) -> Iterator[Block]:
    """Yield the documents of an Arrow file, or of a stream."""
    arrow, ipc = _pyarrow("pyarrow"), _pyarrow("pyarrow.ipc")
    try:
        try:
            opened = ipc.open_file(file)
            batches = (opened.get_batch(one) for one in range(opened.num_record_batches))
        except arrow.ArrowInvalid:
            file.seek(0)
            opened = ipc.open_stream(file)
            batches = iter(opened)
        columns = _columns(opened.schema.names, reading)
        first = 0
        for batch in batches:
            parts = (batch.slice(at, ROWS_AT_ONCE) for at in range(0, batch.num_rows, ROWS_AT_ONCE))
            yield from _from_batches(parts, columns, first, reading)
            first += batch.num_rows
    except (arrow.ArrowException, MemoryError) as error:
        raise _broken("Arrow", error) from error


def _broken(kind: str, error: BaseException) -> BrokenFileError:
    """Return what is wrong with a file that pyarrow does not read on."""
    if isinstance(error, MemoryError):
        return BrokenFileError("it needs more memory than --memory-limit leaves")
    words = (str(error).splitlines() or [type(error).__name__])[0][:100]
    return BrokenFileError(f"not a whole {kind} file: {words}")


def _columns(names: Sequence[str], reading: Reading) -> list[str]:
    text = _column(reading.text_column, TEXT_COLUMNS, names)
    if text is None:
        raise BrokenFileError(_missing(reading))
    language = _column(reading.language_column, LANGUAGE_COLUMNS, names)
    return [text] if language is None or language == text else [text, language]


def _from_batches(
    batches: Iterator[Any], columns: Sequence[str], first: int, reading: Reading
) -> Iterator[Block]:
    for batch in batches:
        block = Block()
        names = batch.schema.names  # of columns of one name, the first is meant
        values = [_values(batch.column(names.index(name))) for name in columns]
        languages = values[1] if len(values) > 1 else [None] * batch.num_rows
        for row, (text, language) in enumerate(zip(values[0], languages, strict=True), first + 1):
            if isinstance(text, _NotUtf8):
                block.bad.append((NOT_UTF8, row))
            else:
                block.add(text, language, row, reading)
        first += batch.num_rows
        block.last = first
        yield block


class _NotUtf8:
    """Takes the place of a text that is not UTF-8."""


def _values(column: Any) -> list[Any]:
    """Return the values of a column, decoded one by one if they cannot be decoded together."""
    try:
        return list(column.to_pylist())
    except ValueError:  # UnicodeDecodeError, and values that Python has no type for
        return list(map(_value, column))


def _value(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:
        return _NotUtf8()
    except ValueError as error:
        return error
