from __future__ import annotations

import itertools
import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.reference.patterns import ASCII_TWINS, CL100K, O200K, R50K
from tokharness_tokenizers.reference.splitting import join_surrogates, splitter

PATTERNS = pytest.mark.parametrize(
    "pattern", [R50K, CL100K, O200K], ids=["r50k", "cl100k", "o200k"]
)
OTHER_VERSIONS = [version for version in versions.VERSIONS if version != versions.REGEX_VERSION]


@PATTERNS
@given(text=st.text())
def test_pretokens_joined_are_the_text(pattern: str, text: str) -> None:
    assert "".join(splitter(pattern, versions.REGEX_VERSION)(text)) == text


@PATTERNS
@given(text=st.text(alphabet=st.characters(max_codepoint=127)))
def test_the_ascii_twin_splits_like_the_pattern(pattern: str, text: str) -> None:
    twin = re.compile(ASCII_TWINS[pattern], re.ASCII)
    assert twin.findall(text) == regex.findall(pattern, text)


@PATTERNS
def test_the_ascii_twin_splits_every_string_of_four_classes_like_the_pattern(pattern: str) -> None:
    twin = re.compile(ASCII_TWINS[pattern], re.ASCII).findall
    own = regex.compile(pattern).findall
    for letters in itertools.product(" \n\r\x1c'sTl1/a", repeat=4):
        text = "".join(letters)
        assert twin(text) == own(text), ascii(text)


@pytest.mark.slow
@PATTERNS
def test_the_ascii_twin_splits_every_string_of_six_classes_like_the_pattern(pattern: str) -> None:
    twin = re.compile(ASCII_TWINS[pattern], re.ASCII).findall
    own = regex.compile(pattern).findall
    for letters in itertools.product(" \n\t'sA/.0", repeat=6):
        text = "".join(letters)
        assert twin(text) == own(text), ascii(text)


WORDS = st.sampled_from(
    [
        "a",
        "I'll",
        "Word",
        "12345",
        "//",
        ".",
        " ",
        "  ",
        "\n",
        "\t",
        " \n ",
        "\u00e9",
        "\u00a0",
        "\u3000",
    ]
)


@PATTERNS
@given(runs=st.lists(st.tuples(WORDS, st.sampled_from([1, 2, 120])), min_size=5, max_size=9))
def test_long_texts_with_runs_of_ascii_are_split_like_the_pattern(
    pattern: str, runs: list[tuple[str, int]]
) -> None:
    text = "".join(f"{word} " * count if count > 2 else word * count for word, count in runs)
    assert splitter(pattern, versions.REGEX_VERSION)(text) == regex.findall(pattern, text)


@PATTERNS
def test_patterns_split_before_a_space_after_other_than_white_space(pattern: str) -> None:
    own = regex.compile(pattern).findall
    for letters in itertools.product(" \n'sT1/\u00e9\u3000", repeat=4):
        before, after = "".join(letters[:2]) + ".", " " + "".join(letters[2:])
        assert own(before + after) == own(before) + own(after), ascii(before + after)


@pytest.mark.parametrize("version", OTHER_VERSIONS[-3:])
@PATTERNS
def test_runs_of_ascii_do_not_matter_at_a_pinned_version(pattern: str, version: str) -> None:
    new = "".join(map(chr, versions.changed(version, versions.REGEX_VERSION)[:50]))
    split, part, plain = splitter(pattern, version), f" x{new}y\nz.", " it's  plain\n." * 9
    assert split((part + plain) * 3) == [*split(part), *split(plain)] * 3


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (R50K, "I'll go  now", ["I", "'ll", " go", " ", " now"]),
        (R50K, "I'LL 12345", ["I", "'", "LL", " 12345"]),
        (CL100K, "I'LL 12345", ["I", "'LL", " ", "123", "45"]),
        (CL100K, "it'\u017f", ["it", "'\u017f"]),
        (CL100K, "a \n\n  ", ["a", " \n\n  "]),
        (O200K, "a \n\n  ", ["a", " \n\n", "  "]),
        (O200K, "camelCase I'LL x//\n", ["camel", "Case", " I'LL", " x", "//\n"]),
    ],
)
def test_known_splits(pattern: str, text: str, expected: list[str]) -> None:
    assert splitter(pattern, versions.REGEX_VERSION)(text) == expected


@pytest.mark.slow
@pytest.mark.parametrize("version", OTHER_VERSIONS)
def test_a_pinned_version_splits_by_the_category_in_that_version(version: str) -> None:
    split = splitter(r"\p{L}+|\P{L}", version)
    for point in versions.changed(version, versions.REGEX_VERSION):
        character = chr(point)
        is_letter = versions.category_in(character, version).startswith("L")
        text = f"a{character}b"
        assert split(text) == ([text] if is_letter else list(text)), hex(point)


def test_a_pinned_version_returns_the_characters_of_the_text() -> None:
    changed = "".join(map(chr, versions.changed("15.0", versions.REGEX_VERSION)[:500]))
    assert "".join(splitter(O200K, "15.0")(changed)) == changed


def test_text_outside_the_pattern_is_left_out() -> None:
    assert splitter("[a-z]+", versions.REGEX_VERSION)("ab1cd\u00e9e") == ["ab", "cd", "e"]


def test_groups_in_a_pattern_do_not_change_the_pretokens() -> None:
    assert splitter("(a)(b)|.", versions.REGEX_VERSION)("xabx") == ["x", "ab", "x"]


def test_a_pattern_that_does_not_compile_is_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"does not compile .*\(unclosed"):
        splitter("(unclosed", versions.REGEX_VERSION)


def test_an_unknown_version_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"99\.0"):
        splitter(O200K, "99.0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("\ufeffbom", "\ufeffbom"),
        ("\ud83d\ude00", "\U0001f600"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("\ud800\ud83d\ude00\ud800", "\ufffd\U0001f600\ufffd"),
    ],
)
def test_surrogates_are_joined_or_replaced(text: str, expected: str) -> None:
    assert join_surrogates(text) == expected
