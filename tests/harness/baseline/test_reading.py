"""An invalid baseline is refused with one sentence."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.baseline.reading import read
from tokharness.baseline.writing import baseline_text, write
from tokharness.errors import UsageError
from tokharness.results import untrusted
from tokharness.targets.comparison import pack_answer


@pytest.fixture(scope="module")
def reused(tmp_path_factory):
    """A path to which all examples of a property test write."""
    return tmp_path_factory.mktemp("reused") / "mine.json"


def refused(path, name=None):
    """Return the error for a file, which is one sentence."""
    with pytest.raises(UsageError) as raised:
        read(path, name)
    (sentence,) = str(raised.value).splitlines()
    assert str(path) in sentence
    return sentence


def test_a_missing_baseline_names_the_command_that_writes_one(path):
    assert "`tokharness baseline`" in refused(path)


def test_a_folder_is_refused(tmp_path):
    assert "cannot read" in refused(tmp_path)


def test_a_circular_link_is_refused(path):
    path.symlink_to(path)
    assert "cannot read" in refused(path)


@pytest.mark.parametrize(
    "content", ["", "no json", "[]", "3", "null", '"text"', "{}", "\x00", "{]"]
)
def test_a_file_that_is_not_a_baseline_is_refused(path, content):
    path.write_text(content)
    assert "is not a baseline" in refused(path)


@pytest.mark.parametrize(
    "data", [b'{"schema_version": "\xc3\xa9"}', b"\xff\xfe", b"\xef\xbb\xbf{}"]
)
def test_a_file_that_is_not_ascii_is_refused(path, data):
    path.write_bytes(data)
    assert "not ASCII" in refused(path)


def test_a_damaged_line_is_reported_by_number(path, make_baseline):
    lines = baseline_text(make_baseline()).splitlines()
    path.write_text("\n".join([*lines[:4], "damaged", *lines[4:]]))
    assert "damaged in line 5" in refused(path)


@pytest.mark.slow
def test_a_truncated_file_is_refused(path, make_baseline):
    data = baseline_text(make_baseline()).encode()
    for end in range(len(data) - 1):  # all but the line feed at the end
        path.write_bytes(data[:end])
        with pytest.raises(UsageError):
            read(path)


def test_the_last_line_feed_may_be_missing(path, make_baseline):
    path.write_text(baseline_text(make_baseline()).rstrip("\n"))
    assert read(path) == make_baseline()


def test_a_newer_schema_is_refused(edit):
    sentence = refused(edit(lambda record: record.update(schema_version=3)))
    assert "newer tokharness" in sentence
    assert "upgrade" in sentence


def test_a_newer_schema_is_reported_before_other_problems(edit):
    def newer(record):
        record.clear()
        record.update(schema_version=99)

    assert "newer tokharness" in refused(edit(newer))


@pytest.mark.parametrize("schema", [None, "1", 1.0, True, [], 0, -1])
def test_an_invalid_schema_version_is_refused(edit, schema):
    assert "schema_version" in refused(edit(lambda record: record.update(schema_version=schema)))


def test_a_baseline_of_another_name_is_refused(path, make_baseline):
    write(make_baseline(), path, "")
    sentence = refused(path, "other")
    assert "'mine', not of 'other'" in sentence
    assert "--name mine" in sentence


@pytest.mark.parametrize("name", ["mine", None])
def test_a_baseline_of_the_given_or_any_name_is_read(path, make_baseline, name):
    write(make_baseline(), path, "")
    assert read(path, name).name == "mine"


KEYS = (
    *("schema_version", "name", "target", "against", "run", "versions", "fingerprint"),
    *("accepted", "special_tokens", "capabilities", "checks", "skips", "facts", "metrics"),
    "golden",
)


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_key_is_reported_by_name(edit, key):
    assert key in refused(edit(lambda record: record.pop(key)))


@pytest.mark.parametrize(
    ("part", "key"),
    [
        *(("run", key) for key in ("profile", "seed", "examples", "select", "ignore", "families")),
        *(("fingerprint", key) for key in ("vocabulary", "n_vocab", "pattern", "unicode_version")),
        *(("fingerprint", key) for key in ("normalizer", "normalizer_version")),
    ],
)
def test_a_missing_nested_key_is_reported_by_name(edit, part, key):
    assert key in refused(edit(lambda record: record[part].pop(key)))


@pytest.mark.parametrize(
    "key", ["fingerprint", "kind", "what", "verdict", "reason", "first_seen", "expires"]
)
def test_a_missing_key_of_an_acceptance_is_reported_by_name(edit, key):
    assert key in refused(edit(lambda record: record["accepted"][0].pop(key)))


@pytest.mark.parametrize("reason", ["", " \t"])
def test_an_acceptance_without_a_reason_is_refused(edit, reason):
    path = edit(lambda record: record["accepted"][0].update(reason=reason))
    assert "has no reason" in refused(path)


@pytest.mark.parametrize("key", ["first_seen", "expires"])
@pytest.mark.parametrize("date", ["", "tomorrow", "2027-02-30", "31.3.2027", 20270331])
def test_an_invalid_date_is_refused(edit, key, date):
    assert "is not a valid baseline" in refused(
        edit(lambda record: record["accepted"][0].update({key: date}))
    )


@pytest.mark.parametrize(
    "ids", [["1"], [1.0], [True], [None], [[1]], {}, {"1": 2}, None, 3, [10.5, 2]], ids=repr
)
def test_ids_that_are_not_integers_are_refused(edit, ids):
    assert "is not a valid baseline" in refused(
        edit(lambda record: record["golden"][0].__setitem__(2, ids))
    )


@pytest.mark.parametrize("row", ["abc", {}, [], ["everyday", "a"], ["everyday", "a", [1], 2], None])
def test_an_invalid_golden_text_is_refused(edit, row):
    assert "is not a valid baseline" in refused(edit(lambda record: record["golden"].append(row)))


def test_a_baseline_without_golden_texts_is_refused(edit):
    assert "no golden texts" in refused(edit(lambda record: record["golden"].clear()))


@pytest.mark.parametrize("metric", ["NaN", "Infinity", "-Infinity", "1e999", "-1", '"2"', "null"])
def test_a_metric_that_is_not_a_number_is_refused(path, make_baseline, metric):
    path.write_text(
        baseline_text(make_baseline()).replace('["everyday", 2.0]', f'["everyday", {metric}]')
    )
    assert "everyday" in refused(path)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_huge_number_is_refused(path, make_baseline, digits):
    huge = "9" * digits
    path.write_text(
        baseline_text(make_baseline()).replace('["everyday", 2.0]', f'["everyday", {huge}]')
    )
    refused(path)


@pytest.mark.parametrize(
    "key", ["special_tokens", "metrics", "skips", "facts", "golden", "accepted"]
)
def test_a_duplicate_entry_is_refused(edit, key):
    def twice(record):
        record[key].append(record[key][0])

    assert f"{key} has" in refused(edit(twice))


def test_a_duplicate_key_is_refused(path, make_baseline):
    path.write_text(baseline_text(make_baseline()).replace('"checks"', '"capabilities"'))
    assert "duplicate key" in refused(path)


@pytest.mark.parametrize(
    "change",
    [
        {"profile": "fast"},
        {"profile": 3},
        {"seed": "0"},
        {"examples": -1},
        {"select": ["TOK101", 3]},
        {"families": "emoji"},
    ],
    ids=str,
)
def test_invalid_options_of_a_run_are_refused(edit, change):
    assert "is not a valid baseline" in refused(edit(lambda record: record["run"].update(change)))


@pytest.mark.parametrize(
    "change", [{"n_vocab": "3"}, {"unicode_version": 16}, {"normalizer": ["NFC"]}, {"pattern": {}}]
)
def test_a_fingerprint_with_invalid_types_is_refused(edit, change):
    assert "is not a valid baseline" in refused(
        edit(lambda record: record["fingerprint"].update(change))
    )


@pytest.mark.parametrize("depth", [900, 200_000])
@pytest.mark.parametrize("opening", ["[", '{"a": '])
def test_very_deep_nesting_is_refused(path, make_baseline, depth, opening):
    closing = {"[": "]", '{"a": ': "}"}[opening]
    nested = f"{opening * depth}3{closing * depth}"
    path.write_text(baseline_text(make_baseline()).replace('"checks": [', f'"checks": [{nested},'))
    refused(path)


@pytest.mark.parametrize("pieces", ["3", "null", '["a", 3]', '"ab"'])
def test_invalid_pieces_of_a_text_are_refused(path, make_baseline, pieces):
    text = baseline_text(make_baseline()).replace('"mine"', f'{{"pieces": {pieces}}}')
    path.write_text(text)
    refused(path)


NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda values: (
        st.lists(values, max_size=3) | st.dictionaries(st.text(max_size=3), values, max_size=3)
    ),
    max_leaves=5,
)


@pytest.mark.slow
@settings(max_examples=300)
@given(key=st.sampled_from(KEYS), at=st.integers(0, 3), nonsense=NONSENSE)
def test_nested_nonsense_is_refused_or_read(reused, make_baseline, key, at, nonsense):
    record = json.loads(baseline_text(make_baseline()))
    value = record[key]
    if isinstance(value, list) and at:
        value.insert(at - 1, nonsense)
    elif isinstance(value, dict) and at:
        value[list(value)[at % len(value)]] = nonsense
    else:
        record[key] = nonsense
    reused.write_text(json.dumps(record), encoding="ascii")
    with contextlib.suppress(UsageError):
        assert baseline_text(read(reused))


@pytest.mark.slow
@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_any_bytes_are_refused(reused, data):
    reused.write_bytes(data)
    refused(reused)


def test_a_disk_error_is_reported(path, monkeypatch):
    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(untrusted, "read_file", broken)
    assert "Input/output error" in refused(path)


@pytest.mark.parametrize("key", ["golden", "entry_points", "metrics", "checks", "skips", "facts"])
def test_a_removed_line_is_detected(edit, key):
    assert "digest" in refused(edit(lambda record: record[key].pop()))


@pytest.mark.parametrize("key", ["digests", "answers", "comparison"])
def test_removed_results_of_the_reference_are_detected(edit, known, key):
    assert "is not a valid baseline" in refused(edit(lambda record: record.pop(key), known))


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("value", ["?", "AAAA", 3, None])
def test_a_damaged_answer_of_the_reference_is_refused(edit, known, at, value):
    path = edit(lambda record: record["answers"][0].__setitem__(at, value), known)
    assert "is not a valid baseline" in refused(path)


def test_another_answer_of_the_reference_is_detected(edit, known):
    def other(record):
        record["answers"][0][1] = pack_answer([["", ""], ["", "why"]])

    assert "digest" in refused(edit(other, known))


def test_an_acceptance_may_be_edited_by_hand(edit):
    path = edit(lambda record: record["accepted"][0].update(reason="another reason"))
    assert read(path).accepted[0].reason == "another reason"


def test_an_unknown_key_is_refused(edit):
    assert "colour" in refused(edit(lambda record: record.update(colour=1)))
