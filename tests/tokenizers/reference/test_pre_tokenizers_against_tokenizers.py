from __future__ import annotations

import random
from functools import cache

import pytest

from tokharness.unicode.versions import changed
from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import (
    PREPEND_SCHEMES,
    ByteLevel,
    Metaspace,
)
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import (
    Bert,
    Digits,
    Punctuation,
    UnicodeScripts,
    Whitespace,
    WhitespaceSplit,
)
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    BEHAVIORS,
    CharDelimiterSplit,
    FixedLength,
    Sequence,
    Split,
)
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
)

pytestmark = pytest.mark.needs("tokenizers", "0.23")

BOOLS = (False, True)
PATTERNS = (r"\s+", "a*", "", r"\p{L}+", "(?=b)", r"\d{1,3}")
SNAKE = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
CHARACTERS = (
    "ab Ab'sll12.,!? \t\n\r\x0b\x1c\x1f\x85\xa0\u2028\u3000\u200b\u200d\ufeff\u0301\u20e3\ufe0f-_"
    "\u4e00\u3042\u30a2\u30fc\u0e01\u0627\u0589\u061c\u0953\xb2\xbd\u2167\u2460\u0660\u3007\u2581"
    "\xa1\xbf\u2019\u3001\u2e43\U00011450\U0001f600\U0001d7d8\U00010107\U0001e030\U00011de0"
)


@cache
def pairs():
    from tokenizers import Regex, pre_tokenizers

    own = {
        "Whitespace": (Whitespace("16.0"), pre_tokenizers.Whitespace()),
        "WhitespaceSplit": (WhitespaceSplit(), pre_tokenizers.WhitespaceSplit()),
        "Bert": (Bert("8.0"), pre_tokenizers.BertPreTokenizer()),
        "UnicodeScripts": (UnicodeScripts("9.0"), pre_tokenizers.UnicodeScripts()),
        "FixedLength": (FixedLength(3), pre_tokenizers.FixedLength(3)),
        "CharDelimiterSplit": (CharDelimiterSplit("-"), pre_tokenizers.CharDelimiterSplit("-")),
    }
    for behavior in BEHAVIORS:
        name = SNAKE[behavior]
        own[f"Punctuation-{name}"] = (
            Punctuation(behavior, "8.0"),
            pre_tokenizers.Punctuation(name),
        )
        for invert in BOOLS:
            for pattern in PATTERNS:
                fast = pieces_of_pattern(pattern, "16.0")
                own[f"Split-{pattern}-{name}-{invert}"] = (
                    Split(find_pattern(pattern, "16.0"), behavior, invert, fast),
                    pre_tokenizers.Split(Regex(pattern), name, invert),
                )
            for text in ("-", "ab", ""):
                own[f"Split-{text!r}-{name}-{invert}"] = (
                    Split(find_text(text), behavior, invert, pieces_of_text(text)),
                    pre_tokenizers.Split(text, name, invert),
                )
    for one in BOOLS:
        own[f"Digits-{one}"] = Digits(one, "17.0"), pre_tokenizers.Digits(one)
        for other in BOOLS:
            own[f"ByteLevel-{one}-{other}"] = (
                ByteLevel(one, other, "16.0"),
                pre_tokenizers.ByteLevel(add_prefix_space=one, use_regex=other),
            )
        for scheme in PREPEND_SCHEMES:
            own[f"Metaspace-{scheme}-{one}"] = (
                Metaspace("_", scheme, one),
                pre_tokenizers.Metaspace("_", scheme, one),
            )
    for names in (
        ("WhitespaceSplit", "Metaspace-first-True"),
        ("UnicodeScripts", "Metaspace-first-False"),
        ("Split-'-'-removed-False", "Metaspace-first-True", "Punctuation-isolated"),
        ("Bert", "Digits-True", "ByteLevel-False-True"),
        ("ByteLevel-True-True", "FixedLength"),
    ):
        own["+".join(names)] = (
            Sequence(tuple(own[name][0] for name in names)),
            pre_tokenizers.Sequence([own[name][1] for name in names]),
        )
    return own


@cache
def texts():
    source = random.Random(20261125)
    return ["".join(source.choices(CHARACTERS, k=source.randrange(14))) for _ in range(120)]


@pytest.mark.parametrize(
    "kind", ["Wh", "Bert", "Uni", "Fix", "Char", "Punc", "Spl", "Dig", "Byt", "Met"]
)
def test_random_texts_are_split_as_by_the_library(kind):
    for name, (own, library) in pairs().items():
        for text in texts() if name.startswith(kind) else ():
            expected = library.pre_tokenize_str(text)
            parts = own.split(Aligned.of(text), at_start=True)
            assert own.pieces(text, at_start=True) == [piece for piece, _ in expected], (name, text)
            assert [part.text for part in parts] == [piece for piece, _ in expected], (name, text)
            for part, (_, span) in zip(parts, expected, strict=True):
                own_span = part.span(0, len(part.text))
                # What is put before a text has an empty span, and that of the next one there.
                assert own_span == span or own_span[0] == own_span[1] == span[0], (name, text)


CHANGED = changed("7.0", "18.0")
BASIC = (*range(0xD800), *range(0xE000, 0x10000))
OTHERS = (*range(0x10000, 0x33480), *range(0xE0000, 0xE0200))


@pytest.mark.parametrize(
    "points",
    [
        pytest.param(CHANGED[::9], id="each 9th with a new category"),
        pytest.param(BASIC[::11], id="each 11th of the basic plane"),
        pytest.param(CHANGED, marks=pytest.mark.slow(every=4), id="all with a new category"),
        pytest.param(BASIC, marks=pytest.mark.slow(every=4), id="all of the basic plane"),
        pytest.param(OTHERS, marks=pytest.mark.slow(every=4), id="other planes"),
    ],
)
@pytest.mark.parametrize(
    "name",
    [
        "Whitespace",
        "WhitespaceSplit",
        "Bert",
        "UnicodeScripts",
        "Digits-True",
        "ByteLevel-False-True",
    ],
)
def test_each_character_is_split_as_by_the_library(name, points):
    own, library = pairs()[name]
    for start in range(0, len(points), 0x4000):
        text = "".join(f"a{chr(point)}1\u0301 {chr(point)}b " for point in points[start:][:0x4000])

        expected = [piece for piece, _ in library.pre_tokenize_str(text)]

        assert own.pieces(text, at_start=True) == expected
