"""A damaged journal is never read with altered content, and a crafted one breaks nothing."""

import json
import random
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest

from tokharness.config import Options
from tokharness.engine.events import Event, TargetFinished, UnitFinished
from tokharness.engine.run.run import run
from tokharness.errors import UsageError
from tokharness.results.journal import START, Journal, read, seal
from tokharness.results.untrusted import schema

FAULTY = Path(__file__).parents[1] / "faulty_tokenizers.py"
TARGETS = (f"python:{FAULTY}:numbers_in_fours", "tiktoken:embedded")
OPTIONS = Options(
    families=("digits", "surrogates"),
    profile="quick",
    examples=5,
    against="reference:embedded",
    select=("TOK101", "TOK102", "TOK201"),
)


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """The bytes of the journal of a whole run."""
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    with closing(Journal.create(path, TARGETS, OPTIONS)) as written:
        for event in run(TARGETS, OPTIONS, jobs=0):
            written.write(event)
    return path.read_bytes()


@pytest.fixture(scope="module")
def events(journal, tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "run.jsonl"
    path.write_bytes(journal)
    return read(path).events


@pytest.fixture
def records(journal):
    """The content of each line, without its checksum."""
    records = [json.loads(line) for line in journal.splitlines()]
    for record in records:
        del record["checksum"]
    return records


@pytest.fixture
def read_bytes(tmp_path):
    """Read a journal with this content; None if it is refused."""
    path = tmp_path / "run.jsonl"

    def read_journal(data):
        path.write_bytes(data)
        return read(path)

    return read_journal


def sealed(records):
    """The journal of a stranger, with right checksums."""
    lines, checksum = [], START
    for record in records:
        line, checksum = seal(record, checksum)
        lines.append(line)
    return b"".join(lines)


@pytest.mark.parametrize("changes", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_no_changed_byte_alters_what_is_read(read_bytes, mutations, journal, events, changes):
    generator = random.Random(changes)
    numbers = []
    for _ in range(changes):
        changed = mutations.with_changed_byte(journal, generator)
        if changed.partition(b"\n")[0] != journal.partition(b"\n")[0]:
            with pytest.raises(UsageError, match="is not a journal, or is damaged in line 1"):
                read_bytes(changed)
            continue
        contents = read_bytes(changed)
        assert (contents.specs, contents.options) == (TARGETS, OPTIONS)
        assert contents.events == events[: len(contents.events)]
        assert contents.damaged_line in (0, len(contents.events) + 2)
        numbers.append(contents.damaged_line)
    assert len(set(numbers)) > 10


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: [*lines[:9], *lines[10:]],
        lambda lines: [*lines[:9], lines[8], *lines[9:]],
        lambda lines: [*lines[:9], lines[10], lines[9], *lines[11:]],
        lambda lines: [*lines[:9], lines[9][:-1], *lines[10:]],
        lambda lines: [*lines[:9], b"\n", *lines[9:]],
        lambda lines: [*lines[:9], bytes(100) + b"\n"],
        lambda lines: [*lines[:9], b'{"event": "TargetFinished"}\n'],
        lambda lines: [*lines[:9], b"[" * 100_000 + b"\n"],
    ],
    ids=["removed", "repeated", "swapped", "joined", "empty", "zeros", "added", "nested"],
)
def test_changed_lines_end_what_is_read(read_bytes, journal, events, change):
    contents = read_bytes(b"".join(change(journal.splitlines(keepends=True))))
    assert contents.damaged_line == 10
    assert contents.events == events[:8]


def test_a_resumed_run_replaces_what_follows_the_damage(tmp_path, journal, events):
    lines = journal.splitlines(keepends=True)
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"".join([*lines[:9], b"damaged\n", *lines[9:]]))
    contents = read(path)
    resumed = Journal.resume(path, contents)
    for event in events[8:]:
        resumed.write(event)
    resumed.close()
    assert path.read_bytes() == journal


def finished(spec):
    times = {"seconds": 1, "tokenizer_seconds": 1}
    return {"event": "TargetFinished", "spec": spec, "cases": 1, **times}


WRONG = {
    "another type": (UnitFinished, {"cases": "1"}, "is not of type 'integer'"),
    "a fraction": (UnitFinished, {"cases": 1.0}, "is not of type 'integer'"),
    "a truth value as a number": (UnitFinished, {"number": True}, "is not of type 'integer'"),
    "a huge number": (UnitFinished, {"cases": 10**400}, "is greater than the maximum"),
    "a negative number": (UnitFinished, {"seconds": -1}, "is less than the minimum"),
    "a unit beyond the last": (UnitFinished, {"number": 10**6}, "has 8 units, and this is unit"),
    "another number of units": (UnitFinished, {"units": 9}, "has 8 units, and this is unit"),
    "an unknown family": (UnitFinished, {"family": "no-such"}, "has no family 'no-such'"),
    "an unknown check": (UnitFinished, {"failing": {"NONE1": ["a"]}}, "there is no check NONE1"),
    "no code": (UnitFinished, {"failing_left_out": {"x\n": 1}}, "does not match"),
    "texts that are numbers": (
        UnitFinished,
        {"failing": {"TOK101": [1]}},
        "is not of type 'string'",
    ),
    "an unknown target": (UnitFinished, {"spec": "other"}, "has no target 'other'"),
    "a wrong crasher": (UnitFinished, {"crashers": [["encode", "a"]]}, "is too short"),
    "another key": (UnitFinished, {"surprise": 1}, "was unexpected"),
    "an unknown event": (UnitFinished, {"event": "Options"}, "is not an event of a journal"),
    "an event of a campaign": (UnitFinished, {"event": "RoundFinished"}, "is not an event"),
    "no event": (UnitFinished, {"event": []}, "is not an event of a journal"),
    "deep lists": (UnitFinished, {"crashers": [[[[[[[["x"]]]]]]]] * 2}, "is not of type"),
    "an infinite time": (TargetFinished, {"seconds": 1e308}, "is greater than the maximum"),
}


@pytest.mark.parametrize(("kind", "values", "message"), WRONG.values(), ids=WRONG)
def test_a_crafted_event_is_refused_in_one_sentence(read_bytes, records, kind, values, message):
    place = [number for number, one in enumerate(records) if one.get("event") == kind.__name__][1]
    records[place] |= values
    with pytest.raises(UsageError, match=f"line {place + 1} of the journal ") as error:
        read_bytes(sealed(records))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_event_before_the_start_of_its_target_is_refused(read_bytes, records):
    with pytest.raises(UsageError, match="has not started"):
        read_bytes(sealed([records[0], finished(TARGETS[0])]))


@pytest.mark.parametrize(
    "values",
    [
        {"specs": []},
        {"specs": "tiktoken:embedded"},
        {"options": {}},
        {"options": {"profile": "quick", "seed": 0, "fail_on": "bug", "examples": -1}},
        {"regressions": None},
        {"surprise": 1},
        {"journal": "3"},
    ],
)
def test_a_crafted_first_line_is_refused(read_bytes, records, values):
    records[0] |= values
    with pytest.raises(UsageError, match="is not a journal, or is damaged in line 1"):
        read_bytes(sealed(records))


NOT_JOURNALED = {
    *("RoundFinished", "CauseDiscovered", "CampaignFinished", "SnapshotTaken", "SlowTarget"),
    *("TokensListed", "TokensSplit", "DigestsTaken", "AnswersGiven", "ShardScanned"),
}


def test_every_event_of_a_run_without_a_campaign_can_be_in_a_journal():
    described = set(schema("journal")["$defs"])
    journaled = {one.__name__ for one in get_args(Event)} - NOT_JOURNALED
    assert journaled <= described, "edit harness/tokharness/schemas/journal.json"


def test_what_an_event_may_lack_has_its_default(records, read_bytes, events):
    for record in records:
        record.pop("diagnosed", None)
    read_back = read_bytes(sealed(records))
    assert len(read_back.events) == len(events)


@pytest.mark.parametrize(
    "seeds",
    [
        range(20),
        *(
            pytest.param(range(first, first + 100), marks=pytest.mark.slow(every=3))
            for first in range(20, 320, 100)
        ),
    ],
    ids=lambda seeds: f"from-{seeds.start}",
)
def test_a_changed_event_is_refused_or_its_run_is_resumed_harmlessly(
    tmp_path, in_every_format, mutations, records, seeds
):
    path, codes = tmp_path / "changed.jsonl", set()
    for seed in seeds:
        generator = random.Random(seed)
        until = generator.choice((len(records), generator.randrange(1, len(records))))
        place = generator.randrange(until)
        changed = [*records[:until]]
        changed[place] = mutations.mutated(records[place], generator)
        path.write_bytes(sealed(changed))
        code, err, outputs = in_every_format(
            *("check", *TARGETS, "--resume", str(path), "--jobs", "0", "--no-measure")
        )
        assert "internal" not in err, (seed, err)
        for name, output in outputs.items():
            assert mutations.harmless(output.replace("\r\n", "\n")), (seed, name)
        codes.add(code)
    assert codes == {1, 2}
