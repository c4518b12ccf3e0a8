"""Rows of embeddings that are known to be unused, by the vocabulary and the reach of tokens."""

import pytest

from tokharness.checks.untrained_embedding import known_unused
from tokharness.diagnosis.reachability import Reach
from tokharness.model import target_of
from tokharness.targets.subject import Subject

HOLES, NOT_UTF8 = "rows without a token", "tokens of bytes that no UTF-8 has"
UNREACHABLE = "unreachable tokens"


@pytest.fixture
def unused(byte_tokenizer):
    """Return the unused rows of a target with these attributes."""

    def rows_by_reason(rows, reach=None, **attributes):
        subject = Subject(target_of("target", byte_tokenizer(**attributes)))
        return known_unused(subject, rows, reach or {})

    return rows_by_reason


def of_bytes(*tokens, **attributes):
    return {
        "n_vocab": len(tokens),
        "decode_single_token_bytes": lambda i: bytes(tokens[i]),
        **attributes,
    }


def of_texts(*tokens):
    return {"n_vocab": len(tokens), "token_text": lambda i: tokens[i]}


def test_ids_without_bytes_and_rows_beyond_n_vocab_have_no_token(unused):
    attributes = of_bytes(b"a", None, b"b", b"", special_tokens={"<s>": 3})
    assert unused(6, **attributes) == {HOLES: (1, 4, 5)}


def test_a_target_that_shows_no_tokens_has_no_holes(unused):
    assert unused(4, n_vocab=4) == {}


def test_bytes_that_utf8_never_uses_are_unused(unused):
    assert unused(4, **of_bytes(b"\xc0", b"\xc2", b"\xf5", b"a\xff")) == {NOT_UTF8: (0, 2, 3)}
    assert unused(2, **of_texts("<0xC1>", "<0xC3>")) == {NOT_UTF8: (0,)}


def test_tokens_that_are_proven_unreachable_are_unused(unused):
    reach = {0: Reach("alone", "a"), 1: Reach("unreachable"), 2: Reach("not reached")}
    assert unused(3, reach, **of_bytes(b"a", b"b", b"c")) == {UNREACHABLE: (1,)}


def test_the_id_of_two_with_the_same_bytes_that_no_text_gives_is_unused(unused):
    reach = {0: Reach("not reached"), 1: Reach("alone", "a"), 2: Reach("alone", "b")}
    assert unused(3, reach, **of_bytes(b"a", b"a", b"b")) == {UNREACHABLE: (0,)}


def test_bytes_of_a_character_with_a_token_are_unused(unused):
    reach = {0: Reach("not reached"), 1: Reach("not reached"), 2: Reach("in context", "x a")}
    assert unused(3, reach, **of_texts("<0x20>", "<0x41>", "\u2581")) == {UNREACHABLE: (0,)}
