"""Where words begin: U+2581, ``##`` and ``</w>``.

Sources: Kudo and Richardson 2018, "SentencePiece", section 3.1, which cuts "Hello World." into
[Hello] [_Wor] [ld] [.], where the underscore is U+2581; Devlin et al. 2019; Sennrich et al. 2016.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.decoders import BPEDecoder, Metaspace, WordPiece
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.pre_tokenizers import metaspace

WHOLE = metaspace.Metaspace(prepend_scheme="never", split_at_replacement=False)
DECODER = Metaspace(prepends=False)
NAMES = ["Hello", "\u2581Wor", "ld", ".", "\u2581", *"HelWord"]


def test_a_space_is_part_of_the_piece_after_it() -> None:
    (text,) = WHOLE.pieces("Hello World.", at_start=True)
    assert text == "Hello\u2581World."
    model = Unigram([(name, -float(number)) for number, name in enumerate(NAMES)])
    pieces = [NAMES[number] for number, _ in model.tokens(text)]
    assert pieces == ["Hello", "\u2581Wor", "ld", "."]
    assert "".join(pieces).replace("\u2581", " ") == "Hello World."


@given(st.text(alphabet="ab .", max_size=20))
def test_the_pieces_keep_each_space(text: str) -> None:
    """Desegmentation joins the pieces and makes U+2581 a space, whatever the pieces are."""
    pieces = WHOLE.pieces(text, at_start=True)
    assert "".join(DECODER.decode(list("".join(pieces)))) == text


def test_a_literal_mark_in_the_text_becomes_a_space() -> None:
    pieces = WHOLE.pieces("a\u2581b", at_start=True)
    assert "".join(DECODER.decode(pieces)) == "a b"


def test_other_marks_say_what_continues_or_ends_a_word() -> None:
    assert "".join(WordPiece().decode(["un", "##happi", "##ness", "is"])) == "unhappiness is"
    assert "".join(BPEDecoder().decode(["low", "est</w>", "is</w>"])) == "lowest is"
