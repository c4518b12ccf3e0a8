"""The charsmap of ``nmt_nfkc``, and charsmaps of many rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes, rules
from tokharness_tokenizers.reference.sentencepiece.model_file import NormalizerSpec
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing, charsmap

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES = LongestRules(Charsmap(charsmap()))


@pytest.mark.slow
def test_the_file_is_what_the_generator_makes() -> None:
    assert charsmap() == charsmap_bytes(rules())


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("e\u0301", "\u00e9"),
        ("\u1100\u1161\u11a8", "\uac01"),
        ("\u3131\u314f", "\uac00"),
        ("\ufb01\u00bd", "fi1\u20442"),
        ("\u00a0\t\u3000", "   "),
        ("\x00\x01\x7f\x85", "\x00\x85"),
        ("\u200b\u200c\u200d\u061c\ufeff\ufffd\u2581", "  \u200d    "),
        ("\uff5e\uff01", "\uff5e!"),
    ],
)
def test_texts_are_normalized(text: str, new: str) -> None:
    assert RULES.normalize(text) == new


@pytest.mark.slow
@pytest.mark.needs("sentencepiece", "0.2.3")
def test_all_characters_are_normalized_as_in_the_library() -> None:
    from sentencepiece import SentencePieceNormalizer

    library = SentencePieceNormalizer(rule_name="nmt_nfkc")
    ours = Normalizing.of(NormalizerSpec("nmt_nfkc", charsmap()), space_is_suffix=False)
    points = (*range(1, 0xD800), *range(0xE000, 0x30000), *range(0xE0000, 0xE0200))
    text = "".join(f"a{chr(point) * 2}\u0301" for point in points)
    assert library.normalize(text) == ours.normalize(text)


KEYS = st.text("ab\u00e9\u00e8\u1100\u1101\U0001f600", min_size=1, max_size=4)


@given(st.dictionaries(KEYS, st.sampled_from(["", "x", "\u00e9"]), min_size=1, max_size=40))
def test_a_charsmap_has_the_rules_that_it_was_made_of(given_rules: Mapping[str, str]) -> None:
    made = Charsmap(charsmap_bytes(given_rules))
    for text, new in given_rules.items():
        beginnings = [n for n in range(1, len(text) + 1) if text[:n] in given_rules]
        assert [end for _, end, _ in made.matches(text)] == beginnings
        assert list(made.matches(text))[-1] == (0, len(text), new)
