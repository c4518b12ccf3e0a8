"""``tokharness audit A B``: the differences of two vocabularies."""

import csv
import io
import json
from pathlib import Path

FILE = Path(__file__).with_name("audited_tokenizers.py")
ALONE = ("--jobs", "0", "--config", "none")


def compare(command, first, second, *words):
    targets = (f"python:{FILE}:{name}" for name in (first, second))
    return command("audit", *targets, *ALONE, *words)


def test_equal_vocabularies_give_no_rows_and_exit_code_0(command):
    outcome = compare(command, "Bytes", "Bytes", "--format", "jsonl")
    assert (outcome.code, outcome.out) == (0, "")


def test_tokens_that_one_has_alone_are_added_or_split(command):
    outcome = compare(command, "WithFurtherTokens", "Bytes", "--format", "json")
    record = json.loads(outcome.out)
    assert outcome.code == 1
    assert record["counts"] | {"split": 2, "removed": 1} == record["counts"]
    split, *_ = (one for one in record["differences"] if one["ids"] == [257])
    assert split["pieces"] == list(b"=1+1")
    (removed,) = (one for one in record["differences"] if one["change"] == "removed")
    assert (removed["token"], removed["kind"]) == ("<|end|>", "special")
    back = json.loads(compare(command, "Bytes", "WithFurtherTokens", "--format", "json").out)
    assert back["counts"]["added"] == 3


def test_a_vocabulary_of_texts_is_compared_with_one_of_bytes(command):
    outcome = compare(command, "WithFurtherTokens", "Texts", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    found = {(row["change"], row["token"], row["ids"], row["other_ids"]) for row in rows}
    assert found == {
        ("added", r"\u{2581}new", "", "257"),
        ("split", "'=1+1", "257", ""),
        ("moved", "<|end|>", "259", "258"),
        ("replaced", "'=1+1", "257", "257"),
    }


def test_the_terminal_shows_counts_and_examples(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    outcome = compare(command, "WithFurtherTokens", "Bytes")
    words = " ".join(outcome.out.split())
    assert "tokens that only the first vocabulary has, which the second" in words
    assert "splits into several: 2, such as" in words
    assert r'"\u{202e}evil" (256) as' in words
    assert words.endswith("different: 3 differences of tokens")
    assert max(map(len, outcome.out.splitlines()[1:])) <= 60


def test_it_does_not_fail_with_fail_on_never(command):
    assert compare(command, "WithFurtherTokens", "Bytes", "--fail-on", "never").code == 0


def test_a_target_without_vocabulary_cannot_be_compared(command):
    outcome = compare(command, "Bytes", "ShowsNoVocabulary")
    assert outcome.code == 2
    assert "shows no vocabulary" in outcome.err
