"""A run replays all regressions first, unless it selects other families."""

import json
from pathlib import Path

import pytest

from tokharness.config import PROFILES, Options
from tokharness.engine.events import FamilyFinished, FindingReported, TargetStarted, UnitFinished
from tokharness.engine.run.run import run
from tokharness.engine.run.selection import select_families
from tokharness.errors import UsageError

NEEDLE = "xyzzy \u2029 plugh"
TOKENIZER = f"""
class DropsNeedle:
    def encode(self, text):
        return list(text.replace({NEEDLE!r}, "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")
"""
CRASHING = Path(__file__).parents[2] / "crashing_tokenizers.py"
FEW = ("digits", "regressions")


@pytest.fixture
def folder(tmp_path):
    """A folder of regressions; the last text is in no family."""
    folder = tmp_path / "regressions"
    folder.mkdir()
    texts = [*(f"harmless {n}" for n in range(300)), NEEDLE]
    lines = (json.dumps({"text": text}) for text in texts)
    (folder / "mine.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return folder


@pytest.fixture
def run_events(tmp_path, folder):
    """Return the events of a run on a tokenizer that fails on the last regression."""
    path = tmp_path / "drops_needle.py"
    path.write_text(TOKENIZER)

    def collect(spec=f"python:{path}:DropsNeedle", jobs=0, **options):
        values = {"families": FEW, "profile": "quick", "examples": 5, "select": ("TOK101",)}
        selected = Options(**{**values, "regressions": str(folder), **options})
        return list(run([spec], selected, jobs=jobs))

    return collect


def of_kind(kind, events):
    return [event for event in events if isinstance(event, kind)]


def test_regressions_run_before_other_families(run_events):
    events = run_events()
    assert of_kind(TargetStarted, events)[0].families == ("regressions", "digits")
    units = [unit.family for unit in of_kind(UnitFinished, events)]
    assert units == sorted(units, reverse=True)


def test_regressions_are_the_first_family():
    first, second, *_ = select_families(Options())
    assert (first.name, second.name) == ("regressions", "bidi")


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_runs_all_regressions(run_events, profile):
    events = run_events(families=("regressions",), profile=profile)
    (family,) = of_kind(FamilyFinished, events)
    assert (family.cases, family.failing) == (301, 1)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [0, 2])
def test_a_fault_that_only_a_regression_shows_is_reported(run_events, jobs):
    (event,) = of_kind(FindingReported, run_events(jobs=jobs))
    assert event.finding.families == ("regressions",)
    assert event.finding.text in NEEDLE


def test_a_run_of_other_families_does_not_replay_regressions(run_events):
    events = run_events(families=("digits",))
    assert of_kind(TargetStarted, events)[0].families == ("digits",)
    assert not of_kind(FindingReported, events)


@pytest.mark.parametrize("folder", [None, "no/such/folder"])
def test_the_family_is_empty_without_regressions(run_events, folder):
    events = run_events(regressions=folder)
    cases = {family.family: family.cases for family in of_kind(FamilyFinished, events)}
    assert cases["regressions"] == 0 < cases["digits"]
    assert not of_kind(FindingReported, events)


@pytest.fixture
def invalid_line(folder):
    with (folder / "mine.jsonl").open("a") as file:
        file.write("<<<<<<< HEAD\n")


def test_an_invalid_line_is_an_error_before_a_target_is_loaded(run_events, invalid_line):
    with pytest.raises(UsageError, match=r"mine\.jsonl:302 is not a regression"):
        run_events(spec="python:no_such_file.py:no_such_name")


def test_a_run_of_other_families_does_not_read_regressions(run_events, invalid_line):
    assert not of_kind(FindingReported, run_events(families=("digits",)))


@pytest.mark.slow
def test_other_regressions_run_if_one_crashes_the_target(run_events, folder):
    (folder / "mine.jsonl").write_text('{"text": "1\\u00bd"}\n{"text": "harmless"}\n')
    spec = f"python:{CRASHING}:ReadsNullOnHalf"
    events = run_events(spec=spec, jobs=2, families=("regressions",), select=("TOK104",))
    (event,) = of_kind(FindingReported, events)
    assert (event.finding.code, event.finding.text) == ("TOK104", "\u00bd")
    assert [family.cases for family in of_kind(FamilyFinished, events)] == [2]
