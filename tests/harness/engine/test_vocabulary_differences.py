"""The differences of two vocabularies, from the rows of their tokens."""

import pytest

from tokharness.engine.vocabulary_differences import differences, texts_to_split
from tokharness.model import TokenRow


def of_bytes(*tokens, **kinds):
    return [
        TokenRow(n, bytes=data, kind=kinds.get(f"id{n}", "ordinary"))
        for n, data in enumerate(tokens)
    ]


def of_texts(*tokens):
    return [TokenRow(n, text=text) for n, text in enumerate(tokens)]


def found(first, second, splits=()):
    rows = differences(first, second, dict(splits))
    return [
        (one.change, *(tuple(row.id for row in rows) for rows in (one.first, one.second)))
        for one in rows
    ]


def test_equal_vocabularies_have_no_differences():
    assert found(of_bytes(b"a", b"b", b"b"), of_bytes(b"a", b"b", b"b")) == []


def test_a_token_with_another_id_is_moved_and_its_id_replaced():
    assert found(of_bytes(b"a", b"b"), of_bytes(b"b", b"a")) == [
        ("moved", (0,), (1,)),
        ("moved", (1,), (0,)),
        ("replaced", (0,), (0,)),
        ("replaced", (1,), (1,)),
    ]


def test_a_token_that_becomes_special_is_of_another_kind():
    assert found(of_bytes(b"a"), of_bytes(b"a", id0="special")) == [("other kind", (0,), (0,))]


def test_a_second_id_of_a_token_is_no_other_kind():
    assert found(of_bytes(b"a"), of_bytes(b"a", b"a")) == [("moved", (0,), (0, 1))]


@pytest.mark.parametrize(("ids", "change"), [([0, 1], "split"), ([0], "removed"), ([9], "removed")])
def test_a_missing_token_is_split_if_it_is_encoded_as_several(ids, change):
    first, second = of_bytes(b"a", b"b", b"ab"), of_bytes(b"a", b"b")
    (one,) = differences(first, second, {2: ids})
    assert one.change == change
    assert [row.id for row in one.pieces] == [number for number in ids if number < 2]


def test_only_ordinary_tokens_that_are_text_are_encoded():
    first = of_bytes(b"a", b"\xff", b"<end>", b"b", id2="special")
    assert texts_to_split(first, of_bytes(b"b")) == {0: "a"}


def test_texts_of_the_same_format_are_compared_with_their_marks():
    assert found(of_texts("ing", "##ing"), of_texts("ing", "##ing")) == []


def test_marks_are_left_out_between_formats():
    first, second = of_texts("##a", "##b"), of_texts("\u2581c", "a")
    assert ("moved", (0,), (1,)) in found(first, second)
    assert ("moved", (0,), (1,)) in found(first, of_bytes(b" c", b"a"))


def test_a_byte_token_is_its_byte():
    assert found(of_texts("<0x0A>"), of_bytes(b"\n")) == []
