"""Texts that failed once are tried first, all of them, by whatever run is not of other families."""

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
class Forgets:
    def encode(self, text):
        return list(text.replace({NEEDLE!r}, "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")
"""
DEADLY = Path(__file__).parents[2] / "crashing_tokenizers.py"
FEW = ("digits", "regressions")


@pytest.fixture
def folder(tmp_path):
    """A folder of regressions, whose last text is one that no family has."""
    found = tmp_path / "regressions"
    found.mkdir()
    texts = [*(f"harmless {n}" for n in range(300)), NEEDLE]
    lines = (json.dumps({"text": text}) for text in texts)
    (found / "mine.jsonl").write_text("".join(f"{line}\n" for line in lines))
    return found


@pytest.fixture
def events(tmp_path, folder):
    """Events of a run on a tokenizer that fails on the last of them."""
    path = tmp_path / "forgets.py"
    path.write_text(TOKENIZER)

    def told(spec=f"python:{path}:Forgets", jobs=0, **options):
        values = {"families": FEW, "profile": "quick", "examples": 5, "select": ("TOK101",)}
        chosen = Options(**{**values, "regressions": str(folder), **options})
        return list(run([spec], chosen, jobs=jobs))

    return told


def of_kind(kind, events):
    return [event for event in events if isinstance(event, kind)]


def test_they_are_tried_before_all_others(events):
    told = events()
    assert of_kind(TargetStarted, told)[0].families == ("regressions", "digits")
    units = [unit.family for unit in of_kind(UnitFinished, told)]
    assert units == sorted(units, reverse=True)


def test_among_all_families_they_are_the_first():
    first, second, *_ = select_families(Options())
    assert (first.name, second.name) == ("regressions", "bidi")


@pytest.mark.parametrize("profile", PROFILES)
def test_all_of_them_are_tried_in_every_profile(events, profile):
    (tried,) = of_kind(FamilyFinished, events(families=("regressions",), profile=profile))
    assert (tried.cases, tried.failing) == (301, 1)


@pytest.mark.parametrize("jobs", [0, 2])
def test_what_only_they_show_is_found(events, jobs):
    (found,) = of_kind(FindingReported, events(jobs=jobs))
    assert found.finding.families == ("regressions",)
    assert found.finding.text in NEEDLE


def test_a_run_of_other_families_does_not_replay_them(events):
    told = events(families=("digits",))
    assert of_kind(TargetStarted, told)[0].families == ("digits",)
    assert not of_kind(FindingReported, told)


@pytest.mark.parametrize("where", [None, "no/such/folder"])
def test_without_any_the_family_has_no_cases(events, where):
    told = events(regressions=where)
    cases = {one.family: one.cases for one in of_kind(FamilyFinished, told)}
    assert cases["regressions"] == 0 < cases["digits"]
    assert not of_kind(FindingReported, told)


@pytest.fixture
def corrupt(folder):
    with (folder / "mine.jsonl").open("a") as file:
        file.write("<<<<<<< HEAD\n")


def test_a_corrupt_line_is_told_before_a_target_is_loaded(events, corrupt):
    with pytest.raises(UsageError, match=r"mine\.jsonl:302 is not a regression"):
        events(spec="python:no_such_file.py:no_such_name")


def test_a_run_that_does_not_replay_them_does_not_read_them(events, corrupt):
    assert not of_kind(FindingReported, events(families=("digits",)))


def test_a_deadly_one_costs_one_text_and_the_others_are_tried(events, folder):
    (folder / "mine.jsonl").write_text('{"text": "1\\u00bd"}\n{"text": "harmless"}\n')
    spec = f"python:{DEADLY}:ReadsNullOnHalf"
    told = events(spec=spec, jobs=2, families=("regressions",), select=("TOK104",))
    (found,) = of_kind(FindingReported, told)
    assert (found.finding.code, found.finding.text) == ("TOK104", "\u00bd")
    assert [one.cases for one in of_kind(FamilyFinished, told)] == [2]
