"""What a campaign keeps is there for the next one of the same target."""

import pytest

from tokharness.engine.fuzzing import corpus
from tokharness.engine.fuzzing.corpus import MAX_LENGTH, CorpusDatabase
from tokharness.errors import UsageError


@pytest.fixture
def memory(tmp_path):
    """Open the database of a folder anew."""
    return lambda spec="target", seed=0: CorpusDatabase.open(tmp_path / "examples", spec, seed)


def test_a_new_database_knows_nothing(memory):
    assert memory().texts() == []
    assert memory().next_round() == 0


def test_what_failed_comes_first(memory):
    memory().add(["a", "b"])
    memory().add_failing(["z"])
    assert memory().texts() == ["z", "a", "b"]


def test_a_text_that_failed_and_was_kept_comes_once(memory):
    memory().add(["a"])
    memory().add_failing(["a"])
    assert memory().texts() == ["a"]


@pytest.mark.parametrize("text", ["\ud800", "\0", "\u202e\U0010ffff", "\r\n"])
def test_any_text_comes_back_as_it_is(memory, text):
    memory().add_failing([text])
    assert memory().texts() == [text]


def test_a_campaign_goes_on_with_the_round_after_the_last(memory):
    for number in (3, 12, 7):
        memory().save_next_round(number)
        assert memory().next_round() == number


def test_each_seed_has_its_own_rounds_and_shares_the_texts(memory):
    memory(seed=1).save_next_round(5)
    memory(seed=1).add_failing(["a"])
    assert memory(seed=2).next_round() == 0
    assert memory(seed=2).texts() == ["a"]


def test_another_target_has_nothing_of_it(memory):
    memory("one").add_failing(["a"])
    memory("one").save_next_round(5)
    assert memory("other").texts() == []
    assert memory("other").next_round() == 0


def test_no_more_is_kept_than_may_be(memory, monkeypatch):
    monkeypatch.setattr(corpus, "MAX_FAILING", 3)
    for start in range(3):
        memory().add_failing(str(n) for n in range(start, start + 3))
    assert memory().texts() == ["0", "1", "2"]


def test_a_long_text_is_not_kept(memory):
    memory().add_failing(["a" * (MAX_LENGTH + 1), "b" * MAX_LENGTH])
    assert memory().texts() == ["b" * MAX_LENGTH]


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size]


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe\x00", b"\xed"])
def test_a_damaged_entry_is_passed_over(memory, tmp_path, damage):
    memory().add_failing(["damaged"])
    memory().save_next_round(4)
    for path in entries(tmp_path):
        path.write_bytes(damage)
    memory().add_failing(["whole"])
    assert memory().texts() == ["whole"]
    assert memory().next_round() == 0


def test_an_entry_that_is_gone_is_passed_over(memory, tmp_path):
    memory().add_failing(["gone", "there"])
    for path in entries(tmp_path):
        if path.read_bytes() == b"gone":
            path.unlink()
    assert memory().texts() == ["there"]


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = CorpusDatabase.open(None, "target", 0)
    memory.add(["a"])
    memory.add_failing(["a"])
    memory.save_next_round(3)
    assert (memory.texts(), memory.next_round()) == ([], 0)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write the example database .* --database"):
        CorpusDatabase.open(tmp_path / "file" / "examples", "target", 0)


@pytest.mark.parametrize("spec", ["python:\ud800.py:X", "python:\U0001f600.py:X"])
def test_a_spec_may_be_any_text(memory, spec):
    memory(spec).add(["a"])
    assert memory(spec).texts() == ["a"]
