"""The documents of Parquet and Arrow files, read with pyarrow a few rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from tokharness.corpora.blocks import (
    LANGUAGE_COLUMNS,
    NOT_UTF8,
    ROWS_AT_ONCE,
    TEXT_COLUMNS,
    Block,
    column_in,
    missing_column,
)
from tokharness.corpora.streams import HEAD_BYTES, BrokenFileError, is_compressed
from tokharness.errors import UsageError
from tokharness.extras import what_installs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.corpora.blocks import Reading
    from tokharness.corpora.sources import Source

FEATHER_1 = b"FEA1"
"""First bytes of a file of version 1 of Feather, an older format."""


def _pyarrow(module: str) -> Any:
    try:
        import importlib

        return importlib.import_module(module)
    except ImportError as error:
        raise UsageError(
            f"Parquet and Arrow files need pyarrow: {what_installs('scan')}"
        ) from error


def parquet_documents(
    file: BinaryIO, reading: Reading, start: int, end: int | None, source: Source
) -> Iterator[Block]:
    """Yield the documents of the row groups whose first byte lies in the part.

    Raises:
        BrokenFileError: the file is not whole, or has no column of text.
        UsageError: pyarrow is missing.

    """
    parquet, arrow = _pyarrow("pyarrow.parquet"), _pyarrow("pyarrow")
    if not start:
        _refuse_others(file, "Parquet")
    try:
        opened = parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)
        names = opened.schema_arrow.names
    except _errors(arrow) as error:
        if start:  # the first part says what is wrong with the file
            return
        raise _broken("Parquet", error) from error
    if not start:
        yield _header(names, reading)
    elif column_in(reading.text_column, TEXT_COLUMNS, names) is None:
        return
    columns = _columns(names, reading)
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
    except _errors(arrow) as error:
        raise _broken("Parquet", error) from error


def arrow_documents(file: BinaryIO, reading: Reading) -> Iterator[Block]:
    """Yield the documents of an Arrow file, or of a stream; raises as ``parquet_documents``."""
    arrow, ipc = _pyarrow("pyarrow"), _pyarrow("pyarrow.ipc")
    _refuse_others(file, "Arrow")
    try:
        try:
            opened = ipc.open_file(file)
            batches = (opened.get_batch(one) for one in range(opened.num_record_batches))
        except arrow.ArrowInvalid:
            file.seek(0)
            opened = ipc.open_stream(file)
            batches = iter(opened)
        names = opened.schema.names
    except _errors(arrow) as error:
        raise _broken("Arrow", error) from error
    yield _header(names, reading)
    columns = _columns(names, reading)
    try:
        first = 0
        for batch in batches:
            for name in columns:
                _require_valid(batch.column(names.index(name)), arrow)
            parts = (batch.slice(at, ROWS_AT_ONCE) for at in range(0, batch.num_rows, ROWS_AT_ONCE))
            yield from _from_batches(parts, columns, first, reading)
            first += batch.num_rows
    except _errors(arrow) as error:
        raise _broken("Arrow", error) from error


def _refuse_others(file: BinaryIO, kind: str) -> None:
    """Raise BrokenFileError for a file that pyarrow would call damaged, and is not."""
    head = file.read(HEAD_BYTES)
    file.seek(0)
    if is_compressed(head):
        raise BrokenFileError(f"a compressed file of the kind {kind}: decompress it")
    if head.startswith(FEATHER_1):
        raise BrokenFileError("a file of Feather's version 1: write it as version 2")


def _require_valid(column: Any, arrow: Any) -> None:
    """Raise ArrowInvalid for offsets that lead out of the data, which would end the process.

    Texts that are not UTF-8 are valid bytes, and are found one by one.
    """
    if arrow.types.is_dictionary(column.type):
        arrow.DictionaryArray.from_arrays(column.indices, arrow.nulls(len(column.dictionary)))
        column = column.dictionary
    for text, data in (
        (arrow.string(), arrow.binary()),
        (arrow.large_string(), arrow.large_binary()),
    ):
        if column.type == text:
            column = column.view(data)
    column.validate(full=True)


def _errors(arrow: Any) -> tuple[type[Exception], ...]:
    """Return what pyarrow raises for a file that is not whole."""
    return (arrow.ArrowException, OSError, MemoryError, SystemError, ValueError, OverflowError)


def _broken(kind: str, error: BaseException) -> BrokenFileError:
    """Return what is wrong with a file that pyarrow does not read on."""
    if isinstance(error, OSError) and error.errno is not None:  # of the system, not of pyarrow
        raise error
    if isinstance(error, MemoryError):
        return BrokenFileError("it needs more memory than --memory-limit leaves")
    words = (str(error).splitlines() or [type(error).__name__])[0][:100]
    return BrokenFileError(f"not a whole {kind} file: {words}")


def _header(names: Sequence[str], reading: Reading) -> Block:
    """Return a block without rows that says which of the named columns there are."""
    block = Block()
    block.note_columns(names, reading)
    return block


def _columns(names: Sequence[str], reading: Reading) -> list[str]:
    text = column_in(reading.text_column, TEXT_COLUMNS, names)
    if text is None:
        raise BrokenFileError(missing_column(reading))
    language = column_in(reading.language_column, LANGUAGE_COLUMNS, names)
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
