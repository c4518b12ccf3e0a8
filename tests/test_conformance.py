"""The table of published vocabularies in ``reports/conformance`` is up to date."""

import os
from pathlib import Path

import make_conformance
import pytest

from tokharness.model import Verdict
from tokharness_tokenizers.programs import known_engines
from tokharness_tokenizers.programs.starting import is_installed

TABLE = make_conformance.read()
NAME, ENGINE = "SentencePiece's Botchan, BPE", "kitoken"
MOST_BYTES = 300_000


def test_the_page_is_rendered_from_its_json():
    path = make_conformance.FOLDER / "index.html"
    assert make_conformance.page(TABLE) == path.read_text("utf-8")
    assert sum(one.stat().st_size for one in path.parent.iterdir()) < MOST_BYTES


def test_no_row_has_a_path_of_a_machine_or_a_cause_that_a_package_alone_contradicts():
    for row in TABLE["rows"]:
        assert not any(":/" in form["spec"] for form in row["forms"])
        assert all(form["package"] for form in row["forms"])
        bugs = [one for one in row["causes"] if one["verdict"] == Verdict.BUG.value]
        assert all(one["confirmed"] is not False for one in bugs)


@pytest.mark.slow
def test_a_run_on_a_part_of_the_table_gives_the_same():
    if not is_installed(known_engines()[ENGINE]):
        pytest.skip(f"{ENGINE} is not installed")
    path = Path(os.environ.get(make_conformance.VARIABLE, "/no/such/folder"))
    if not (path / make_conformance.VOCABULARIES[NAME]).is_file():
        pytest.skip(f"{make_conformance.VARIABLE} has no {make_conformance.VOCABULARIES[NAME]}")
    reference, *others = make_conformance.specs_of(make_conformance.VOCABULARIES[NAME])
    own = [spec for spec in others if f"engine:{ENGINE}:" in spec]
    now = make_conformance.conformance(NAME, specs=[reference, *own])
    (row,) = (one for one in TABLE["rows"] if one["vocabulary"] == NAME)
    place = [form["spec"] for form in row["forms"]].index(now["forms"][1]["spec"])
    if row["forms"][place]["package"] != now["forms"][1]["package"]:
        pytest.skip(f"the table has {row['forms'][place]['package']}")
    before = [
        (one["name"], one["text"], one["confirmed"])
        for one in row["causes"]
        if place in one["forms"]
    ]
    after = [(one["name"], one["text"], one["confirmed"]) for one in now["causes"]]
    assert sorted(map(str, after)) == sorted(map(str, before)), "run tests/make_conformance.py"
