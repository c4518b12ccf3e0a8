from __future__ import annotations

import itertools
import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.reference.patterns import ASCII_TWINS, CL100K, O200K, R50K
from tokharness_tokenizers.reference.splitting import joined_surrogates, splitter

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
def test_the_ascii_twin_cuts_as_the_pattern_does(pattern: str, text: str) -> None:
    twin = re.compile(ASCII_TWINS[pattern], re.ASCII)
    assert twin.findall(text) == regex.findall(pattern, text)


@PATTERNS
def test_the_ascii_twin_cuts_every_short_string_of_the_classes_alike(pattern: str) -> None:
    twin = re.compile(ASCII_TWINS[pattern], re.ASCII).findall
    own = regex.compile(pattern).findall
    for letters in itertools.product(" \n\r\x1c'sTl1/a", repeat=4):
        text = "".join(letters)
        assert twin(text) == own(text), ascii(text)


@pytest.mark.slow
@PATTERNS
def test_the_ascii_twin_cuts_every_string_of_six_classes_alike(pattern: str) -> None:
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
@given(stretches=st.lists(st.tuples(WORDS, st.sampled_from([1, 2, 120])), min_size=5, max_size=9))
def test_long_texts_with_stretches_of_ascii_are_cut_as_the_pattern_does(
    pattern: str, stretches: list[tuple[str, int]]
) -> None:
    text = "".join(f"{word} " * count if count > 2 else word * count for word, count in stretches)
    assert splitter(pattern, versions.REGEX_VERSION)(text) == regex.findall(pattern, text)


@PATTERNS
def test_text_may_be_cut_before_any_space_behind_what_is_no_white_space(pattern: str) -> None:
    own = regex.compile(pattern).findall
    for letters in itertools.product(" \n'sT1/\u00e9\u3000", repeat=4):
        before, after = "".join(letters[:2]) + ".", " " + "".join(letters[2:])
        assert own(before + after) == own(before) + own(after), ascii(before + after)


@pytest.mark.parametrize("version", OTHER_VERSIONS[-3:])
@PATTERNS
def test_stretches_of_ascii_change_nothing_at_a_pinned_version(pattern: str, version: str) -> None:
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
def test_known_cuts(pattern: str, text: str, expected: list[str]) -> None:
    assert splitter(pattern, versions.REGEX_VERSION)(text) == expected


@pytest.mark.parametrize("version", OTHER_VERSIONS)
def test_a_pinned_version_cuts_a_character_by_its_category_there(version: str) -> None:
    split = splitter(r"\p{L}+|\P{L}", version)
    for point in versions.changed(version, versions.REGEX_VERSION):
        character = chr(point)
        is_letter = versions.category_in(character, version).startswith("L")
        text = f"a{character}b"
        assert split(text) == ([text] if is_letter else list(text)), hex(point)


def test_a_pinned_version_gives_the_characters_of_the_text_and_not_their_stand_ins() -> None:
    changed = "".join(map(chr, versions.changed("15.0", versions.REGEX_VERSION)[:500]))
    assert "".join(splitter(O200K, "15.0")(changed)) == changed


def test_text_outside_the_pattern_is_left_out() -> None:
    assert splitter("[a-z]+", versions.REGEX_VERSION)("ab1cd\u00e9e") == ["ab", "cd", "e"]


def test_groups_in_a_pattern_do_not_change_what_a_pretoken_is() -> None:
    assert splitter("(a)(b)|.", versions.REGEX_VERSION)("xabx") == ["x", "ab", "x"]


def test_a_pattern_that_does_not_compile_is_named() -> None:
    with pytest.raises(ValueError, match=r"does not compile .*\(unclosed"):
        splitter("(unclosed", versions.REGEX_VERSION)


def test_a_version_without_data_is_refused() -> None:
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
    assert joined_surrogates(text) == expected
