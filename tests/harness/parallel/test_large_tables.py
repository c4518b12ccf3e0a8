"""Tables that would take far more memory than they have bytes are refused in one sentence."""

import pytest

from tokharness.errors import UsageError
from tokharness.parallel import model, tables
from tokharness.parallel.reading import read


def refusal(path, data):
    path.write_bytes(data)
    with pytest.raises(UsageError) as caught:
        read(path)
    return str(caught.value)


def test_a_new_key_in_each_line_is_refused(monkeypatch, tmp_path):
    """All languages with all lines are quadratic in the size of the file."""
    monkeypatch.setattr(tables, "MOST_CELLS", 1000)
    rows = b"".join(b'{"k%d": "a"}\n' % number for number in range(200))
    assert " keys up to line " in refusal(tmp_path / "a.jsonl", rows)


def test_a_cell_of_megabytes_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(model, "MOST_OF_LINE", 100)
    for suffix in ("csv", "tsv", "jsonl"):
        message = refusal(tmp_path / f"a.{suffix}", b"en,fr\n" + b"a" * 101 + b",b\n")
        assert f"line 2 of {tmp_path}/a.{suffix} has 103 bytes, more than 100" in message


def test_blank_lines_are_counted(monkeypatch, tmp_path):
    """Each is a blank cell in all languages."""
    monkeypatch.setattr(tables, "MOST_CELLS", 100)
    header = ",".join(map(str, range(60))).encode()
    message = refusal(tmp_path / "a.csv", header + b"\n\n\n")
    assert "too many blank lines up to line 3" in message


def test_the_cells_of_a_row_are_counted_before_it_is_read(monkeypatch, tmp_path):
    """Cells with line ends make one row of many lines."""
    monkeypatch.setattr(tables, "MOST_CELLS", 100)
    message = refusal(tmp_path / "a.csv", b"en,fr\n" + b'"\n",' * 101 + b"b\n")
    assert "has a row with more than 100 commas" in message
    read_well = tmp_path / "b.csv"
    read_well.write_bytes(b"en,fr\n" + b"a,b\n" * 101)
    assert read(read_well).lines == 101


def test_a_table_of_tags_is_no_declaration(tmp_path):
    """The parser of Python is quadratic in them."""
    (tmp_path / "eng.html").write_bytes(b'<html lang="en">' + b"<" * 500_000)
    with pytest.raises(UsageError, match="it has more than 5,000 tags"):
        read(tmp_path)


def test_a_line_break_in_a_cell_stays_as_it_is(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'en,fr\r\n"a\r\nb",c\r\nd,e\r\n')
    assert [one.text for one in read(path).languages] == ["a\r\nb d", "c e"]


def test_a_damaged_declaration_is_named(tmp_path):
    (tmp_path / "eng.html").write_bytes(b'<html lang="en"><![<header>x')
    with pytest.raises(UsageError, match=r"eng\.html is not HTML that can be read"):
        read(tmp_path)
