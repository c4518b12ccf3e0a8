"""What a library takes ids for is named; a table like that of the file shows nothing."""

import pytest

from tokharness.diagnosis.vocabulary.byte_table import IDS_PER_CALL, byte_table
from tokharness.diagnosis.vocabulary.token_tables import Table, table_differences, table_of_rows
from tokharness.model import TokenRow, Verdict, target_of
from tokharness.targets.subject import Subject

TOKENS = {
    0: b" the",
    1: b"the",
    2: b"\n",
    3: b"\xc3",
    4: b"\xff",
    5: b"<tool>",
    6: "\u00e9".encode(),
    7: b"a",
    8: b"b",
    9: b"c",
    10: b"end ",
}
FILE = Table(TOKENS, frozenset({20, 21}), frozenset({5}))


def changed(tokens=(), *, without=(), special=(20, 21)):
    kept = {**TOKENS, **dict(tokens)}
    return Table({n: kept[n] for n in kept if n not in without}, frozenset(special))


@pytest.mark.parametrize(
    ("given", "name", "verdict", "aspect"),
    [
        (changed({0: "\u2581the".encode()}), "U+2581 for a space", "bug", "token bytes"),
        (changed({0: "\u0120the".encode()}), "U+0120 for a space", "bug", "token bytes"),
        (changed({2: b"<0x0A>"}), "<0x..> for a byte", "bug", "token bytes"),
        (changed({6: "\u00c3\u00a9".encode()}), "UTF-8 encoded twice", "bug", "token bytes"),
        (
            changed({3: "\ufffd".encode()}),
            "U+FFFD for a part of a character",
            "bug",
            "token bytes",
        ),
        (changed({0: b"the"}), "no space before the token", "bug", "token bytes"),
        (changed({1: b" the"}), "a space before the token", "bug", "token bytes"),
        (changed({1: b"##the"}), "## before the token", "bug", "token bytes"),
        (changed({10: b"end</w>"}), "</w> for the space after the token", "bug", "token bytes"),
        (changed({7: b"x"}), "other bytes", "bug", "token bytes"),
        (changed({30: b"<x>"}), "further tokens", "bug", "token bytes"),
        (changed(without=[7]), "tokens are missing", "bug", "token bytes"),
        (
            changed({20: b"<s>"}, special=[21]),
            "special tokens stand for text",
            "bug",
            "special tokens",
        ),
        (
            changed(without=[7], special=[7, 20, 21]),
            "ordinary tokens are special",
            "bug",
            "special tokens",
        ),
        (changed(without=[5]), "added tokens stand for no text", "risk", "special tokens"),
        (changed(without=[4]), "bytes that no text has are left out", "fact", "token bytes"),
    ],
)
def test_a_difference_has_a_name(given, name, verdict, aspect):
    (found,) = table_differences(given, FILE)
    assert (found.name, found.verdict.value, found.aspect) == (name, verdict, aspect)
    assert len(found.ids) == 1


@pytest.mark.parametrize("given", [changed(), changed(special=[]), changed(special=[20, 21, 22])])
def test_special_tokens_that_are_never_text_are_no_difference(given):
    assert table_differences(given, FILE) == []


def test_both_byte_strings_are_shown_and_thousands_of_ids_are_one_difference():
    wanted = {number: b" " + str(number).encode() for number in range(3000)}
    given = {number: data.replace(b" ", "\u2581".encode()) for number, data in wanted.items()}
    (found,) = table_differences(Table(given, frozenset()), Table(wanted, frozenset()))
    assert found.message.startswith(
        "3,000 ids: U+2581 for a space: 0 ('\u25810', in the file ' 0'), 1 ("
    )
    assert found.message.endswith("...")


def test_another_vocabulary_is_not_a_list_of_tokens():
    other = Table({number: b"%d" % (number + 10) for number in range(10)}, frozenset())
    (found,) = table_differences(other, Table(TOKENS, frozenset()))
    assert (found.name, found.verdict) == ("another vocabulary", Verdict.BUG)


def test_rows_without_bytes_are_no_table():
    assert table_of_rows([TokenRow(0, text="a"), TokenRow(1, "added", text="b")]).tokens == {}
    rows = [TokenRow(0, bytes=b"a"), TokenRow(1, "added", text="b"), TokenRow(2, "special")]
    assert table_of_rows(rows) == Table({0: b"a", 1: b"b"}, frozenset({2}), frozenset({1}))


class Large:
    """A vocabulary of 25,000 tokens, whose bytes are asked for few ids at a time."""

    n_vocab = 25_000

    def encode(self, text):
        return list(map(ord, text))

    def decode(self, ids):
        return "".join(map(chr, ids))

    def bytes_inside(self, ids):
        if len(ids) > IDS_PER_CALL:
            raise MemoryError
        return [chr(number).encode() for number in ids]

    token_text = staticmethod(chr)


def test_the_bytes_of_a_large_vocabulary_are_asked_for_in_parts():
    table = byte_table(Subject(target_of("target", Large())))
    assert table == {number: chr(number).encode() for number in range(25_000)}
