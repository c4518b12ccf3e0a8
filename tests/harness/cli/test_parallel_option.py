"""``--parallel``: what languages cost in the user's own text, in every format of a comparison."""

import csv
import json

import pytest

from tokharness.results.report_record import read

BYTES = """
class Bytes:
    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")
"""


@pytest.fixture(name="target")
def _target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a_bytes.py").write_text(BYTES)
    (tmp_path / "mine.tsv").write_text(
        "en\tfr\tru\tde\nOne.\tUne phrase.\t\u0414\u0430.\t\nTwo.\tDeux.\t\u0414\u0432\u0430.\tx\n",
        "utf-8",
    )
    return "python:a_bytes.py:Bytes"


@pytest.mark.slow
def test_every_format_has_the_premium_of_each_language(command, tmp_path, target):
    reports = [f"--report={name}=c.{name}" for name in ("json", "csv", "html", "markdown")]
    outcome = command("compare", target, "--jobs", "0", "--parallel", "mine.tsv", *reports)
    assert outcome.code == 0
    premiums = {"French": 17 / 9, "Russian": 13 / 9}
    for name, premium in premiums.items():
        assert f"  {name}  {premium:.2f}".split() in map(str.split, outcome.out.splitlines())
    (measured,) = json.loads((tmp_path / "c.json").read_text())["targets"]
    rows = {row["name"]: row["premium"] for row in measured["measures"]["parallel"]["languages"]}
    assert rows == {"English": 1.0, **premiums}
    table = {
        tuple(row[:2]): row[3:] for row in csv.reader((tmp_path / "c.csv").read_text().splitlines())
    }
    assert table["cost of languages in mine.tsv", "French"] == [str(17 / 9)]
    page = (tmp_path / "c.html").read_text("utf-8")
    assert "Median: 1.67 times the tokens of English. Most expensive: <bdi>French</bdi>" in page
    for text in (outcome.out, page, (tmp_path / "c.markdown").read_text()):
        assert "Parallel text mine.tsv: 2 lines in 3 languages; left out: de." in text
        assert "are estimates, in bands" in text
    assert "1 language left out: de, since de in line 2 of mine.tsv is empty" in outcome.err


@pytest.mark.slow
def test_a_check_with_a_parallel_text_measures_it(check, tmp_path, target):
    outcome = check(target, "--parallel", "mine.tsv", "--report", "json=run.json")
    assert outcome.code == 0
    measures = read(tmp_path / "run.json").targets[0].measures
    assert measures["parallel"]["source"] == "mine.tsv"
    assert "languages" in measures


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("compare", "reference", "--parallel", "no_such"),
            "cannot read the parallel text no_such",
        ),
        (("check", "reference", "--parallel", "no_such"), "cannot read the parallel text no_such"),
        (("check", "reference", "--parallel", "x", "--no-measure"), "--parallel is for metrics"),
    ],
)
def test_a_mistake_is_an_error_before_anything_runs(command, words, message):
    outcome = command(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
