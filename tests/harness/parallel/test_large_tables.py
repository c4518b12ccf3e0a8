"""Tables that would take far more memory than they have bytes are refused in one sentence."""

import pytest

from tokharness.errors import UsageError
from tokharness.parallel import tables
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
    monkeypatch.setattr(tables, "MOST_CHARACTERS", 100)
    message = refusal(tmp_path / "a.csv", b"en,fr\n" + b"a" * 101 + b",b\n")
    assert "field larger than field limit (100)" in message


def test_a_line_break_in_a_cell_stays_as_it_is(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'en,fr\r\n"a\r\nb",c\r\nd,e\r\n')
    assert [one.text for one in read(path).languages] == ["a\r\nb d", "c e"]


def test_a_damaged_declaration_is_named(tmp_path):
    (tmp_path / "eng.html").write_bytes(b'<html lang="en"><![<header>x')
    with pytest.raises(UsageError, match=r"eng\.html is not HTML that can be read"):
        read(tmp_path)
