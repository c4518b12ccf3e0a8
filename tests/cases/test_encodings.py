"""Codes and decorations can be undone, and the plain text is the twin."""

from __future__ import annotations

import base64
import quopri
import string
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import category
from tokharness_cases import chat_language, decorated_text, sentences
from tokharness_cases.decorated_text import LETTER_STYLES, MARK_STYLES
from tokharness_cases.encoded_text import ENCODINGS, to_braille, to_morse

if TYPE_CHECKING:
    from collections.abc import Callable

DECODERS: dict[str, Callable[[str], str]] = {
    "base64": lambda text: base64.b64decode(text).decode(),
    "base32": lambda text: base64.b32decode(text).decode(),
    "base85": lambda text: base64.b85decode(text).decode(),
    "Ascii85": lambda text: base64.a85decode(text, adobe=True).decode(),
    "hexadecimal with spaces": lambda text: bytes.fromhex(text).decode(),
    "binary digits": lambda text: bytes(int(byte, 2) for byte in text.split()).decode(),
    "percent-encoding of every byte": unquote,
    "percent-encoding twice": lambda text: unquote(unquote(text)),
    "quoted-printable of every byte": lambda text: quopri.decodestring(text.encode()).decode(),
    "UTF-7": lambda text: text.encode().decode("utf-7"),
}
UNDONE_BY_NFKC = (
    *("circled letters", "fullwidth letters", "raised letters", "mathematical bold"),
    *("mathematical fraktur", "mathematical monospace"),
)


@pytest.mark.parametrize("name", DECODERS)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
def test_a_text_in_a_code_can_be_decoded(name: str, text: str) -> None:
    assert DECODERS[name](ENCODINGS[name](text)) == text


@given(text=st.text(string.printable[:95], max_size=8))
def test_character_references_are_those_of_html(text: str) -> None:
    for name in ("decimal character references", "hexadecimal character references"):
        assert unescape(ENCODINGS[name](text)) == text


def test_morse_and_braille_are_those_of_their_standards() -> None:
    assert to_morse("SOS 5") == "... --- ... / ....."
    assert to_morse("paris") == ".--. .- .-. .. ..."
    assert to_braille("wxyz") == "\u283a\u282d\u283d\u2835"
    assert to_braille("a jt") == "\u2801\u2800\u281a\u281e"
    assert len(set(map(to_braille, string.ascii_lowercase))) == 26
    assert len(set(map(to_morse, string.ascii_lowercase + string.digits))) == 36


@pytest.mark.parametrize("name", UNDONE_BY_NFKC)
def test_nfkc_undoes_a_style_of_letters(name: str) -> None:
    plain = string.ascii_lowercase.replace("q", "")
    assert normalize("NFKC", LETTER_STYLES[name](plain)) == plain


@pytest.mark.parametrize("name", MARK_STYLES)
def test_a_text_without_its_marks_is_the_plain_text(name: str) -> None:
    marked = MARK_STYLES[name]("one two 3")
    assert "".join(char for char in marked if category(char)[0] != "M") == "one two 3"
    assert len(marked) > len("one two 3")


def test_stacks_are_on_several_letters() -> None:
    texts = {case.text for case in decorated_text.cases() if case.why == "8 marks on each letter"}
    heights = [sum(category(char) == "Mn" for char in text) for text in texts]
    assert max(heights) > 50


def test_an_extra_letter_before_a_word_is_the_only_difference_from_its_twin() -> None:
    found = [
        case for case in chat_language.cases() if case.why.startswith("an extra letter before a")
    ]
    assert len(found) > 300
    assert sum(case.text[1:] == case.twin for case in found) >= 26 * len(chat_language.WATCHED)


def test_a_typeset_sentence_and_its_twin_have_the_same_letters() -> None:
    pairs = [case for case in sentences.cases() if case.twin and not case.text.isascii()]
    assert len(pairs) > 100
    differing = [case.text for case in pairs if _letters(case.text) != _letters(case.twin or "")]
    assert differing == []


def _letters(text: str) -> str:
    return "".join(char for char in normalize("NFKC", text) if category(char)[0] == "L")
