"""The strategies: each draws its kind of text, shrinks, and reports wrong arguments."""

import subprocess
import sys
from random import Random

import hypothesis
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from tokharness import plugins
from tokharness import strategies as hostile
from tokharness.strategies._families import mixed_families
from tokharness.unicode.confusables import skeleton
from tokharness.unicode.normalization import normalize

QUICK = settings(max_examples=30, database=None)
FAMILY_OF = {
    "confusables": "homoglyphs",
    "special_token_lookalikes": "special-tokens",
}
PAIRS = {"twins", "confusable_twins", "composed_and_decomposed"}
TEXTS = [name for name in hostile.__all__ if name not in PAIRS]
WITH_SURROGATES = {"surrogates", "invalid_utf8"}
KINDS = {
    "zero_width": r"[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\U0001d159\U00016fe4\ufffc]",
    "confusables": r"[^\x00-\x7f]",
    "normal_forms": r"[^\x00-\x7f]",
    "combining_stacks": r"\p{M}",
    "variation_selectors": r"[\p{Variation_Selector}\U0001f600]",
    "tag_smuggling": r"[\U000e0001-\U000e007f]",
    "bidi": r"\p{Bidi_Control}",
    "controls": r"[\p{Cc}\ufeff]|\[|0m",
    "white_space": r"[\p{White_Space}\p{Cf}\p{Cc}\u2800\u3164\uffa0\u2423\u2581\u0120]",
    "digits": r"\p{N}",
    "hangul": r"[\p{Hangul}\u10ff\u1200\u3164\uffa0]",
    "surrogates": r"\p{Cs}",
    "invalid_utf8": r"[\udc80-\udcff]",
}


def shrunk_text(strategy, condition=lambda _: True):
    """The text or pair that Hypothesis shrinks to."""
    return hypothesis.find(
        strategy, condition, settings=settings(database=None, max_examples=1000), random=Random(0)
    )


def is_scalar(text):
    return not any("\ud800" <= char <= "\udfff" for char in text)


@pytest.mark.parametrize("name", KINDS)
def test_a_strategy_draws_texts_of_its_kind(name):
    @QUICK
    @given(getattr(hostile, name)())
    def holds(text):
        assert regex.search(KINDS[name], text), ascii(text)

    holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_only_named_strategies_draw_surrogates(name):
    @QUICK
    @given(getattr(hostile, name)())
    def holds(text):
        assert isinstance(text, str)
        assert text
        assert is_scalar(text) != (name in WITH_SURROGATES)

    holds()


@pytest.mark.slow
def test_a_mixture_draws_lone_surrogates_only_on_request():
    assert not is_scalar(
        shrunk_text(hostile.hostile_text(surrogates=True), lambda t: not is_scalar(t))
    )

    @settings(QUICK, max_examples=200)
    @given(hostile.hostile_text())
    def holds(text):
        assert is_scalar(text)

    holds()


def test_texts_of_invalid_utf8_encode_to_invalid_bytes():
    @QUICK
    @given(hostile.invalid_utf8())
    def holds(text):
        with pytest.raises(UnicodeDecodeError):
            text.encode("utf-8", "surrogateescape").decode()

    holds()


def test_each_strategy_has_a_family_and_the_mixture_has_all_families():
    named = {FAMILY_OF.get(name, name.replace("_", "-")) for name in TEXTS}
    families = plugins.families()
    assert named - {"hostile-text"} <= set(families)
    drawn = set(families) - {"regressions"}
    assert {family.name for family in mixed_families(surrogates=True)} == drawn
    hostile.hostile_text(families=sorted(drawn), surrogates=True)  # accepts each of them


def test_confusable_twins_have_one_skeleton_and_differ():
    @QUICK
    @given(hostile.confusable_twins())
    def holds(pair):
        text, twin = pair
        assert text != twin
        assert skeleton(text) == skeleton(twin)

    holds()


def test_composed_and_decomposed_are_two_spellings_of_one_text():
    @QUICK
    @given(hostile.composed_and_decomposed())
    def holds(pair):
        composed, decomposed = pair
        assert composed != decomposed
        assert normalize("NFC", decomposed) == composed
        assert normalize("NFD", composed) == decomposed

    holds()


def test_composed_and_decomposed_are_not_mostly_hangul():
    assert shrunk_text(hostile.composed_and_decomposed(), lambda pair: "\u0301" in pair[1])
    assert shrunk_text(hostile.composed_and_decomposed(), lambda pair: "\u1161" in pair[1])


@pytest.mark.parametrize("family", ["zero-width", "tag-smuggling", "special-tokens", "emoji"])
def test_twins_are_those_of_the_enumerated_cases(family):
    from tokharness.model import TargetFacts

    enumerated = plugins.family(family).cases(TargetFacts(profile="quick"))
    pairs = {(case.text, case.twin) for case in enumerated}

    @QUICK
    @given(hostile.twins(family))
    def holds(pair):
        assert pair in pairs

    holds()


def test_twins_of_special_tokens_disguise_those_of_the_tokenizer():
    strategy = hostile.twins("special-tokens", special_tokens=["<|mine|>"])
    text, twin = shrunk_text(strategy, lambda pair: "mine" in pair[1])
    assert text != twin


@pytest.mark.slow
def test_lookalikes_hold_the_special_tokens_of_the_tokenizer():
    assert shrunk_text(hostile.special_token_lookalikes(["<|mine|>"]), lambda t: "<|mine|>" in t)
    assert shrunk_text(hostile.hostile_text(special_tokens=["<|mine|>"]), lambda t: "<|mine|>" in t)


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("strategy", "condition", "smallest"),
    [
        (hostile.zero_width(), lambda text: "\u200b" in text, "\u200b"),
        (hostile.bidi(), lambda text: "\u202e" in text, "\u202e"),
        (hostile.zero_width(), lambda text: len(text) > 1, "\u200ba"),
        (hostile.surrogates(), lambda text: text.endswith("\ud800"), "\ud800"),
    ],
)
def test_texts_shrink_to_a_short_readable_text(strategy, condition, smallest):
    text = shrunk_text(strategy, condition)
    assert len(text) == len(smallest)
    assert {*text} <= {*smallest, "a", "\u200b"}


@pytest.mark.slow
def test_a_mixture_shrinks_to_the_failing_character():
    assert {*shrunk_text(hostile.hostile_text(), lambda text: "\u200b" in text)} == {"\u200b"}


def test_pairs_shrink_to_short_letters():
    text, twin = shrunk_text(hostile.confusable_twins())
    assert (len(text), twin.isascii(), twin.isalpha()) == (1, True, True)
    composed, decomposed = shrunk_text(hostile.composed_and_decomposed())
    assert (len(composed), len(decomposed)) == (1, 2)
    assert decomposed[0].isascii()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"families": ["zero-widht"]}, "no family is called 'zero-widht'.*'zero-width'"),
        ({"families": ["missing.module.here"]}, "is not a family"),
        ({"families": []}, "families is empty"),
        ({"families": "emoji"}, r"\['emoji'\], not 'emoji'"),
        ({"families": [1]}, "1 is not a string"),
        ({"families": ["surrogates"]}, "surrogates=True"),
        ({"families": ["regressions"]}, "texts of a project"),
        ({"special_tokens": "<|end|>"}, "sequence of strings"),
    ],
)
def test_a_wrong_argument_is_refused_before_the_first_draw(options, message):
    with pytest.raises(InvalidArgument, match=message):
        hostile.hostile_text(**options)


def test_twins_of_an_unknown_family_suggest_the_nearest_name():
    with pytest.raises(InvalidArgument, match="'emoji'"):
        hostile.twins("emojis")


def test_a_family_without_twins_fails_on_the_first_draw():
    with pytest.raises(InvalidArgument, match="no text of the family 'plain-words' has a twin"):
        shrunk_text(hostile.twins("plain-words"))


@pytest.mark.slow
def test_a_family_of_lone_surrogates_is_drawn_on_request():
    strategy = hostile.hostile_text(families=["surrogates"], surrogates=True)
    assert not is_scalar(shrunk_text(strategy))


@pytest.mark.slow
def test_strategies_compose_with_those_of_hypothesis():
    pair = shrunk_text(st.tuples(hostile.emoji(), hostile.digits()))
    assert all(isinstance(text, str) for text in pair)


@pytest.mark.parametrize("name", hostile.__all__)
def test_each_strategy_documents_an_example_and_a_source(name):
    page = getattr(hostile, name).__doc__
    assert "Example: " in page
    assert "Source: " in page


def test_importing_strategies_imports_neither_hypothesis_nor_a_family():
    heavy = ("hypothesis", "regex", "tokharness_cases", "tokharness.plugins")
    script = f"import sys, tokharness.strategies; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_defining_a_strategy_imports_no_family():
    script = (
        "import sys; from tokharness import strategies as s; s.hostile_text(), s.zero_width(), "
        "s.confusable_twins(); print('tokharness_cases' in sys.modules, 'regex' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False False"
