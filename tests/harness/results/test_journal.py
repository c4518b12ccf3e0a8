"""A journal holds a run, and a run goes on from one wherever it was cut off."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import FindingReported, MetricsCollected, SkipRecorded, UnitFinished
from tokharness.engine.run.run import run
from tokharness.errors import UsageError
from tokharness.results import journal as journals
from tokharness.results.journal import Journal, read

FAULTY = Path(__file__).parents[1] / "faulty_tokenizers.py"
TARGETS = (f"python:{FAULTY}:numbers_in_fours", "tiktoken:embedded")
OPTIONS = Options(
    families=("digits", "surrogates"),
    profile="quick",
    examples=5,
    against="reference:embedded",
    ignore=("TOK109", "TOK110", "TOK114"),  # their audits take seconds
)


@pytest.fixture(scope="module")
def undisturbed():
    return list(run(TARGETS, OPTIONS, jobs=0))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def whole(path, undisturbed):
    """A journal of the whole run, as lines."""
    write(Journal.begin(path, TARGETS, OPTIONS), undisturbed)
    return path.read_bytes().splitlines(keepends=True)


def write(journal, events):
    for event in events:
        journal.write(event)
    journal.close()
    assert journal.error == ""


def told(events):
    return [event for event in events if isinstance(event, FindingReported | SkipRecorded)]


def test_what_is_written_is_read(path, whole, undisturbed):
    written = read(path)
    assert written.targets == TARGETS
    assert written.options == OPTIONS
    assert told(written.events) == told(undisturbed)
    assert written.is_finished


def test_what_was_measured_is_read(path, undisturbed):
    measured = MetricsCollected(TARGETS[0], {"texts": [{"text": "\ud800", "ids": [1]}], "growth": None})
    write(Journal.begin(path, TARGETS, OPTIONS), [undisturbed[0], measured])
    assert read(path).events[-1] == measured


def test_it_is_json_lines_of_ascii(whole):
    assert all(line.isascii() and json.loads(line) for line in whole)


@pytest.mark.parametrize(
    ("share", "cut"),
    [
        *((0.0, 0), (0.5, 7), (1.0, 0)),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in ((0.1, 7), (0.5, 0), (0.9, 0), (0.99, 7))
        ),
    ],
)
def test_a_run_goes_on_from_any_line_with_the_same_result(path, whole, undisturbed, share, cut):
    kept = whole[: 1 + round(share * (len(whole) - 1))]
    path.write_bytes(b"".join(kept)[: -cut or None] if len(kept) > 1 else kept[0])
    written = read(path)
    journal = Journal.go_on(path)
    events = list(run(written.targets, written.options, jobs=0, before=written.events))
    write(journal, events)
    assert told(events) == told(undisturbed)
    assert read(path).is_finished


def test_what_is_done_is_not_done_again(path, whole):
    units = [event for event in read(path).events if isinstance(event, UnitFinished)]
    before = [event for event in units if event.spec == TARGETS[0]][:-1]
    again = run(TARGETS[:1], OPTIONS, jobs=0, before=before)
    assert len([event for event in again if isinstance(event, UnitFinished)]) == 1


def test_an_unfinished_journal_is_not_written_over(path, whole):
    path.write_bytes(b"".join(whole[:4]))
    with pytest.raises(UsageError, match="--resume"):
        Journal.begin(path, TARGETS, OPTIONS)
    assert path.read_bytes() == b"".join(whole[:4])


def test_a_finished_journal_is(path, whole):
    Journal.begin(path, TARGETS, OPTIONS).close()
    assert len(path.read_bytes().splitlines()) == 1


@pytest.mark.parametrize("content", ["", "not json\n", "[]\n", '{"journal": 1}\n', "\x00\xff\n"])
def test_what_is_no_journal_is_told(path, content):
    path.write_text(content, encoding="latin-1")
    with pytest.raises(UsageError, match="is no journal"):
        read(path)


def test_a_damaged_line_is_told_with_its_number(path, whole):
    path.write_bytes(b"".join([*whole[:3], b"damaged\n", *whole[3:]]))
    with pytest.raises(UsageError, match="damaged in line 4"):
        read(path)


def test_a_missing_journal_is_told(path):
    with pytest.raises(UsageError, match="cannot read the journal"):
        read(path)


def test_a_journal_of_other_versions_is_refused(path, whole, monkeypatch):
    monkeypatch.setattr(journals, "versions", lambda: {"tokharness": "other"})
    with pytest.raises(UsageError, match="other versions"):
        read(path)


@pytest.fixture
def folder(tmp_path):
    """A folder of regressions with one text."""
    found = tmp_path / "regressions"
    found.mkdir()
    (found / "mine.jsonl").write_text('{"text": "failed once"}\n')
    return found


def replaying(folder, *families):
    return replace(OPTIONS, regressions=str(folder), families=families)


def test_a_journal_has_what_the_run_replays(path, folder):
    Journal.begin(path, TARGETS, replaying(folder, "regressions")).close()
    assert read(path).options.regressions == str(folder)


def test_an_unfinished_journal_of_other_regressions_is_refused(path, folder):
    Journal.begin(path, TARGETS, replaying(folder, "regressions")).close()
    with (folder / "mine.jsonl").open("a") as file:
        file.write('{"text": "another"}\n')
    with pytest.raises(UsageError, match="other regressions: start a new one"):
        read(path)


def test_other_reasons_and_sources_of_the_same_texts_are_no_other_regressions(path, folder):
    Journal.begin(path, TARGETS, replaying(folder, "regressions")).close()
    (folder / "mine.jsonl").write_text('{"text": "failed once", "why": "known"}\n')
    assert read(path).events == []


def test_regressions_that_a_run_does_not_replay_may_change(path, folder):
    Journal.begin(path, TARGETS, replaying(folder, "digits")).close()
    (folder / "mine.jsonl").unlink()
    assert read(path).events == []


def test_a_journal_from_before_there_were_regressions_is_read(path, whole):
    head = json.loads(whole[0])
    del head["regressions"], head["options"]["regressions"]
    path.write_bytes(b"".join([json.dumps(head).encode() + b"\n", *whole[1:4]]))
    assert read(path).options == OPTIONS


def test_a_path_that_cannot_be_written_is_told_before_the_work(tmp_path):
    with pytest.raises(UsageError, match="cannot write the journal"):
        Journal.begin(tmp_path / "no" / "such" / "folder", TARGETS, OPTIONS)


def test_a_disk_that_fills_up_loses_the_journal_only(path, undisturbed):
    journal = Journal.begin(path, TARGETS, OPTIONS)
    journal.close()  # nothing can be written any more
    for event in undisturbed:
        journal.write(event)
    assert "is incomplete" in journal.error
