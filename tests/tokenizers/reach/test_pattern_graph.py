"""The graph of a pattern holds all that its matches have."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokharness_tokenizers.reach.pattern_graph import characters_with, graph_of
from tokharness_tokenizers.reference.patterns import CL100K, O200K, R50K

PATTERNS = {
    "r50k": R50K,
    "cl100k": CL100K,
    "o200k": O200K,
    "counts": r"(?:ab){2,3}|\d{1,3}(?=x)|[^\s\d]+?|\s*+",
    "groups": r"(?i:'s|st)|(a|b1)*!|[[:punct:]]\B",
}
TEXTS = st.text("aAbsStT1 2\n\r'!/x\u0301\u00e9\u4e9a\u00a0", max_size=12)


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
@given(text=TEXTS)
def test_each_part_of_a_match_is_held(pattern, text):
    graph = graph_of(pattern)
    for match in map(regex.Match.group, regex.finditer(pattern, text)):
        assert not match or graph.is_match(match)
        for start in range(len(match)):
            for end in range(start + 1, len(match) + 1):
                assert graph.holds(match[start:end])
            assert graph.ends_with(match[start:])
            assert graph.begins(match[: start + 1])


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (R50K, "a1"),
        (R50K, "a\u0301"),
        (CL100K, "1234"),
        (CL100K, "\n//"),
        (O200K, "a b"),
        (O200K, "aB"),
        ("(?:ab){2}", "ababa"),
        ("a?b", "ba"),
    ],
)
def test_what_no_match_has_is_not_held(pattern, text):
    assert not graph_of(pattern).holds(text)


@pytest.mark.parametrize(
    ("text", "ends"), [(" I'", (True, False)), ("\n//", (False, True)), ("'s", (True, True))]
)
def test_a_text_may_only_begin_or_only_end_a_match(text, ends):
    graph = graph_of(O200K)
    assert graph.holds(text)
    assert (graph.begins(text), graph.ends_with(text)) == ends


@pytest.mark.parametrize("pattern", [r"(a)\1", r"a{9,999}", r"\X", "(", "(?(1)a|b)"])
def test_a_pattern_without_single_characters_has_no_graph(pattern):
    assert graph_of(pattern) is None


def test_sets_are_nested_in_version_1_alone():
    assert graph_of("[a[b]c]", regex.VERSION1).is_match("b")
    assert graph_of("[a[b]c]", regex.VERSION0).is_match("[c]")


def test_a_character_that_an_alternative_always_matches_is_in_a_match():
    graph = graph_of(r"\d+(?!x)|[a-z]")
    assert not graph.may_leave_out("a")
    assert graph.may_leave_out("1")
    assert graph.may_leave_out("!")


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [b"\xc3", b"\xe4\xb8", b"\xed", b"\xf0", b"\xf4", b"\xe0", b"\x80", b"\xbf\xbf"]
)
def test_the_characters_with_some_bytes_are_all_that_have_them(part):
    is_end = part[0] & 0xC0 == 0x80
    has = bytes.endswith if is_end else bytes.startswith
    points = (*range(0xD800), *range(0xE000, 0x110000))
    expected = [char for char in map(chr, points) if has(char.encode(), part)]
    assert list(characters_with(part)) == expected


def test_a_character_next_to_a_text_is_known_by_its_bytes():
    graph = graph_of(r"a[\u00e0-\u00ff]|\d!")
    assert graph.goes_on("a", b"\xc3")
    assert not graph.goes_on("a", b"\xf0")
    assert graph.comes_before(b"\xa9", "!")
    assert not graph.comes_before(b"\xa9", "a")


def test_braces_without_a_number_are_characters():
    assert graph_of("a{}b").is_match("a{}b")


@given(texts=st.lists(TEXTS, min_size=2, max_size=2), more=TEXTS)
def test_texts_of_one_state_have_the_same_texts_behind_them(texts, more):
    graph = graph_of(O200K)
    first, second = texts
    if first and second and graph.state(first) == graph.state(second):
        assert graph.holds(first + more) == graph.holds(second + more)
