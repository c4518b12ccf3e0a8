"""Growth of the time to split a text, and what was not measured."""

import pytest

from tokharness import plugins
from tokharness.chunking.checks import split_growth
from tokharness.chunking.chunker import Chunker
from tokharness.chunking.examination import examine
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import Trial


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("Quadratic", "superlinear growth: split"),
        ("RefusesLong", "long text fails: RecursionError"),
        ("Characters", None),
    ],
)
def test_growth_and_long_texts(findings, name, cause, monkeypatch):
    monkeypatch.setattr(split_growth, "SECONDS", 1e6)  # a busy machine is not a failure
    found = findings(name, "TOK611", texts=["a b"])
    assert [str(one.cause) for one in found] == ([] if cause is None else [cause])


def test_what_was_not_measured_is_a_skip(spec_of, monkeypatch):
    monkeypatch.setattr(split_growth, "SECONDS", -1)
    check = plugins.chunk_checks()["TOK611"]
    with Chunker(spec_of("Characters")) as chunker:
        report = examine(Splitting(chunker, [Trial("a b", 4, 0)]), [check], ["chunk"])
    assert report.findings == ()
    (skip,) = (one for one in report.skips if one.what == "growth")
    assert "measured on words, a word" in skip.reason
