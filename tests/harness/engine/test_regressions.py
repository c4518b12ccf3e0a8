"""Files of regressions: what is written is read, edits by hand stay, and mistakes are told."""

import json
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.engine.regressions import UNSAID, Regression, read, write
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
def by_hand(folder):
    """Write the lines of a file as a person does."""

    def written(*lines, name="lossy-round-trip.jsonl"):
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return written


@pytest.fixture
def refused(folder):
    """Sentence in which a folder is refused."""

    def told():
        with pytest.raises(UsageError) as raised:
            read(folder)
        (sentence,) = str(raised.value).splitlines()
        return sentence

    return told


def test_what_is_written_is_read(folder):
    one = finding()
    write(folder, [one], source=SOURCE)
    assert read(folder) == (
        Regression(
            text="a\u200bb",
            id=one.fingerprint,
            why="ZWSP is dropped: a message",
            source=SOURCE,
            check="TOK101",
            cause="dropped: ZWSP is dropped",
        ),
    )


CODE_UNITS = st.text(st.characters(exclude_categories=()), min_size=1)


@given(texts=st.lists(CODE_UNITS, min_size=1, unique=True))
def test_every_text_comes_back_exactly_also_one_of_lone_surrogates(texts):
    with TemporaryDirectory() as made:
        write(Path(made), [finding(text) for text in texts], source=SOURCE)
        assert {one.text for one in read(Path(made))} == set(texts)


def test_two_surrogates_do_not_become_one_character(folder):
    write(folder, [finding("\ud83d\ude00")], source=SOURCE)
    assert [len(one.text) for one in read(folder)] == [2]


def test_a_file_is_lines_of_ascii_with_all_keys(folder):
    (path,) = write(folder, [finding("\u200b"), finding("\ud800")], source=SOURCE)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 2
    for line in lines:
        assert line.isascii()
        assert line.endswith(b"\n")
        assert list(json.loads(line)) == ["id", "text", "why", "source", "check", "cause"]


def test_each_check_has_a_file_of_its_name(folder):
    paths = write(folder, [finding(), finding(name="raises"), finding("c")], source=SOURCE)
    assert [path.name for path in paths] == ["lossy-round-trip.jsonl", "raises.jsonl"]
    assert [len(path.read_text().splitlines()) for path in paths] == [2, 1]


def test_bugs_and_risks_are_kept_and_facts_are_not(folder):
    found = [finding(verdict.value, verdict=verdict) for verdict in Verdict]
    write(folder, found, source=SOURCE)
    assert {one.text for one in read(folder)} == {"bug", "risk"}


@pytest.mark.parametrize("text", [None, b"\xff", ""])
def test_a_finding_without_a_text_writes_nothing(folder, text):
    assert write(folder, [finding(text)], source=SOURCE) == []
    assert not folder.exists()


@pytest.mark.parametrize("order", [1, -1])
def test_lines_are_sorted_by_identifier_and_text(folder, order):
    found = [finding(text, cause) for text in "cab" for cause in (f"{text}1", f"{text}2")]
    for one in found[::order]:
        write(folder, [one], source=SOURCE)
    keys = [(one.id, one.text) for one in read(folder)]
    assert keys == sorted(keys)
    assert len(keys) == len(found)


def test_a_cause_that_has_a_text_gets_a_shorter_one_only(folder):
    for text in ("bbb", "ccc", "dddd", "aa"):
        write(folder, [finding(text)], source=SOURCE)
    assert {one.text for one in read(folder)} == {"bbb", "aa"}


def test_the_same_findings_again_change_no_byte(folder):
    (path,) = write(folder, [finding(), finding("c")], source=SOURCE)
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    assert write(folder, [finding("c"), finding()], source="another campaign") == []
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_a_text_of_two_targets_is_one_line(folder):
    write(folder, [finding(spec="mine"), finding(spec="yours")], source=SOURCE)
    assert len(read(folder)) == 1


def test_lines_by_hand_keep_their_keys_and_their_looks(folder, by_hand):
    mine = '{"text": "caf\u00e9",   "why": "ours", "ticket": [17]}'
    path = by_hand(mine)
    write(folder, [finding()], source=SOURCE)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == mine
    assert len(lines) == 2


def test_a_text_that_a_person_wrote_down_is_not_added_again(folder, by_hand):
    by_hand('{"text": "a\\u200bb", "why": "a bug report"}')
    assert write(folder, [finding()], source=SOURCE) == []


def test_a_file_is_put_in_its_place_whole_and_leaves_nothing_beside_it(folder):
    (path,) = write(folder, [finding()], source=SOURCE)
    assert list(folder.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_link_stays_and_what_it_points_to_is_written(folder, tmp_path):
    folder.mkdir(parents=True)
    kept = tmp_path / "kept.jsonl"
    kept.touch()
    (folder / "lossy-round-trip.jsonl").symlink_to(kept)
    write(folder, [finding()], source=SOURCE)
    assert (folder / "lossy-round-trip.jsonl").is_symlink()
    assert len(kept.read_text().splitlines()) == 1


def test_a_text_is_all_that_a_line_needs(folder, by_hand):
    by_hand('{"text": "a"}', "", '  {"text": "b", "twin": "c"}\r')
    assert read(folder) == (Regression("a", why=UNSAID), Regression("b", why=UNSAID))


def test_files_are_read_in_the_order_of_their_names_and_others_left_alone(folder, by_hand):
    by_hand('{"text": "second"}', name="b.jsonl")
    by_hand('{"text": "first"}', name="a.jsonl")
    by_hand("see the wiki", name="README.md")
    assert [one.text for one in read(folder)] == ["first", "second"]


def test_without_a_folder_there_are_none(folder):
    assert read(folder) == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("<<<<<<< HEAD", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ('{"text": "cut o', "it is no JSON"),
        ('["a"]', "it is no JSON object"),
        ('{"why": "no text"}', 'it has no "text"'),
        ('{"text": ""}', 'it has no "text"'),
        ('{"text": 1}', '"text" is no text'),
        ('{"text": "a", "why": null}', '"why" is no text'),
        ('{"text": "a", "text": "b"}', "a key is there twice"),
    ],
)
def test_a_corrupt_line_is_told_with_its_place_and_what_to_do(by_hand, refused, line, reason):
    path = by_hand('{"text": "a"}', "", line)
    told = refused()
    assert told.startswith(f"{path}:3 is no regression: ")
    assert reason in told
    assert told.endswith("mend or delete the line")


def test_bytes_that_are_no_utf8_are_told_with_their_line(by_hand, refused):
    path = by_hand('{"text": "a"}')
    path.write_bytes(path.read_bytes() + b'{"text": "\xff"}\n')
    assert f"{path}:2 is no regression: it is no UTF-8" in refused()


def test_a_corrupt_file_is_not_written_over(folder, by_hand):
    path = by_hand(">>>>>>> theirs")
    with pytest.raises(UsageError, match="mend or delete the line"):
        write(folder, [finding()], source=SOURCE)
    assert path.read_text() == ">>>>>>> theirs\n"


def test_a_folder_that_is_a_file_is_told(folder, refused):
    folder.parent.mkdir(parents=True)
    folder.touch()
    assert f"cannot read the regressions {folder}" in refused()
    with pytest.raises(UsageError, match="cannot write the regressions"):
        write(folder, [finding()], source=SOURCE)
