"""``tokharness.compare``: costs as data."""

import pytest

import tokharness
from tokharness import TargetError, UsageError


@pytest.fixture(scope="module", name="comparison")
def _comparison():
    return tokharness.compare("tiktoken:embedded", "reference", width=1000, jobs=0)


def test_a_row_has_a_value_for_each_target(comparison):
    assert comparison.specs == ("tiktoken:embedded", "reference")
    assert comparison.comparison.embedding_width == 1000
    rows = {row.name: row.values for row in comparison.rows}
    assert rows["ids"] == (16390, 16390)
    assert all(len(values) == 2 for values in rows.values())


def test_lengths_are_of_targets_and_of_units(comparison):
    lengths = {row.name: row.of("all languages") for row in comparison.lengths}
    assert set(comparison.specs) < set(lengths)
    assert lengths["characters"].tokens_per_100_characters == 100.0
    assert 14 < lengths["reference"].tokens_per_100_characters < 100
    assert not lengths["reference"].loses_text


def test_it_is_plain_data_and_text(comparison):
    assert comparison.to_dict()["comparison"]["specs"] == list(comparison.specs)
    assert str(comparison).split()[:2] == list(comparison.specs)
    assert repr(comparison).startswith("<ComparisonReport of tiktoken:embedded reference, rows: ")


def test_a_format_without_comparisons_is_refused(comparison, tmp_path):
    with pytest.raises(UsageError, match="the format sarif cannot compare targets: use one of"):
        comparison.save(tmp_path / "c.sarif")
    assert not any(tmp_path.iterdir())
    comparison.save(tmp_path / "c.html")
    assert "Tokenizer comparison" in (tmp_path / "c.html").read_text()


@pytest.mark.parametrize(
    ("targets", "options", "error", "message"),
    [
        ((), {}, UsageError, "there is no target"),
        (("reference",), {"width": 0}, UsageError, "width is a positive number"),
        (("reference",), {"time_limit": 0}, UsageError, "time_limit takes seconds"),
        (("reference",), {"parallel": "no_such"}, UsageError, "cannot read the parallel text no_"),
        (("reference:no_such",), {}, TargetError, "no_such"),
        ((object(),), {}, UsageError, "an object of type object cannot be sent"),
    ],
)
def test_an_invalid_argument_is_an_error(targets, options, error, message):
    with pytest.raises(error, match=message):
        tokharness.compare(*targets, **{"jobs": 0, **options})
