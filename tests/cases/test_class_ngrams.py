"""Strings of classes: representative characters, additions of a pattern, and lazy slices."""

from __future__ import annotations

from itertools import islice, product

import pytest
import regex
from hypothesis import given, settings

from tokharness.model import TargetFacts
from tokharness.unicode.properties import category
from tokharness_cases import class_ngrams, short_strings
from tokharness_cases._lazy import Block, Blocks, word_blocks
from tokharness_cases._representatives import (
    MAX_REPRESENTATIVES,
    STANDARD,
    alphabets,
    atoms,
    representatives,
)
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

PUBLISHED = {"r50k": R50K, "cl100k": CL100K, "o200k": O200K}
PUNCTUATION = r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"
DEEPSEEK = (
    r"\p{N}{1,3}|[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+|" + PUNCTUATION + "|"
    r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

every_family = pytest.mark.parametrize("family", [class_ngrams, short_strings])
every_pattern = pytest.mark.parametrize("pattern", [None, *PUBLISHED.values(), DEEPSEEK])


def facts(pattern: str | None = None, profile: str = "quick") -> TargetFacts:
    return TargetFacts(pattern=pattern, profile=profile)


def expressions(pattern: str) -> list[str]:
    return [atom.expression for atom in atoms(pattern)]


def test_every_general_category_but_surrogates_has_a_representative() -> None:
    categories = {category(char) for char in STANDARD}
    assert len(categories) == 29
    assert "Cs" not in categories


def test_representatives_are_unique() -> None:
    assert len(set(STANDARD)) == len(STANDARD)


@pytest.mark.parametrize(
    "char", " \t\n\r\x1c\x85\xa0\u3000\u2028\u180e\u200b\ufeff'\u2019\u017f\u212a"
)
def test_a_character_that_libraries_classify_differently_is_a_representative(char: str) -> None:
    assert char in STANDARD


@pytest.mark.parametrize(("profile", "longest"), [("quick", 2), ("standard", 3), ("thorough", 4)])
def test_a_profile_has_all_strings_up_to_its_length(profile: str, longest: int) -> None:
    texts = class_ngrams.texts(facts(profile=profile))
    assert len(texts) == sum(len(STANDARD) ** length for length in range(1, longest + 1))
    assert texts[-1] == STANDARD[-1] * longest


@pytest.mark.slow
def test_the_standard_profile_has_every_string_of_three_classes() -> None:
    texts = set(class_ngrams.texts(facts(profile="standard")))
    assert texts >= {"".join(chars) for chars in product(STANDARD, repeat=3)}


@every_pattern
@every_family
def test_texts_are_unique_and_equal_to_those_of_the_cases(family, pattern) -> None:
    texts = list(family.texts(facts(pattern)))
    assert texts == [case.text for case in family.cases(facts(pattern))]
    assert len(texts) == len(set(texts)) == len(family.texts(facts(pattern)))


@every_family
@pytest.mark.parametrize("profile", ["standard", "thorough"])
def test_the_first_cases_equal_the_first_texts_in_longer_profiles(family, profile) -> None:
    target = facts(O200K, profile)
    first = [case.text for case in islice(family.cases(target), 20_000)]
    assert first == family.texts(target)[:20_000]


@every_family
def test_texts_of_the_standard_profile_are_unique(family) -> None:
    texts = list(family.texts(facts(O200K, "standard")))
    assert len(texts) == len(set(texts))


@every_family
def test_slices_equal_those_of_a_list(family) -> None:
    texts = family.texts(facts(O200K))
    whole = list(texts)
    last = len(whole)
    for start, stop in ((0, 100), (60, 4300), (4000, last + 9), (-7, last), (last, last), (9, 3)):
        assert texts[start:stop] == whole[start:stop]
    assert texts[10:5000:7] == whole[10:5000:7]
    assert texts[::-1] == whole[::-1]
    assert [texts[0], texts[4500], texts[-1]] == [whole[0], whole[4500], whole[-1]]


@every_family
def test_an_index_past_the_end_raises(family) -> None:
    texts = family.texts(facts())
    with pytest.raises(IndexError):
        texts[len(texts)]


def test_blocks_without_texts_leave_no_gap() -> None:
    blocks = Blocks([Block("", (), "none"), Block("a", ("b", "c"), "two"), Block("d", (), "none")])
    assert list(blocks) == blocks[:] == ["ab", "ac"]
    assert list(Blocks([])) == Blocks([])[:] == []


def test_word_blocks_leave_out_words_over_an_excluded_alphabet() -> None:
    blocks = Blocks(word_blocks("abc", 4, "why", frozenset({"ab", "c"})))
    every = ["".join(chars) for chars in product("abc", repeat=4)]
    assert list(blocks) == [
        word for word in every if not set(word) <= {*"ab"} and set(word) != {"c"}
    ]


@pytest.mark.parametrize("pattern", PUBLISHED.values(), ids=PUBLISHED)
def test_atoms_of_published_patterns_are_their_classes_and_literals(pattern: str) -> None:
    found = {*expressions(pattern)}
    assert found >= {r"[\p{L}]", r"[\p{N}]", r"\s", "'", "[stmd]", "s", "e"}
    assert any(each.startswith("[^") for each in found)
    assert all(regex.compile(each) for each in found)


def test_atoms_have_their_alternatives() -> None:
    found = [(atom.expression, atom.alternative) for atom in atoms(r"(?:a|[bc]d)|\p{N}+|(e|f)")]
    assert dict(found) == {"a": 0, "b": 0, "c": 0, "[bc]": 0, "d": 0, r"\p{N}": 1, "e": 2, "f": 2}


def test_alternatives_inside_one_group_count() -> None:
    assert [atom.alternative for atom in atoms("(a|b|c)")] == [0, 1, 2]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"[\p{L}--[a-z]]+", r"(?V1)[\p{L}--[a-z]]"),
        (r"[\w&&[^\d_]]", r"(?V1)[\w&&[^\d_]]"),
        (r"[[a-c][x-z]]", "[x-z]"),
        (r"[^[:alpha:]\d]", r"[^[:alpha:]\d]"),
        (r"[[]a", "[[]"),
        (r"[]a]", "[]a]"),
        (r"(?i:ab(?-i:c))", "(?i:b)"),
        (r"(?i)ab", "(?i:b)"),
        (r"(?x) a # b (", "a"),
        (r"(?<=a)b(?!c)", "c"),
        (r"(?>a)++|(?<name>b)\k<name>|(?P<n>c)(?P=n)", "b"),
        (r"(?#a comment (])b{1,3}+", "b"),
        (r"\x{4e00}\u{1F600}", r"\U0001f600"),
        (r"\p{^Lu}\P{L}\pN", r"\pN"),
        (r"a\X", "a"),
        (".", "."),
    ],
)
def test_atoms_of_unusual_patterns(pattern: str, wanted: str) -> None:
    assert wanted in expressions(pattern)


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        (r"(?i:ab(?-i:c))", "(?i:c)"),
        (r"(?x) a # b", "b"),
        (r"a\X", r"\X"),
        (r"\bword\b{2}", r"\b"),
        ("a{1,3}", "1"),
        ("(?P<n>a)(?P=n)", "n"),
    ],
)
def test_an_expression_that_matches_no_single_character_is_not_an_atom(
    pattern: str, left_out: str
) -> None:
    assert left_out not in expressions(pattern)


@pytest.mark.parametrize(
    "pattern",
    *[["", "(", "a)", "[a", "[a-", "[", "\\", "(?<", "[[:alpha:", "[z-a]", "[\\", "a" * 30_000]],
)
def test_a_malformed_pattern_has_no_atoms(pattern: str) -> None:
    assert atoms(pattern) == ()
    assert representatives(pattern) == STANDARD
    assert alphabets(pattern) == ()


def test_deep_nesting_is_not_an_error() -> None:
    assert expressions("(" * 3000 + "a" + ")" * 3000) == ["a"]
    assert isinstance(atoms("[" * 3000 + "a" + "]" * 3000), tuple)


@every_pattern
def test_representatives_start_with_the_standard_ones_and_have_a_limit(pattern) -> None:
    found = representatives(pattern)
    assert found.startswith(STANDARD)
    assert len(STANDARD) <= len(set(found)) == len(found) <= MAX_REPRESENTATIVES


@pytest.mark.parametrize(
    ("pattern", "inside"),
    [
        (r"[\u0e80-\u0eff]+|.", r"[\u0e80-\u0eff]"),
        (r"\p{Script=Cherokee}|.", r"\p{Script=Cherokee}"),
        (r"\p{Greek}\p{Lu}|.", r"(?=\p{Lu})\p{Greek}"),
        (r"\p{Greek}\p{Lu}|.", r"(?!\p{Lu})\p{Greek}"),
        (r"q|[w-y]", "q"),
        (r"q|[w-y]", "[w-y]"),
        ("\U0001f468|.", "\U0001f468"),
        (DEEPSEEK, r"[\u30a0-\u30ff]"),
        (r"[\u3400-\u4dbf]|\S", "\u33ff|\u4dc0|(?![\u3400-\u4dbf])[\u3300-\u4fff]"),
    ],
)
def test_a_pattern_adds_representatives_for_its_classes(pattern, inside) -> None:
    assert regex.search(inside, representatives(pattern))


def test_a_cell_without_a_standard_character_gets_one_representative() -> None:
    added = representatives(r"[\u0e80-\u0eff]+|\s")[len(STANDARD) :]
    assert len(added) == 1


def test_a_pattern_of_many_literals_stays_within_the_limit() -> None:
    pattern = "|".join(chr(0x4E00 + number) for number in range(300))
    assert len(representatives(pattern)) == MAX_REPRESENTATIVES


@settings(max_examples=20)
@given(text=class_ngrams.strategy(TargetFacts(pattern=DEEPSEEK)))
def test_the_strategy_draws_representatives_only(text: str) -> None:
    assert text
    assert set(text) <= set(representatives(DEEPSEEK))
