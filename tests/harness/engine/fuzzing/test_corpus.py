"""The corpus of a campaign is available to the next one on the same target."""

import os
from pathlib import Path

import pytest

from tokharness.engine.fuzzing import corpus as module
from tokharness.engine.fuzzing.corpus import MAX_LENGTH, CorpusDatabase
from tokharness.errors import UsageError


@pytest.fixture
def open_corpus(tmp_path):
    """Return a function that opens the corpus in a folder each time."""
    return lambda spec="target", seed=0: CorpusDatabase.open(tmp_path / "examples", spec, seed)


def test_a_new_database_is_empty(open_corpus):
    assert open_corpus().texts() == []
    assert open_corpus().next_round() == 0


def test_failing_texts_come_first(open_corpus):
    open_corpus().add(["a", "b"])
    open_corpus().add_failing(["z"])
    assert open_corpus().texts() == ["z", "a", "b"]


def test_a_text_that_is_saved_twice_comes_once(open_corpus):
    open_corpus().add(["a"])
    open_corpus().add_failing(["a"])
    assert open_corpus().texts() == ["a"]


@pytest.mark.parametrize("text", ["\ud800", "\0", "\u202e\U0010ffff", "\r\n"])
def test_any_text_is_restored_unchanged(open_corpus, text):
    open_corpus().add_failing([text])
    assert open_corpus().texts() == [text]


def test_the_number_of_the_next_round_is_saved(open_corpus):
    for number in (3, 12, 7):
        open_corpus().save_next_round(number)
        assert open_corpus().next_round() == number


def test_seeds_share_texts_but_not_rounds(open_corpus):
    open_corpus(seed=1).save_next_round(5)
    open_corpus(seed=1).add_failing(["a"])
    assert open_corpus(seed=2).next_round() == 0
    assert open_corpus(seed=2).texts() == ["a"]


def test_targets_share_nothing(open_corpus):
    open_corpus("one").add_failing(["a"])
    open_corpus("one").save_next_round(5)
    assert open_corpus("other").texts() == []
    assert open_corpus("other").next_round() == 0


def test_the_number_of_texts_is_limited(open_corpus, monkeypatch):
    monkeypatch.setattr(module, "MAX_FAILING", 3)
    for start in range(3):
        open_corpus().add_failing(str(n) for n in range(start, start + 3))
    assert open_corpus().texts() == ["0", "1", "2"]


def test_a_long_text_is_not_saved(open_corpus):
    open_corpus().add_failing(["a" * (MAX_LENGTH + 1), "b" * MAX_LENGTH])
    assert open_corpus().texts() == ["b" * MAX_LENGTH]


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size]


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe\x00", b"\xed"])
def test_a_damaged_entry_is_ignored(open_corpus, tmp_path, damage):
    open_corpus().add_failing(["damaged"])
    open_corpus().save_next_round(4)
    for path in entries(tmp_path):
        path.write_bytes(damage)
    open_corpus().add_failing(["whole"])
    assert open_corpus().texts() == ["whole"]
    assert open_corpus().next_round() == 0


def test_a_deleted_entry_is_ignored(open_corpus, tmp_path):
    open_corpus().add_failing(["gone", "there"])
    for path in entries(tmp_path):
        if path.read_bytes() == b"gone":
            path.unlink()
    assert open_corpus().texts() == ["there"]


def test_without_a_folder_nothing_is_saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    database = CorpusDatabase.open(None, "target", 0)
    database.add(["a"])
    database.add_failing(["a"])
    database.save_next_round(3)
    assert (database.texts(), database.next_round()) == ([], 0)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_created_is_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write the example database .* --database"):
        CorpusDatabase.open(tmp_path / "file" / "examples", "target", 0)


@pytest.mark.parametrize("spec", ["python:\ud800.py:X", "python:\U0001f600.py:X"])
def test_a_spec_may_have_any_characters(open_corpus, spec):
    open_corpus(spec).add(["a"])
    assert open_corpus(spec).texts() == ["a"]


def test_what_no_run_has_saved_is_not_read(open_corpus, tmp_path):
    open_corpus().add_failing(["a"])
    files = filter(Path.is_file, (tmp_path / "examples").rglob("*"))
    (saved,) = (path for path in files if path.read_bytes() == b"a")
    (saved.parent / "b").write_bytes(b"b" * (MAX_LENGTH + 1))
    assert open_corpus().texts() == ["a"]
    with (saved.parent / "c").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UsageError, match="a file of more than 4 MB, which"):
        open_corpus()


FOREIGN = {
    "a pipe": os.mkfifo,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a folder": lambda path: path.symlink_to("/etc"),
    "a loop": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_hypothesis_would_wait_for_or_follow_is_refused(open_corpus, tmp_path, what):
    open_corpus().add_failing(["a"])
    FOREIGN[what](next((tmp_path / "examples").glob("*/")) / "b")
    with pytest.raises(UsageError, match=r"has a link, a pipe or a device, which .* remove .*/b"):
        open_corpus()


def test_a_folder_of_gigabytes_is_refused(open_corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES_OF_FOLDER", 1000)
    open_corpus().add(["a" * 400, "b" * 400])
    assert len(open_corpus().texts()) == 2
    open_corpus().add(["c" * 400])
    with pytest.raises(UsageError, match=r"has a folder of more than 0 MB, which .* remove \w+$"):
        open_corpus()


def test_the_number_of_a_round_with_thousands_of_digits_is_none(open_corpus, tmp_path):
    open_corpus().save_next_round(7)
    for saved in filter(Path.is_file, (tmp_path / "examples").rglob("*")):
        if saved.read_bytes() == b"7":
            saved.write_bytes(b"9" * 5000)
    assert open_corpus().next_round() == 0


def test_a_loop_of_links_is_refused(tmp_path):
    folder = tmp_path / "examples"
    folder.symlink_to(folder)
    with pytest.raises(UsageError, match="cannot write the example database"):
        CorpusDatabase.open(folder, "target", 0)
