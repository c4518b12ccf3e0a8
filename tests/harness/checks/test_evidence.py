"""The evidence of checks: what the target gave for a text, and what was expected."""

import codecs
import json
from dataclasses import replace

import pytest

from tokharness import plugins
from tokharness.diagnosis.comparisons import MAX_SHOWN, compared
from tokharness.formats._evidence import evidence_lines, results_line
from tokharness.model import Finding, target_of
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject


def evidence_of(code, tokenizer, text):
    """Return the evidence of the first cause of a text."""
    check, subject = plugins.checks()[code], Subject(target_of("target", tokenizer))
    return check.evidence(text, check.diagnose(text, subject)[0], subject)


@pytest.fixture(name="subject")
def _subject(byte_tokenizer):
    tokenizer = byte_tokenizer(decode_single_token_bytes=lambda number: bytes([number]))
    return Subject(target_of("target", tokenizer))


def rows_of(evidence, name):
    return [{key: value for key, value in row.items() if value != ""} for row in evidence[name]]


def test_a_stream_shows_its_pieces_and_the_decoded_whole(byte_tokenizer):
    def each_alone(ids):
        return [bytes([number]).decode("utf-8", "replace") for number in ids]

    shown = evidence_of("TOK108", byte_tokenizer(decode_stream=each_alone), "\u00e9")
    assert shown["ids"] == [0xC3, 0xA9]
    assert shown["pieces"] == ["\ufffd", "\ufffd"]
    assert (shown["given"], shown["expected"]) == ("\ufffd\ufffd", "\u00e9")


def test_a_stream_that_leaks_shows_the_stream_before(byte_tokenizer):
    shared = codecs.getincrementaldecoder("utf-8")("replace")
    tokenizer = byte_tokenizer(decode_stream=lambda ids: [shared.decode(bytes(ids))])
    shown = evidence_of("TOK108", tokenizer, "\u00e9")
    assert shown["ids of the stream before"] == [0xC3]
    assert shown["expected"] == "a" != shown["given"]


def test_offsets_show_each_token_with_its_span_and_the_right_one(byte_tokenizer):
    def in_bytes(text):
        data = text.encode()
        return list(data), [(at, at + 1) for at in range(len(data))]

    shown = evidence_of("TOK107", byte_tokenizer(encode_with_offsets=in_bytes), "\u00e9")
    assert [row["span"] for row in shown["spans"]] == ["0..1", "1..2"]
    assert [row["expected"] for row in shown["spans"]] == ["0..1", "0..1"]
    assert [row.get("differs", False) for row in shown["spans"]] == [False, True]
    assert shown["given"].endswith("at 1..2")


def test_entry_points_show_both_ids_side_by_side(byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode_batch = lambda texts: [tokenizer.encode(text.strip()) for text in texts]
    shown = evidence_of("TOK110", tokenizer, " a")
    assert shown["entry point"] == "encode_batch"
    assert (shown["given"], shown["expected"]) == ([97], [32, 97])
    assert rows_of(shown, "ids side by side") == [
        {"given": None, "expected": 32, "token expected": " ", "differs": True},
        {"given": 97, "token given": "a", "expected": 97, "token expected": "a"},
    ]


def test_a_count_shows_both_numbers(byte_tokenizer):
    shown = evidence_of("TOK110", byte_tokenizer(count=len), "\u00e9")
    assert (shown["given"], shown["expected"]) == (1, 2)


def test_a_repeated_call_shows_the_first_and_the_other_ids(byte_tokenizer):
    calls = iter(range(10**6))
    tokenizer = byte_tokenizer(lambda text: text + "!" * (next(calls) % 2))
    shown = evidence_of("TOK109", tokenizer, "a")
    assert shown["after"] == "the same call"
    assert sorted([shown["given"], shown["expected"]]) == [[97], [97, 33]]


def test_long_results_are_shown_from_before_the_first_difference(subject):
    given, expected = [97] * 1000, [97] * 900 + [98] * 100
    shown = compared(given, expected, subject)
    assert len(shown["given"]) == len(shown["expected"]) == MAX_SHOWN
    assert shown["expected"][: 900 - shown["first shown position"]].count(97) < MAX_SHOWN
    assert 98 in shown["expected"]


@pytest.mark.parametrize(
    "result",
    [Raised(ValueError("\u202e")), b"\xff", [[1], [2]], ["x", 1], None, 7, object(), "\ud800"],
)
def test_any_result_is_plain_data(subject, result):
    record = compared(result, [1], subject)
    assert json.loads(json.dumps(record)) == record


def test_lines_mark_the_rows_that_differ_and_count_equal_ones_far_away():
    rows = [{"given": n, "token": "\u202e"} for n in range(20)]
    rows[10] |= {"differs": True}
    first, *lines, last = evidence_lines({"ids side by side": rows})
    assert first == "ids side by side:"
    assert [line for line in lines if line.startswith("  ! ")] == [
        '  ! given 10, token "\\u{202e}"'
    ]
    assert (len(lines), last) == (5, "  and 15 more")


def test_every_check_with_evidence_names_what_was_given_and_expected():
    with_evidence = {check.code for check in plugins.checks().values() if check.evidence}
    codes = [*range(101, 104), *range(105, 112), 113, 116, 201, 202]
    assert with_evidence == {f"TOK{code}" for code in codes}


def test_a_line_says_which_call_gave_what(byte_tokenizer):
    tokenizer = byte_tokenizer(count=len)
    check, subject = plugins.checks()["TOK110"], Subject(target_of("target", tokenizer))
    (cause,) = check.diagnose("\u00e9", subject)
    shown = check.evidence("\u00e9", cause, subject)
    finding = Finding("t", check.code, check.name, cause, 1, "\u00e9", (), "", shown)
    assert results_line(finding, 60) == "count: given 1, expected 2"
    assert results_line(replace(finding, evidence={}), 60) is None
