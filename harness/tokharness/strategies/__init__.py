"""Hostile text for Hypothesis: the case families as strategies for your own tests.

::

    from hypothesis import given
    from tokharness import strategies as hostile

    @given(hostile.hostile_text())
    def test_round_trip(text):
        assert tokenizer.decode(tokenizer.encode(text)) == text

    @given(hostile.confusable_twins())
    def test_a_disguise_is_not_a_special_token(pair):
        text, twin = pair
        ...

There is a function for each named kind of text, :func:`hostile_text` for a mixture of all, and
:func:`twins` for pairs of a hostile text and the plain text it was made from. Texts shrink towards
short and readable texts: the context of a hostile piece shrinks to ``a`` or nothing, and the piece
shrinks to the best known piece of its kind.

Texts have only Unicode scalar values, like the texts of ``hypothesis.strategies.text``, so each
text can be encoded as UTF-8. The exceptions are explicit: :func:`surrogates`, :func:`invalid_utf8`
and ``hostile_text(surrogates=True)``.

Nothing is computed, and no case family is imported, before the first text is drawn.
"""

from tokharness.strategies._code_points import (
    bidi,
    controls,
    emoji,
    invalid_utf8,
    invisible_bits,
    leading_space,
    new_code_points,
    noncharacters,
    surrogates,
    tag_smuggling,
    variation_selectors,
    white_space,
    zero_width,
)
from tokharness.strategies._families import hostile_text
from tokharness.strategies._pairs import composed_and_decomposed, confusable_twins, twins
from tokharness.strategies._words import (
    byte_alphabet,
    chat_templates,
    code,
    combining_stacks,
    confusables,
    contractions,
    digits,
    hangul,
    indic_conjuncts,
    letter_case,
    normal_forms,
    plain_words,
    property_names,
    special_token_lookalikes,
)

__all__ = [
    "bidi",
    "byte_alphabet",
    "chat_templates",
    "code",
    "combining_stacks",
    "composed_and_decomposed",
    "confusable_twins",
    "confusables",
    "contractions",
    "controls",
    "digits",
    "emoji",
    "hangul",
    "hostile_text",
    "indic_conjuncts",
    "invalid_utf8",
    "invisible_bits",
    "leading_space",
    "letter_case",
    "new_code_points",
    "noncharacters",
    "normal_forms",
    "plain_words",
    "property_names",
    "special_token_lookalikes",
    "surrogates",
    "tag_smuggling",
    "twins",
    "variation_selectors",
    "white_space",
    "zero_width",
]
