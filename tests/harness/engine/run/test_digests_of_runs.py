"""Digests of whole runs: the same for any number of workers, and with what earlier runs know."""

import shutil
from pathlib import Path

import pytest

from tokharness.config import Options
from tokharness.engine.events import (
    DigestsTaken,
    FamilyFinished,
    FindingReported,
    TargetStarted,
    UnitFinished,
)
from tokharness.engine.requests import KnownResults
from tokharness.engine.run.run import run
from tokharness.targets.comparison import comparison_key
from tokharness.targets.packed_digests import unpack
from tokharness_tokenizers.vocabularies import locate

FEW = ("contractions", "digits", "plain-words", "surrogates")


def events_of(spec, jobs=1, families=FEW, known=None, golden=None, earlier=(), **options):
    options = Options(families=families, **{"profile": "quick", "examples": 5, **options})
    known = KnownResults() if known is None else known
    return list(
        run([spec], options, jobs=jobs, golden=golden, earlier=earlier, known=lambda _: known)
    )


def units_of(events):
    return {(e.family, e.number): e.digest for e in events if isinstance(e, UnitFinished)}


def findings_of(events):
    return [e.finding for e in events if isinstance(e, FindingReported)]


def counts_of(events):
    return [e for e in events if isinstance(e, FamilyFinished)]


def comparison_of(events):
    return next(e.comparison for e in events if isinstance(e, TargetStarted))


SELECT = {"select": ("TOK101", "TOK102", "TOK103", "TOK201")}


@pytest.mark.nightly
@pytest.mark.slow
def test_digests_are_the_same_for_any_number_of_workers_and_after_a_resume():
    alone = events_of("tiktoken:embedded", jobs=1, golden=(), **SELECT)
    together = events_of("tiktoken:embedded", jobs=2, golden=(), **SELECT)
    started, *rest = alone
    units = [event for event in rest if isinstance(event, UnitFinished)]
    resumed = events_of("tiktoken:embedded", golden=(), earlier=[started, *units[:3]], **SELECT)
    taken = [
        next(event.digests for event in events if isinstance(event, DigestsTaken))
        for events in (alone, together, resumed)
    ]
    assert taken[0] == taken[1] == taken[2]
    assert len(taken[0]) == len(units)


@pytest.mark.slow
def test_a_second_run_has_the_same_findings_and_counts():
    first = events_of("tiktoken:embedded", **SELECT)
    second = events_of("tiktoken:embedded", known=KnownResults(compared=units_of(first)), **SELECT)
    assert any(block.agreed for one in units_of(first).values() for block in unpack(one).blocks)
    assert findings_of(second) == findings_of(first)
    assert counts_of(second) == counts_of(first)
    assert units_of(second) == units_of(first)


@pytest.mark.slow
def test_a_reference_is_known_by_the_content_of_its_files(tmp_path):
    path = tmp_path / "one.tiktoken"
    shutil.copy(locate.EMBEDDED_PATH, path)
    shutil.copy(f"{locate.EMBEDDED_PATH}.json", f"{path}.json")
    few = {"families": ("digits",), "select": ("TOK102",), "examples": 0}
    first = comparison_of(events_of(f"tiktoken:{path}", **few))
    again = comparison_of(events_of(f"tiktoken:{path}", **few))
    side = Path(f"{path}.json")
    side.write_text(side.read_text("utf-8") + "\n", "utf-8")
    changed = comparison_of(events_of(f"tiktoken:{path}", **few))
    assert first == again != ""
    assert changed not in (first, "")
    assert len({comparison_key(first), comparison_key(changed)}) == 2


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"against": "none"}, {"against": "tiktoken:embedded"}])
def test_nothing_is_known_of_a_library_or_without_a_reference(options):
    few = {"families": ("digits",), "select": ("TOK102",), "examples": 0}
    assert comparison_of(events_of("reference", **few, **options)) == ""
