"""Vocabulary against sequence length: of targets and of units, with what they lose."""

import pytest

from tokharness.results.comparison import comparison
from tokharness.results.comparison.lengths import UNITS, lengths_of

ENCODED = {"texts": 2, "characters": 200, "bytes": 300, "words": 40}


def group(name="all texts", **fields):
    counts = {**ENCODED, "distinct_characters": 50, "distinct_words": 30, "encoded": ENCODED}
    return {"group": name, **counts, "tokens": 80, "unknown": 0, "lossy": 0, **fields}


def measured(n_vocab=1000, *groups):
    rows = groups or (group(), group("all languages"))
    return {"sequences": {"algorithm": "BPE", "n_vocab": n_vocab, "groups": list(rows)}}


def lengths(targets):
    return {row.name: row for row in lengths_of(targets)}


def test_the_length_of_a_target_is_relative_to_characters_bytes_and_words():
    length = lengths({"a": measured()})["a"].of("all texts")
    assert length.tokens_per_100_characters == 40.0
    assert length.bytes_per_token == 3.75
    assert length.tokens_per_word == 2.0


def test_units_are_the_ends_of_the_scale():
    rows = lengths({"a": measured()})
    assert {name: rows[name].vocabulary for name in UNITS} == {
        "UTF-8 bytes": 256,
        "characters": 50,
        "words": 30,
    }
    found = {name: rows[name].of("all texts").tokens_per_100_characters for name in UNITS}
    assert found == {"UTF-8 bytes": 150.0, "characters": 100.0, "words": 20.0}
    assert not any(rows[name].of("all texts").loses_text for name in UNITS)


def test_targets_are_sorted_by_their_vocabulary_and_unknown_ones_are_last():
    found = lengths({"none": measured(None), "large": measured(9000), "small": measured(100)})
    targets = [name for name, row in found.items() if not row.is_unit]
    assert targets == ["small", "large", "none"]


@pytest.mark.parametrize(
    "fields", [{"lossy": 1}, {"unknown": 3}, {"encoded": {**ENCODED, "texts": 1}}]
)
def test_a_target_that_loses_text_is_marked(fields):
    length = lengths({"a": measured(9, group(**fields))})["a"].of("all texts")
    assert length.loses_text


def test_only_texts_that_were_encoded_count():
    half = {"texts": 1, "characters": 100, "bytes": 100, "words": 20}
    length = lengths({"a": measured(9, group(encoded=half))})["a"].of("all texts")
    assert length.tokens_per_100_characters == 80.0
    assert length.not_encoded == 1


def test_a_target_that_encodes_nothing_has_no_length():
    none = dict.fromkeys(ENCODED, 0)
    length = lengths({"a": measured(9, group(encoded=none, tokens=0))})["a"].of("all texts")
    assert length.tokens_per_100_characters is None


def test_a_group_that_was_not_measured_has_no_length():
    assert lengths({"a": measured()})["a"].of("Old Italic").tokens_per_100_characters is None


@pytest.mark.parametrize("record", [{}, {"sequences": None}])
def test_a_report_without_the_measure_has_no_lengths(record):
    assert comparison({"a": record}, 1).lengths == ()


def test_rows_have_the_length_by_kind_of_text_and_script():
    language = {"code": "en", "name": "English", "script": "Latin", "bytes": 9, "tokens": 3}
    language |= {"english_tokens": 3}
    counts = {"lossless": True, "english_words": 1, "words": 1, "single_token_words": 1}
    groups = [group("all texts"), group("English prose"), group("Latin"), group("Yi")]
    one = {**measured(9, *groups), "languages": [{**language, **counts}]}
    lossy = measured(9, *(group(row["group"], lossy=1) for row in groups))
    rows = comparison({"a": one, "b": lossy}, 1).rows
    found = {row.name: row.values for row in rows if row.group == "tokens per 100 characters"}
    assert found == {"English prose": (40.0, "lossy"), "Latin": (40.0, "lossy")}


def test_the_size_is_known_without_the_bytes_of_tokens():
    rows = {row.name: row.values for row in comparison({"a": measured(32_000)}, 1).rows}
    assert rows["ids"] == (32_000,)
