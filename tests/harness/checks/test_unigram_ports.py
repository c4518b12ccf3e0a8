"""Ports of a Unigram model, each with one fault: the cause is what the port does."""

import re
from dataclasses import replace
from itertools import groupby

import pytest
from planted._sentencepiece_models import (
    DEFAULT,
    LLAMA,
    MARK,
    UNIGRAM,
    _model,
    _user_defined,
    healthy,
)

from tokharness_tokenizers.reference.sentencepiece.model_file import ModelKind, Piece
from tokharness_tokenizers.reference.sentencepiece.reading import read

TEXTS = ["a", " a", "a ", "a  b", "a   b", "  a  ", "\ta\t\tb", "\u4e2d\u6587", "\U0001d400 \u00bd"]


class Port:
    """A reference with one method replaced."""

    def __init__(self, reference, encode=None, decode=None):
        self.encode = encode or reference.encode
        self.decode = decode or reference.decode
        self.special_tokens, self.added_tokens = reference.special_tokens, reference.added_tokens


def with_spec(reference, **settings):
    normalizing = reference.normalizing
    spec = replace(normalizing.spec, **settings)
    return replace(reference, normalizing=replace(normalizing, spec=spec), altered=None)


def collapsed(text):
    return re.sub(" +", " ", text)


SPACES = {
    "extra spaces inside a text stay": lambda text: text.strip(" "),
    "extra spaces at the start become one": lambda text: collapsed(text).rstrip(" "),
    "extra spaces at the end become one": lambda text: collapsed(text).lstrip(" "),
    "extra spaces at both ends become one": collapsed,
    "two spaces become one, once": lambda text: text.strip(" ").replace("  ", " "),
}


@pytest.mark.parametrize("what", SPACES)
def test_a_part_of_the_extra_spaces_that_stays_is_named(check_texts, what):
    reference = healthy("sp_unigram")
    keeps = with_spec(reference, remove_extra_whitespaces=False)
    port = Port(reference, lambda text: keeps.encode(SPACES[what](plain(text))))
    (bug,) = check_texts("TOK201", port, TEXTS, reference=reference).bugs
    assert str(bug.cause) == f"normalizer: {what}"


def plain(text):
    """Return a text with the spaces that the charsmap makes."""
    return re.sub("[\t\n\r\u00a0\u3000]", " ", text)


def test_spaces_that_the_charsmap_makes_may_stay(check_texts):
    reference = healthy("sp_unigram")
    keeps = with_spec(reference, remove_extra_whitespaces=False)
    port = Port(reference, lambda text: keeps.encode(collapsed(text).strip(" ")))
    (bug,) = check_texts("TOK201", port, TEXTS, reference=reference).bugs
    before = "extra spaces are removed before the charsmap is applied, not after it"
    assert str(bug.cause) == f"normalizer: {before}"


def test_a_space_that_is_added_twice_is_named(check_texts):
    pieces = (*UNIGRAM, Piece(MARK * 2, -2.0), Piece(f"{MARK * 2}a", -2.0))
    reference = read(_model(ModelKind.UNIGRAM, pieces, LLAMA), "spaces")
    port = Port(reference, lambda text: reference.encode(f" {text}" * bool(text)))
    (bug,) = check_texts("TOK201", port, TEXTS, reference=reference).bugs
    assert str(bug.cause) == "normalizer: two spaces are added, not one"


def test_unknown_text_that_has_no_id_is_named(check_texts):
    reference = healthy("sp_unigram")
    port = Port(reference, lambda text: [n for n in reference.encode(text) if n])
    (bug,) = check_texts("TOK201", port, [*TEXTS, "a\u4e2d"], reference=reference).bugs
    assert str(bug.cause) == "model: unknown characters are left out"


BYTES = {
    "the bytes of a character are in reverse order": lambda char: char.encode()[::-1],
    "characters beyond the BMP have no bytes": lambda char: char.encode() * (char < "\U00010000"),
    "a character has the first byte of its UTF-8 alone": lambda char: char.encode()[:1],
    "a character has one byte, its code point modulo 256": lambda char: bytes([ord(char) & 255]),
    "characters up to U+00FF have one byte, as in Latin-1": lambda char: (
        char.encode("latin-1") if char <= "\xff" else char.encode()
    ),
    "a character has the bytes of UTF-16, little-endian": lambda char: char.encode("utf-16-le"),
    "a character has the bytes of UTF-16, big-endian": lambda char: char.encode("utf-16-be"),
}


def with_bytes(reference, bytes_of):
    """Return a function that encodes unknown characters as other bytes, or as unknown."""
    byte_of = reference.vocabulary.byte_of

    def encode(text):
        ids = []
        for is_byte, row in groupby(reference.encode(text), key=byte_of.__contains__):
            if not is_byte:
                ids += row
                continue
            for char in bytes(map(byte_of.get, row)).decode():
                new = [reference.vocabulary.bytes[byte] for byte in bytes_of(char)]
                ids += new or [reference.vocabulary.unknown]
        return ids

    return lambda text: encode(text) if text else []


@pytest.mark.parametrize("what", BYTES)
def test_other_bytes_of_a_character_are_named(check_texts, what):
    reference = healthy("sp_unigram_bytes")
    port = Port(reference, with_bytes(reference, BYTES[what]))
    (bug,) = check_texts("TOK201", port, [*TEXTS, "\xe4"], reference=reference).bugs
    assert str(bug.cause) == f"model: {what}"


def test_characters_that_come_back_differently_have_the_cause_of_their_ids(check_texts):
    reference = healthy("sp_unigram_bytes")
    reverse = "the bytes of a character are in reverse order"
    port = Port(reference, with_bytes(reference, BYTES[reverse]))
    texts = ["\xe4", "\u4e2d", "\U0001d400", "a\u0416"]
    (bug,) = check_texts("TOK101", port, texts, reference=reference, claims_parity=True).bugs
    assert str(bug.cause) == f"model: {reverse}"


def test_pieces_of_bytes_that_text_becomes_are_named(check_texts):
    reference = healthy("sp_unigram_bytes")
    mark = reference.vocabulary.of_text[MARK]
    of_bytes = {reference.token_text(number): number for number in reference.vocabulary.byte_of}
    port = Port(
        reference,
        lambda text: [mark, of_bytes[text]] if text in of_bytes else reference.encode(text),
    )
    (bug,) = check_texts("TOK201", port, ["<0x41>", "<0xE2>", "a"], reference=reference).bugs
    assert str(bug.cause) == "model: pieces of bytes are found in text"


DEFINED = read(_model(ModelKind.UNIGRAM, (*_user_defined("<x>"), *UNIGRAM), LLAMA), "defined")


def test_a_space_after_each_user_defined_piece_is_named(check_texts):
    def encode(text):
        parts = enumerate(re.split("(<x>)", text))
        rows = ([DEFINED.added_tokens[p]] if at % 2 else DEFINED.encode(p) for at, p in parts)
        return [number for row in rows for number in row]

    texts = ["a<x>b", "<x>", "<x>a", "a <x> b", "the<x>"]
    (bug,) = check_texts("TOK201", Port(DEFINED, encode), texts, reference=DEFINED).bugs
    assert str(bug.cause) == "added tokens: a space is added after each one, too"


def test_a_space_that_is_lost_before_a_user_defined_piece_is_named(check_texts):
    port = Port(DEFINED, lambda text: DEFINED.encode(text)[1 if text.startswith("<x>") else 0 :])
    texts = ["a<x>b", "<x>", "<x>a", "<x> b", "the<x>"]
    (bug,) = check_texts("TOK201", port, texts, reference=DEFINED).bugs
    assert str(bug.cause) == "added tokens: no space is added before one"


DECODED = {
    "each byte is decoded alone": lambda data: "".join(
        bytes([byte]).decode("utf-8", "replace") for byte in data
    ),
    "bytes are characters of Latin-1": lambda data: data.decode("latin-1"),
    "an invalid part of a run of bytes is one U+FFFD": lambda data: data.decode("utf-8", "replace"),
    "invalid bytes are left out": lambda data: data.decode("utf-8", "ignore"),
}


@pytest.mark.parametrize("what", DECODED)
def test_bytes_that_are_decoded_in_another_way_are_named(check_texts, what):
    reference = healthy("sp_unigram_bytes")
    byte_of = reference.vocabulary.byte_of

    def decode(ids):
        parts, first = [], True
        for is_byte, row in groupby(ids, key=byte_of.__contains__):
            numbers = list(row)
            data = bytes(byte_of.get(number, 0) for number in numbers)
            start = "" if first else "a"
            letter = [reference.vocabulary.of_text["a"]] * (not first)
            shown = DECODED[what](data) if is_byte else reference.decode([*letter, *numbers])
            parts.append(shown if is_byte else shown.removeprefix(start))
            first = first and not shown
        return "".join(parts)

    (bug,) = check_texts("TOK202", Port(reference, decode=decode), reference=reference).bugs
    assert str(bug.cause) == f"decoder: {what}"


def test_a_first_character_that_is_always_left_out_is_named(check_texts):
    reference = healthy("sp_unigram")
    spec = replace(DEFAULT, add_dummy_prefix=False, remove_extra_whitespaces=False)
    shows = replace(reference.decoding, normalizer=spec)
    port = Port(reference, decode=lambda ids: shows.text(ids)[1:])
    (bug,) = check_texts("TOK202", port, reference=reference).bugs
    assert str(bug.cause) == "decoder: the first character goes"


def test_text_after_a_user_defined_piece_is_not_lost_where_no_space_is_added(check_texts):
    port = Port(DEFINED)
    port.special_tokens = {}
    (risk,) = check_texts("TOK115", port)
    assert (risk.verdict, str(risk.cause)) == (
        "risk",
        "text around an added token: split differently",
    )
