"""A baseline is read back as it was written, and reads well in between."""

import datetime as dt
import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.baseline import Acceptance, RunOptions
from tokharness.baseline.reading import read
from tokharness.baseline.writing import file_stamp, baseline_text, write
from tokharness.errors import UsageError
from tokharness.targets.snapshot import Fingerprint, Golden

WORDS = st.text(
    st.sampled_from('a0 \n\r"\\|<\ud83d\ude00\U0001f600\u202e\u2028\x00\x1b'), max_size=8
)
NUMBERS = st.integers(-(2**70), 2**70)
IDS = st.lists(NUMBERS, max_size=4).map(tuple) | WORDS
GOLDEN = st.lists(
    st.builds(Golden, WORDS, WORDS, IDS), min_size=1, max_size=4, unique_by=lambda one: one.text
).map(lambda found: tuple(sorted(found, key=lambda one: (one.group, one.text))))
ACCEPTED = st.lists(
    st.builds(
        Acceptance,
        *(WORDS, WORDS, WORDS),
        st.none() | st.sampled_from(["bug", "risk"]),
        WORDS.filter(str.strip),
        st.dates(),
        st.none() | st.dates(),
    ),
    max_size=3,
    unique_by=lambda one: one.fingerprint,
).map(lambda found: tuple(sorted(found, key=lambda one: (one.kind, one.what, one.fingerprint))))
FINGERPRINTS = st.builds(
    Fingerprint,
    *(st.none() | one for one in (WORDS, NUMBERS, WORDS, WORDS, WORDS, WORDS)),
    st.dictionaries(WORDS, NUMBERS, max_size=3),
)
FIELDS = st.fixed_dictionaries(
    {
        "name": WORDS,
        "spec": WORDS,
        "against": st.none() | WORDS,
        "run": st.builds(
            RunOptions,
            st.sampled_from(["quick", "standard"]),
            NUMBERS,
            st.none() | st.integers(0, 99),
            *(st.lists(WORDS, max_size=2).map(tuple) for _ in range(3)),
        ),
        "fingerprint": FINGERPRINTS,
        "capabilities": st.lists(WORDS, max_size=3).map(sorted).map(tuple),
        "checks": st.lists(WORDS, max_size=3).map(sorted).map(tuple),
        "skips": st.dictionaries(WORDS, WORDS, max_size=3),
        "facts": st.dictionaries(WORDS, WORDS, max_size=3),
        "metrics": st.dictionaries(WORDS, st.floats(0, 1e300), max_size=3),
        "golden": GOLDEN,
        "accepted": ACCEPTED,
    }
)


@pytest.fixture(scope="module")
def reused(tmp_path_factory):
    """A path for the examples of a property, which write to it one after another."""
    return tmp_path_factory.mktemp("reused") / "mine.json"


@settings(max_examples=60, deadline=None)
@given(FIELDS)
def test_what_is_written_is_read(reused, make_baseline, fields):
    baseline = make_baseline(**fields)
    write(baseline, reused, file_stamp(reused))
    assert read(reused) == baseline


@settings(max_examples=60)
@given(FIELDS)
def test_it_is_ascii_without_control_characters(make_baseline, fields):
    text = baseline_text(make_baseline(**fields))
    assert text.isascii()
    assert text.replace("\n", "").isprintable()


@settings(max_examples=100)
@given(FIELDS)
def test_the_order_in_which_things_were_found_does_not_show(make_baseline, fields):
    baseline = make_baseline(**fields)
    turned = replace(
        baseline,
        **{
            key: tuple(reversed(getattr(baseline, key))) for key in ("golden", "accepted", "checks")
        },
        **{key: dict(reversed(getattr(baseline, key).items())) for key in ("skips", "metrics")},
    )
    assert baseline_text(turned) == baseline_text(baseline)


def test_each_entry_is_a_line_that_reads_alone(make_baseline):
    lines = [line.rstrip(",") for line in baseline_text(make_baseline()).splitlines()]
    entries = ['["everyday", "a", [1, 2]]', '["everyday", 2.0]', '["<|end|>", 258]', '"TOK101"']
    assert set(entries) < set(lines)


def test_one_more_acceptance_is_one_more_line(make_baseline):
    baseline = make_baseline()
    more = replace(baseline, accepted=(*baseline.accepted, replace(baseline.accepted[0], what="z")))
    before, after = (baseline_text(one).splitlines() for one in (baseline, more))
    assert len(after) == len(before) + 1


def test_it_is_written_into_a_folder_that_is_not_there_yet(tmp_path, make_baseline):
    path = tmp_path / "reports" / "baselines" / "mine.json"
    write(make_baseline(), path, "")
    assert read(path) == make_baseline()


def test_of_two_runs_that_write_at_once_the_second_is_refused(path, make_baseline):
    before = file_stamp(path)
    write(make_baseline(name="first"), path, before)
    with pytest.raises(UsageError, match="another run"):
        write(make_baseline(name="second"), path, before)
    assert read(path).name == "first"


def test_a_file_that_is_gone_meanwhile_is_not_written_anew(path, make_baseline):
    write(make_baseline(), path, "")
    before = file_stamp(path)
    path.unlink()
    with pytest.raises(UsageError, match="another run"):
        write(make_baseline(), path, before)
    assert not path.exists()


def test_of_many_runs_that_write_at_once_one_writes(path, make_baseline):
    wrote = []
    start = threading.Barrier(8)

    def run(number):
        start.wait()
        try:
            write(make_baseline(name=str(number)), path, "")
            wrote.append(str(number))
        except UsageError as error:
            assert "another run" in str(error)  # noqa: PT017 - in a thread

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrote == [read(path).name]


def failing(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.mark.parametrize("method", ["write_text", "replace"])
def test_a_disk_that_fills_up_leaves_the_old_file(path, make_baseline, monkeypatch, method):
    write(make_baseline(), path, "")
    before = path.read_bytes()
    monkeypatch.setattr(Path, method, failing(OSError(28, "No space left on device")))
    with pytest.raises(UsageError, match="No space left"):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert path.read_bytes() == before


def test_a_failure_leaves_nothing_aside(path, make_baseline, monkeypatch):
    write(make_baseline(), path, "")
    monkeypatch.setattr(Path, "replace", failing(OSError(28, "No space left on device")))
    with pytest.raises(UsageError):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_that_may_not_be_written_is_told(path, make_baseline, monkeypatch):
    monkeypatch.setattr("tempfile.mkstemp", failing(PermissionError(13, "Permission denied")))
    with pytest.raises(UsageError, match="Permission denied"):
        write(make_baseline(), path, "")


def test_an_interruption_leaves_the_old_file(path, make_baseline, monkeypatch):
    write(make_baseline(), path, "")
    monkeypatch.setattr(Path, "replace", failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert read(path).name == "mine"


def test_a_folder_in_its_place_is_told(tmp_path, make_baseline):
    with pytest.raises(UsageError, match="folder"):
        write(make_baseline(), tmp_path, "")


def test_a_file_in_the_place_of_its_folder_is_told(path, make_baseline):
    path.write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        write(make_baseline(), path / "mine.json", "")


def test_what_a_link_points_to_is_written_and_the_link_stays(tmp_path, path, make_baseline):
    real = tmp_path / "real.json"
    write(make_baseline(), real, "")
    path.symlink_to(real)
    write(make_baseline(name="other"), path, file_stamp(path))
    assert path.is_symlink()
    assert read(real).name == "other"


def test_a_link_to_nothing_gets_its_file(tmp_path, path, make_baseline):
    path.symlink_to(tmp_path / "real.json")
    write(make_baseline(), path, file_stamp(path))
    assert path.is_symlink()
    assert read(tmp_path / "real.json") == make_baseline()


def test_a_pipe_is_not_replaced(path, make_baseline):
    os.mkfifo(path)
    with pytest.raises(UsageError, match="no file"):
        write(make_baseline(), path, "")
    assert path.is_fifo()


def test_the_file_is_for_everybody_to_read(path, make_baseline):
    write(make_baseline(), path, "")
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_that_is_not_there_has_no_stamp(path):
    assert file_stamp(path) == ""


def test_a_stamp_that_cannot_be_told_is_a_sentence(path):
    path.write_text("", encoding="ascii")
    with pytest.raises(UsageError, match="cannot read"):
        file_stamp(path / "inside")


def test_a_run_that_writes_the_same_is_another_run_too(path, make_baseline):
    write(make_baseline(), path, "")
    before = file_stamp(path)
    write(make_baseline(), path, before)
    with pytest.raises(UsageError, match="another run"):
        write(make_baseline(), path, before)


def test_an_acceptance_holds_on_its_last_day_and_not_after(make_baseline):
    (one,) = make_baseline().accepted
    last = one.expires
    days = (last - dt.timedelta(1), last, last + dt.timedelta(1))
    assert [one.has_expired(day) for day in days] == [False, False, True]
