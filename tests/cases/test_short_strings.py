"""Short strings and strings of classes find every wrong detail of a published pattern."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

import pytest
import regex

from tokharness.model import TargetFacts
from tokharness_cases import class_ngrams, short_strings
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

FAMILIES = (class_ngrams, short_strings)
PUBLISHED = {"r50k": R50K, "cl100k": CL100K, "o200k": O200K}
BEFORE_WORD = r"[^\r\n\p{L}\p{N}]?"
CONTRACTIONS = r"(?i:'(?:[stmd]|re|ve|ll))?"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
WRONG = (
    *(("(?i:", "(?:"), (CONTRACTIONS, ""), ("'(?:", "['\\u2019](?:")),
    *(("[stmd]", "[tmd]"), ("[stmd]", "[smd]"), ("[stmd]", "[std]"), ("[stmd]", "[stm]")),
    *(("|re", ""), ("|ve", ""), ("|ll", "")),
    *(("{1,3}", "{1,4}"), ("{1,3}", "{1,2}"), ("{1,3}", ""), ("{1,3}", "+")),
    *((r"\p{N}", r"\d"), (r"\p{N}", r"\p{Nd}"), (r"\p{N}", "0-9")),
    *((r"[\r\n/]*", ""), (r"[\r\n/]*", r"[\r\n]*"), (r"]+[\r\n]*", "]+")),
    *((r"\s*[\r\n]+|", ""), (r"[\r\n]+", r"\n+"), (r"[\r\n]+", r"\r?\n")),
    *((r"|\s+(?!\S)", ""), (r"\s++$|", ""), (r"\S", "[^ ]")),
    *((r"\p{M}", ""), (r"\p{M}", r"\p{Mn}"), (r"\p{Lm}", ""), (r"\p{Lt}", "")),
    *((LOWER + "+", LOWER + "*"), (LOWER + "*", LOWER + "+")),
    *((BEFORE_WORD, " ?"), (BEFORE_WORD, r"[^\r\n\p{L}]?"), (BEFORE_WORD, r"[^\n\p{L}\p{N}]?")),
    *((BEFORE_WORD, r"[^\s\p{L}\p{N}]?"), (" ?[^", "[^"), (r" ?\p{L}", r"\p{L}")),
    *((r" ?[\p{L}", r"[\p{L}"), (r" ?[\p{N}", r"[\p{N}")),
    *((r"\p{L}", "A-Za-z"), (r"\p{L}", r"\w"), (r"\p{L}", r"\p{L}\p{M}")),
    *((r"\s", r"[ \t\n\r\f\v]"), (r"\s", r"[\s\x1c-\x1f]"), (r"\s", r"(?:(?!\x85)\s)")),
    *((r"\s", r"[\s\ufeff]"), (r"\s", r"[\s\u180e]"), (r"\s", r"[\s\u200b]")),
)
"""Parts of a pattern, and what a faulty port has instead."""
CANNOT_MEET = {
    # White space matches all that follows of its kind; the rule for the end of a text comes last.
    "r50k": {(3, 0), (4, 0), (4, 4), (5, 4), (5, 5)},
    "cl100k": {
        *product([4], range(8)),
        *product([5, 6, 7], [4, 5]),
        *((6, 0), (6, 2), (6, 6), (7, 6), (7, 7)),
    },
    "o200k": {(4, 4), (5, 2), (5, 4), (5, 5), (6, 4), (6, 5), (6, 6)},
}


def alternatives(pattern: str) -> list[str]:
    """The top-level alternatives of a pattern whose other alternatives are in groups."""
    in_class = r"\[(?:\\.|[^\]\\])*\]"
    group = rf"(?P<group>\((?:\\.|{in_class}|[^()\\\[]|(?&group))*\))"
    rule = rf"(?:\\.|{in_class}|{group}|[^|\\\[(])+"
    return [match[0] for match in regex.finditer(rule, pattern)]


@cache
def quick(pattern: str) -> list[tuple[str, list[str]]]:
    """Texts of the quick profile, and how the pattern splits them."""
    facts = TargetFacts(pattern=pattern, profile="quick")
    split = regex.compile(pattern).findall
    return [(text, split(text)) for family in FAMILIES for text in family.texts(facts)]


def is_found(pattern: str, wrong: str) -> bool:
    split = regex.compile(wrong).findall
    return any(split(text) != pieces for text, pieces in quick(pattern))


def wrong_patterns() -> list[object]:
    return [
        pytest.param(pattern, pattern.replace(right, wrong), id=f"{name}-{right}-{wrong}")
        for name, pattern in PUBLISHED.items()
        for right, wrong in WRONG
        if right in pattern
    ]


@pytest.mark.parametrize(("pattern", "wrong"), wrong_patterns())
def test_a_wrong_detail_of_a_pattern_shows_in_the_quick_profile(pattern: str, wrong: str) -> None:
    assert is_found(pattern, wrong)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_missing_alternative_shows_in_the_quick_profile(name: str) -> None:
    rules = alternatives(PUBLISHED[name])
    assert "|".join(rules) == PUBLISHED[name]
    for number in range(len(rules)):
        rest = "|".join(rules[:number] + rules[number + 1 :])
        assert is_found(PUBLISHED[name], rest), rules[number]


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_every_rule_meets_every_other_that_can_follow_it(name: str) -> None:
    rules = alternatives(PUBLISHED[name])
    pattern = regex.compile("|".join(f"(?P<r{n}>{rule})" for n, rule in enumerate(rules)))
    wanted = {*product(range(len(rules)), repeat=2)} - CANNOT_MEET[name]
    facts = TargetFacts(pattern=PUBLISHED[name])
    for text in short_strings.texts(facts):
        used = [int(str(match.lastgroup)[1:]) for match in pattern.finditer(text)]
        wanted.difference_update(pairwise(used))
        if not wanted:
            break
    assert not wanted


@pytest.mark.parametrize(
    ("profile", "least", "most"),
    [("quick", 10_000, 20_000), ("standard", 100_000, 210_000), ("thorough", 2e6, 4e6)],
)
@pytest.mark.parametrize("pattern", [None, *PUBLISHED.values()])
def test_the_number_of_texts_suits_the_profile(pattern, profile, least, most) -> None:
    assert least < len(short_strings.texts(TargetFacts(pattern=pattern, profile=profile))) < most


@pytest.mark.parametrize("letters", ["'sS\u017fma", " \n\r/'"])
def test_deep_alphabets_have_all_strings_of_six(letters: str) -> None:
    texts = set(short_strings.texts())
    for length in range(1, 7):
        assert texts >= {"".join(chars) for chars in product(letters, repeat=length)}


@pytest.mark.parametrize("letters", short_strings.ALPHABETS)
def test_the_quick_profile_has_all_strings_of_four_of_each_alphabet(letters: str) -> None:
    texts = {text for text, _ in quick(O200K)}
    assert texts >= {"".join(chars) for chars in product(letters, repeat=4)}


@pytest.mark.parametrize("profile", ["quick", "standard", "thorough"])
@pytest.mark.parametrize("text", ["abcde'\u017f", "ABCDE'\u017f", "abcde'\u212a", "abcde'\u017ft"])
def test_contractions_by_case_folding_are_far_into_a_word(profile, text) -> None:
    texts = short_strings.texts(TargetFacts(profile=profile))
    assert text in texts[-400:]


def test_a_pattern_adds_alphabets() -> None:
    pattern = r"\p{Greek}+|#[0-9]+|\s+|."
    texts = set(short_strings.texts(TargetFacts(pattern=pattern, profile="quick")))
    assert texts - set(short_strings.texts(TargetFacts(profile="quick")))
    assert any(regex.fullmatch(r"#[0-9]{3}", text) for text in texts)
    assert any(regex.fullmatch(r"\p{Greek}{2}[^\p{Greek}]\p{Greek}", text) for text in texts)
