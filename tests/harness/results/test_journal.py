"""A journal records a run, which can be resumed from any line of it."""

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
    ignore=("TOK109", "TOK110", "TOK114", "TOK302"),  # their audits take seconds
)


@pytest.fixture(scope="module")
def uninterrupted():
    return list(run(TARGETS, OPTIONS, jobs=0))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.fixture
def whole(path, uninterrupted):
    """Lines of the journal of a complete run."""
    write(Journal.create(path, TARGETS, OPTIONS), uninterrupted)
    return path.read_bytes().splitlines(keepends=True)


def write(journal, events):
    for event in events:
        journal.write(event)
    journal.close()
    assert journal.error == ""


def results(events):
    return [event for event in events if isinstance(event, FindingReported | SkipRecorded)]


@pytest.mark.slow
def test_a_written_journal_is_read_back(path, whole, uninterrupted):
    written = read(path)
    assert written.specs == TARGETS
    assert written.options == OPTIONS
    assert results(written.events) == results(uninterrupted)
    assert written.is_finished


@pytest.mark.slow
def test_metrics_are_read_back(path, uninterrupted):
    encoding = dict.fromkeys(("bytes", "decoded_if_different", "error", "reference"))
    texts = [{"text": "\ud800", "ids": [1], **encoding}]
    metrics = MetricsCollected(TARGETS[0], {"texts": texts, "growth": None})
    write(Journal.create(path, TARGETS, OPTIONS), [uninterrupted[0], metrics])
    assert read(path).events[-1] == metrics


@pytest.mark.slow
def test_a_journal_is_ascii_json_lines(whole):
    assert all(line.isascii() and json.loads(line) for line in whole)


@pytest.mark.slow(every=3)
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
def test_a_run_resumed_from_any_line_has_the_same_results(path, whole, uninterrupted, share, cut):
    lines = whole[: 1 + round(share * (len(whole) - 1))]
    path.write_bytes(b"".join(lines)[: -cut or None] if len(lines) > 1 else lines[0])
    written = read(path)
    journal = Journal.resume(path, written)
    events = list(run(written.specs, written.options, jobs=0, earlier=written.events))
    write(journal, events)
    assert results(events) == results(uninterrupted)
    assert read(path).is_finished


@pytest.mark.slow
def test_finished_units_are_not_run_again(path, whole):
    units = [event for event in read(path).events if isinstance(event, UnitFinished)]
    before = [event for event in units if event.spec == TARGETS[0]][:-1]
    resumed = run(TARGETS[:1], OPTIONS, jobs=0, earlier=before)
    assert len([event for event in resumed if isinstance(event, UnitFinished)]) == 1


def test_an_unfinished_journal_is_not_overwritten(path, whole):
    path.write_bytes(b"".join(whole[:4]))
    with pytest.raises(UsageError, match="--resume"):
        Journal.create(path, TARGETS, OPTIONS)
    assert path.read_bytes() == b"".join(whole[:4])


def test_a_finished_journal_is_overwritten(path, whole):
    Journal.create(path, TARGETS, OPTIONS).close()
    assert len(path.read_bytes().splitlines()) == 1


@pytest.mark.parametrize("content", ["", "not json\n", "[]\n", '{"journal": 4}\n', "\x00\xff\n"])
def test_a_file_that_is_not_a_journal_is_refused(path, content):
    path.write_text(content, encoding="latin-1")
    with pytest.raises(UsageError, match="is not a journal"):
        read(path)


def test_what_follows_a_damaged_line_is_not_read(path, whole):
    path.write_bytes(b"".join([*whole[:3], b"damaged\n", *whole[3:]]))
    written = read(path)
    assert (written.damaged_line, len(written.events)) == (4, 2)


def test_a_missing_journal_is_reported(path):
    with pytest.raises(UsageError, match="cannot read the journal"):
        read(path)


def test_a_journal_of_other_versions_is_refused(path, whole, monkeypatch):
    monkeypatch.setattr(journals, "versions", lambda: {"tokharness": "other"})
    with pytest.raises(UsageError, match="other versions"):
        read(path)


@pytest.fixture
def folder(tmp_path):
    """A folder of regressions with one text."""
    folder = tmp_path / "regressions"
    folder.mkdir()
    (folder / "mine.jsonl").write_text('{"text": "failed once"}\n')
    return folder


def options_with(folder, *families):
    return replace(OPTIONS, regressions=str(folder), families=families)


def test_a_journal_has_the_folder_of_regressions(path, folder):
    Journal.create(path, TARGETS, options_with(folder, "regressions")).close()
    assert read(path).options.regressions == str(folder)


def test_an_unfinished_journal_of_other_regressions_is_refused(path, folder):
    Journal.create(path, TARGETS, options_with(folder, "regressions")).close()
    with (folder / "mine.jsonl").open("a") as file:
        file.write('{"text": "another"}\n')
    with pytest.raises(UsageError, match="other regressions: start a new one"):
        read(path)


def test_a_changed_reason_of_a_regression_does_not_matter(path, folder):
    Journal.create(path, TARGETS, options_with(folder, "regressions")).close()
    (folder / "mine.jsonl").write_text('{"text": "failed once", "why": "known"}\n')
    assert read(path).events == []


def test_regressions_that_are_not_replayed_may_change(path, folder):
    Journal.create(path, TARGETS, options_with(folder, "digits")).close()
    (folder / "mine.jsonl").unlink()
    assert read(path).events == []


def test_a_journal_of_another_schema_is_refused(path, whole):
    head = json.loads(whole[0])
    del head["checksum"]
    path.write_bytes(b"".join([json.dumps(head | {"journal": 2}).encode() + b"\n", *whole[1:]]))
    with pytest.raises(UsageError, match="schema version 2, not 4: start a new one"):
        read(path)


def test_a_path_that_cannot_be_written_is_reported_at_once(tmp_path):
    with pytest.raises(UsageError, match="cannot write the journal"):
        Journal.create(tmp_path / "no" / "such" / "folder", TARGETS, OPTIONS)


def test_a_failing_disk_only_loses_the_journal(path, uninterrupted):
    journal = Journal.create(path, TARGETS, OPTIONS)
    journal.close()  # writing fails from now on
    for event in uninterrupted:
        journal.write(event)
    assert "is incomplete" in journal.error
