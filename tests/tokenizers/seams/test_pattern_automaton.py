"""The automaton of a pattern says of each two classes whether a cut is neutral, and no less."""

import random
from itertools import product

import pytest
import regex

from tokharness_tokenizers.reference.compiled_pattern import compiled
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K
from tokharness_tokenizers.reference.token_files.stages import CLIP_PATTERN
from tokharness_tokenizers.seams.of_patterns import automaton_of_matcher, automaton_of_pattern
from tokharness_tokenizers.seams.pattern_automaton import NoAutomatonError, automaton_of

QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
NEWER_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
SMALL = (
    r"a+|b|.",
    r"a+?b|a|b",
    r"a*b|a",
    r"ab?+a|a|b",
    r"a{2,3}|b{2}|a|b",
    r"a+(?=b)|a|b+",
    r"(?:ab)+|a|b",
    r"a++b?|b",
    r"a+\Z|a|b",
    r"ab|b",
)


def _matches(pattern, flags=regex.VERSION0):
    found = regex.compile(pattern, flags)
    return lambda text: [(match.group(), match.start()) for match in found.finditer(text)]


def _cut_is_neutral(matches, text, place):
    behind = [(part, start + place) for part, start in matches(text[place:])]
    return matches(text[:place]) + behind == matches(text)


@pytest.mark.parametrize("pattern", SMALL)
def test_a_cut_is_neutral_exactly_if_no_text_shows_otherwise(pattern):
    automaton, matches = automaton_of(pattern, regex.VERSION0), _matches(pattern)
    changed = {
        (text[place - 1], text[place])
        for size in range(2, 8)
        for text in map("".join, product("ab", repeat=size))
        for place in range(1, size)
        if not _cut_is_neutral(matches, text, place)
    }
    label = automaton.partition.label
    for last, first in product("ab", repeat=2):
        assert automaton.cuts[label(last)][label(first)] is ((last, first) not in changed)


@pytest.mark.parametrize(
    "pattern", [R50K, CL100K, O200K, QWEN, NEWER_CL100K, CLIP_PATTERN], ids=str.__len__
)
def test_no_text_contradicts_the_automaton_of_a_published_pattern(pattern):
    if pattern in (QWEN, CLIP_PATTERN):
        matcher = compiled(pattern, None)
        automaton, matches = (
            automaton_of_matcher(matcher),
            _matches(matcher.full.pattern, matcher.full.flags),
        )
    else:
        automaton, matches = automaton_of_pattern(pattern, None), _matches(pattern)
    chars, label, choose = (
        automaton.partition.representatives,
        automaton.partition.label,
        random.Random(1),
    )
    unshown = {
        (last, first)
        for last in range(len(chars))
        for first in range(len(chars))
        if not automaton.cuts[last][first]
    }
    for _ in range(8_000):
        text = "".join(choose.choices(chars, k=choose.randint(2, 7)))
        place = choose.randint(1, len(text) - 1)
        pair = label(text[place - 1]), label(text[place])
        if not _cut_is_neutral(matches, text, place):
            assert not automaton.cuts[pair[0]][pair[1]], ascii(text)
            unshown.discard(pair)
    assert len(unshown) < 80  # what is refused is refused for a reason


@pytest.mark.parametrize(
    ("pattern", "most"), [(R50K, 2), (CL100K, 1), (O200K, 2), (r"a+|b", 1), (r"ab|c", None)]
)
def test_the_matches_that_more_text_may_change_are_counted(pattern, most):
    assert automaton_of(pattern, regex.VERSION0).most_undecided == most


@pytest.mark.parametrize("pattern", [R50K, CL100K, O200K])
def test_no_text_changes_more_matches_than_counted(pattern):
    automaton, matches = automaton_of(pattern, regex.VERSION0), _matches(pattern)
    chars, choose = automaton.partition.representatives, random.Random(2)
    for _ in range(5_000):
        text = "".join(choose.choices(chars, k=choose.randint(1, 7)))
        more = "".join(choose.choices(chars, k=choose.randint(1, 4)))
        kept = matches(text)[: -automaton.most_undecided]
        assert matches(text + more)[: len(kept)] == kept, ascii((text, more))


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", r"(?<=a)b|a", r"a|(?!bc)b", r"\bword", r"a*", r"(?>ab|a)b", r"(?:a?)*b", r"a+$|\s"],
)
def test_a_pattern_beyond_the_automaton_has_none(pattern):
    with pytest.raises(NoAutomatonError):
        _ = automaton_of(pattern, regex.VERSION0).cuts


def test_another_unicode_version_has_other_classes():
    new = "\U00011db0"  # a letter since Unicode 17.0
    old, now = (automaton_of_pattern(R50K, version) for version in ("16.0", "17.0"))
    assert old.partition.label(new) == old.partition.label("\u0378") != old.partition.label("a")
    assert now.partition.label(new) == now.partition.label("\u4e2d")
