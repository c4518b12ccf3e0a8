"""A written baseline is read back unchanged, and its text is easy to review."""

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
from tokharness.baseline.writing import baseline_text, file_stamp, write
from tokharness.errors import UsageError
from tokharness.targets.snapshot import Fingerprint, Golden, TemplateState

WORDS = st.text(
    st.sampled_from('a0 \n\r"\\|<\ud83d\ude00\U0001f600\u202e\u2028\x00\x1b'), max_size=8
)
NUMBERS = st.integers(-(2**70), 2**70)
IDS = st.lists(NUMBERS, max_size=4).map(tuple) | WORDS
GOLDEN = st.lists(
    st.builds(Golden, WORDS, WORDS, IDS), min_size=1, max_size=4, unique_by=lambda one: one.text
).map(lambda golden: tuple(sorted(golden, key=lambda one: (one.group, one.text))))
ACCEPTED = st.lists(
    st.builds(
        Acceptance,
        st.text("0123456789abcdef", min_size=16, max_size=16),
        st.sampled_from(["new-finding", "changed-ids"]),
        WORDS,
        st.none() | st.sampled_from(["bug", "risk"]),
        WORDS.filter(str.strip),
        st.dates(),
        st.none() | st.dates(),
    ),
    max_size=3,
    unique_by=lambda one: one.fingerprint,
).map(
    lambda accepted: tuple(sorted(accepted, key=lambda one: (one.kind, one.what, one.fingerprint)))
)
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
        "checks": st.lists(st.sampled_from(["MINE7", "TOK101"])).map(sorted).map(tuple),
        "skips": st.dictionaries(WORDS, WORDS, max_size=3),
        "facts": st.dictionaries(WORDS, WORDS, max_size=3),
        "metrics": st.dictionaries(WORDS, st.floats(0, 1e300), max_size=3),
        "golden": GOLDEN,
        "accepted": ACCEPTED,
    }
)


@pytest.fixture(scope="module")
def reused(tmp_path_factory):
    """A path to which all examples of a property test write."""
    return tmp_path_factory.mktemp("reused") / "mine.json"


@pytest.mark.slow
@settings(max_examples=60)
@given(FIELDS)
def test_a_written_baseline_is_read_back(reused, make_baseline, fields):
    baseline = make_baseline(**fields)
    write(baseline, reused, file_stamp(reused))
    assert read(reused) == baseline


@pytest.mark.slow
@settings(max_examples=60)
@given(FIELDS)
def test_the_text_is_ascii_without_control_characters(make_baseline, fields):
    text = baseline_text(make_baseline(**fields))
    assert text.isascii()
    assert text.replace("\n", "").isprintable()


@pytest.mark.slow
@settings(max_examples=100)
@given(FIELDS)
def test_the_text_does_not_depend_on_the_order_of_entries(make_baseline, fields):
    baseline = make_baseline(**fields)
    reordered = replace(
        baseline,
        **{
            key: tuple(reversed(getattr(baseline, key))) for key in ("golden", "accepted", "checks")
        },
        **{key: dict(reversed(getattr(baseline, key).items())) for key in ("skips", "metrics")},
    )
    assert baseline_text(reordered) == baseline_text(baseline)


def test_each_entry_is_a_line(make_baseline):
    lines = [line.rstrip(",") for line in baseline_text(make_baseline()).splitlines()]
    entries = ['["everyday", "a", [1,2]]', '["everyday", 2.0]', '["<|end|>", 258]', '"TOK101"']
    assert set(entries) < set(lines)


def test_an_additional_acceptance_is_an_additional_line(make_baseline):
    baseline = make_baseline()
    more = replace(baseline, accepted=(*baseline.accepted, replace(baseline.accepted[0], what="z")))
    before, after = (baseline_text(one).splitlines() for one in (baseline, more))
    assert len(after) == len(before) + 1


@pytest.mark.parametrize("left_out", [(), ("digests",), ("answers",)])
def test_results_of_the_reference_are_read_back(path, known, left_out):
    part = replace(known, **{key: {} for key in left_out})
    write(part, path, "")
    assert read(path) == part


def test_chat_templates_are_read_back(path, make_baseline):
    digests = ("0123456789abcdef", "f" * 16)
    states = (
        TemplateState(
            "default", "a\n\u00e9", "0" * 16, {"bos_token": "<s>"}, {"user": digests}, ()
        ),
        TemplateState("tool_use", "b"),
    )
    write(make_baseline(templates=states), path, "")
    assert read(path) == make_baseline(templates=states)


def test_without_answers_the_text_is_as_before(make_baseline, known):
    assert "answers" not in baseline_text(replace(known, answers={}))
    assert "comparison" not in baseline_text(make_baseline())


def test_a_missing_folder_is_created(tmp_path, make_baseline):
    path = tmp_path / "reports" / "baselines" / "mine.json"
    write(make_baseline(), path, "")
    assert read(path) == make_baseline()


def test_the_second_of_two_concurrent_writers_is_refused(path, make_baseline):
    before = file_stamp(path)
    write(make_baseline(name="first"), path, before)
    with pytest.raises(UsageError, match="another run"):
        write(make_baseline(name="second"), path, before)
    assert read(path).name == "first"


def test_a_file_that_was_deleted_since_is_not_written(path, make_baseline):
    write(make_baseline(), path, "")
    before = file_stamp(path)
    path.unlink()
    with pytest.raises(UsageError, match="another run"):
        write(make_baseline(), path, before)
    assert not path.exists()


def test_one_of_many_concurrent_writers_succeeds(path, make_baseline):
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
def test_a_full_disk_leaves_the_old_file(path, make_baseline, monkeypatch, method):
    write(make_baseline(), path, "")
    before = path.read_bytes()
    monkeypatch.setattr(Path, method, failing(OSError(28, "No space left on device")))
    with pytest.raises(UsageError, match="No space left"):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert path.read_bytes() == before


def test_a_failure_leaves_no_temporary_file(path, make_baseline, monkeypatch):
    write(make_baseline(), path, "")
    monkeypatch.setattr(Path, "replace", failing(OSError(28, "No space left on device")))
    with pytest.raises(UsageError):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert list(path.parent.iterdir()) == [path]


def test_a_read_only_folder_is_reported(path, make_baseline, monkeypatch):
    monkeypatch.setattr(Path, "touch", failing(PermissionError(13, "Permission denied")))
    with pytest.raises(UsageError, match="Permission denied"):
        write(make_baseline(), path, "")


def test_an_interruption_leaves_the_old_file(path, make_baseline, monkeypatch):
    write(make_baseline(), path, "")
    monkeypatch.setattr(Path, "replace", failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write(make_baseline(name="other"), path, file_stamp(path))
    assert read(path).name == "mine"


def test_a_folder_instead_of_the_file_is_reported(tmp_path, make_baseline):
    with pytest.raises(UsageError, match="folder"):
        write(make_baseline(), tmp_path, "")


def test_a_file_instead_of_the_folder_is_reported(path, make_baseline):
    path.write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        write(make_baseline(), path / "mine.json", "")


def test_the_target_of_a_link_is_written(tmp_path, path, make_baseline):
    real = tmp_path / "real.json"
    write(make_baseline(), real, "")
    path.symlink_to(real)
    write(make_baseline(name="other"), path, file_stamp(path))
    assert path.is_symlink()
    assert read(real).name == "other"


def test_the_target_of_a_dangling_link_is_created(tmp_path, path, make_baseline):
    path.symlink_to(tmp_path / "real.json")
    write(make_baseline(), path, file_stamp(path))
    assert path.is_symlink()
    assert read(tmp_path / "real.json") == make_baseline()


def test_a_pipe_is_not_replaced(path, make_baseline):
    os.mkfifo(path)
    with pytest.raises(UsageError, match="not a file"):
        write(make_baseline(), path, "")
    assert path.is_fifo()


def test_the_file_is_readable_by_all(path, make_baseline):
    write(make_baseline(), path, "")
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_missing_file_has_an_empty_stamp(path):
    assert file_stamp(path) == ""


def test_a_stamp_that_cannot_be_read_is_an_error(path):
    path.write_text("", encoding="ascii")
    with pytest.raises(UsageError, match="cannot read"):
        file_stamp(path / "inside")


def test_a_writer_of_the_same_content_is_detected(path, make_baseline):
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
