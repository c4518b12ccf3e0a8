"""Files of regressions: they preserve texts and manual edits, and errors name the line."""

import json
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.regressions import (
    DEFAULT_REASON,
    Regression,
    read_regressions,
    write_regressions,
)
from tokharness.errors import UsageError
from tokharness.model import Cause, Finding, Verdict

SOURCE = "tokharness fuzz mine --seed 3"


def finding(text="a\u200bb", cause="ZWSP is dropped", name="lossy-round-trip", **fields):
    verdict = fields.pop("verdict", Verdict.BUG)
    values = {
        "spec": "mine",
        "code": "TOK101",
        "name": name,
        "cause": Cause("dropped", (("which", cause),), verdict, f"{cause}: a message"),
        "count": 3,
        "text": text,
        "families": ("zero-width",),
        "reproduce": "tokharness show",
    }
    return Finding(**(values | fields))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cases" / "regressions"


@pytest.fixture
def write_lines(folder):
    """Write lines to a file, as a user does."""

    def write_file(*lines, name="lossy-round-trip.jsonl"):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def read_error(folder):
    """Read a folder, and return the message of the error."""

    def read():
        with pytest.raises(UsageError) as raised:
            read_regressions(folder)
        (message,) = str(raised.value).splitlines()
        return message

    return read


def test_a_written_regression_is_read_back(folder):
    bug = finding()
    write_regressions(folder, [bug], source=SOURCE)
    assert read_regressions(folder) == (
        Regression(
            text="a\u200bb",
            id=bug.fingerprint,
            why="ZWSP is dropped: a message",
            source=SOURCE,
            check="TOK101",
            cause="dropped: ZWSP is dropped",
        ),
    )


CODE_UNITS = st.text(st.characters(exclude_categories=()), min_size=1)


@pytest.mark.slow
@given(texts=st.lists(CODE_UNITS, min_size=1, unique=True))
def test_every_text_is_preserved_even_with_lone_surrogates(texts):
    with TemporaryDirectory() as folder:
        write_regressions(Path(folder), [finding(text) for text in texts], source=SOURCE)
        assert {regression.text for regression in read_regressions(Path(folder))} == set(texts)


def test_two_surrogates_do_not_become_one_character(folder):
    write_regressions(folder, [finding("\ud83d\ude00")], source=SOURCE)
    assert [len(regression.text) for regression in read_regressions(folder)] == [2]


def test_a_file_has_lines_of_ascii_with_all_keys(folder):
    (path,) = write_regressions(folder, [finding("\u200b"), finding("\ud800")], source=SOURCE)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 2
    for line in lines:
        assert line.isascii()
        assert line.endswith(b"\n")
        assert list(json.loads(line)) == ["id", "text", "why", "source", "check", "cause"]


def test_each_check_has_a_file_named_after_it(folder):
    paths = write_regressions(
        folder, [finding(), finding(name="raises"), finding("c")], source=SOURCE
    )
    assert [path.name for path in paths] == ["lossy-round-trip.jsonl", "raises.jsonl"]
    assert [len(path.read_text().splitlines()) for path in paths] == [2, 1]


def test_bugs_and_risks_are_written_and_facts_are_not(folder):
    findings = [finding(verdict.value, verdict=verdict) for verdict in Verdict]
    write_regressions(folder, findings, source=SOURCE)
    assert {regression.text for regression in read_regressions(folder)} == {"bug", "risk"}


@pytest.mark.parametrize("text", [None, b"\xff", ""])
def test_a_finding_without_a_text_writes_nothing(folder, text):
    assert write_regressions(folder, [finding(text)], source=SOURCE) == []
    assert not folder.exists()


@pytest.mark.parametrize("order", [1, -1])
def test_lines_are_sorted_by_id_and_text(folder, order):
    findings = [finding(text, cause) for text in "cab" for cause in (f"{text}1", f"{text}2")]
    for bug in findings[::order]:
        write_regressions(folder, [bug], source=SOURCE)
    keys = [(regression.id, regression.text) for regression in read_regressions(folder)]
    assert keys == sorted(keys)
    assert len(keys) == len(findings)


def test_only_a_shorter_text_is_added_for_the_same_cause(folder):
    for text in ("bbb", "ccc", "dddd", "aa"):
        write_regressions(folder, [finding(text)], source=SOURCE)
    assert {regression.text for regression in read_regressions(folder)} == {"bbb", "aa"}


def test_the_same_findings_do_not_change_the_file(folder):
    (path,) = write_regressions(folder, [finding(), finding("c")], source=SOURCE)
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    assert write_regressions(folder, [finding("c"), finding()], source="another campaign") == []
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_a_text_that_fails_on_two_targets_is_written_once(folder):
    write_regressions(folder, [finding(spec="mine"), finding(spec="yours")], source=SOURCE)
    assert len(read_regressions(folder)) == 1


def test_lines_of_the_user_are_not_changed(folder, write_lines):
    line = '{"text": "caf\u00e9",   "why": "ours", "ticket": [17]}'
    path = write_lines(line)
    write_regressions(folder, [finding()], source=SOURCE)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == line
    assert len(lines) == 2


def test_a_text_of_the_user_is_not_added_again(folder, write_lines):
    write_lines('{"text": "a\\u200bb", "why": "a bug report"}')
    assert write_regressions(folder, [finding()], source=SOURCE) == []


def test_a_file_is_replaced_and_no_temporary_file_is_left(folder):
    (path,) = write_regressions(folder, [finding()], source=SOURCE)
    assert list(folder.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.fixture
def link(folder, tmp_path):
    """Replace the file of regressions by a symbolic link to this file."""
    folder.mkdir(parents=True)
    file = tmp_path / "file.jsonl"
    file.write_text('{"text": "a"}\n')
    (folder / "lossy-round-trip.jsonl").symlink_to(file)
    return file


def test_the_target_of_a_symbolic_link_in_the_project_is_written(folder, link, tmp_path):
    (tmp_path / ".git").mkdir()
    write_regressions(folder, [finding()], source=SOURCE)
    assert (folder / "lossy-round-trip.jsonl").is_symlink()
    assert len(link.read_text().splitlines()) == 2


def test_a_symbolic_link_that_leads_out_of_the_project_is_neither_read_nor_written(folder, link):
    with pytest.raises(UsageError, match="leads out of the project"):
        read_regressions(folder)
    with pytest.raises(UsageError, match="leads out of the project"):
        write_regressions(folder, [finding()], source=SOURCE)
    assert link.read_text() == '{"text": "a"}\n'


def test_a_line_needs_only_a_text(folder, write_lines):
    write_lines('{"text": "a"}', "", '  {"text": "b", "twin": "c"}\r')
    assert read_regressions(folder) == (
        Regression("a", why=DEFAULT_REASON),
        Regression("b", why=DEFAULT_REASON),
    )


def test_files_are_read_by_name_and_other_files_are_ignored(folder, write_lines):
    write_lines('{"text": "second"}', name="b.jsonl")
    write_lines('{"text": "first"}', name="a.jsonl")
    write_lines("see the wiki", name="README.md")
    assert [regression.text for regression in read_regressions(folder)] == ["first", "second"]


def test_a_missing_folder_has_no_regressions(folder):
    assert read_regressions(folder) == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<<<<<<< HEAD", "it is not JSON"),
        ("[" * 100_000, "it is nested too deep"),
        ('{"text": "cut o', "it is not JSON"),
        ('["a"]', "it is not a JSON object"),
        ('{"why": "no text"}', 'it has no "text"'),
        ('{"text": ""}', 'it has no "text"'),
        ('{"text": 1}', '"text" is not a string'),
        ('{"text": "a", "why": null}', '"why" is not a string'),
        ('{"text": "a", "text": "b"}', "duplicate key"),
    ],
)
def test_the_error_for_an_invalid_line_says_where_and_what_to_do(
    write_lines, read_error, line, reason
):
    path = write_lines('{"text": "a"}', "", line)
    message = read_error()
    assert message.startswith(f"{path}:3 is not a regression: ")
    assert reason in message
    assert message.endswith("fix or delete the line")


def test_the_error_for_bytes_that_are_not_utf8_has_their_line(write_lines, read_error):
    path = write_lines('{"text": "a"}')
    path.write_bytes(path.read_bytes() + b'{"text": "\xff"}\n')
    assert f"{path}:2 is not a regression: it is not UTF-8" in read_error()


def test_a_file_with_an_invalid_line_is_not_overwritten(folder, write_lines):
    path = write_lines(">>>>>>> theirs")
    with pytest.raises(UsageError, match="fix or delete the line"):
        write_regressions(folder, [finding()], source=SOURCE)
    assert path.read_text() == ">>>>>>> theirs\n"


def test_a_file_in_place_of_the_folder_is_an_error(folder, read_error):
    folder.parent.mkdir(parents=True)
    folder.touch()
    assert f"cannot read the regressions {folder}" in read_error()
    with pytest.raises(UsageError, match="cannot write the regressions"):
        write_regressions(folder, [finding()], source=SOURCE)
