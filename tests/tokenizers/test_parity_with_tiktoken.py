"""The reference returns tiktoken's ids. The harness itself does the complete sweep."""

from __future__ import annotations

import functools
import itertools

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode import versions
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine
from tokharness_tokenizers.adapters.tiktoken_engine import Engine
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.patterns import R50K

CONTEXTS = ("{}\\u", "{}.a", "{}'s", "_{}_init", "{}123", "a'{}", "a'{}e", "A{}'S", "\n {}")
ONE_VOCABULARY_PER_PATTERN = ("embedded", "cl100k_base", "r50k_base")
"""The embedded vocabulary has the pattern of o200k_base, and p50k_base that of r50k_base."""

PLANES_WITH_CHARACTERS = frozenset({0, 1, 2, 3, 14})
"""Of the others, 4 to 13 are unassigned, and 15 and 16 for private use."""

RARE = (
    "'sS\u017fmtdlvreRE/1 \n\r\t\x0b\x1c\x85\u00a0\u180e\u2028\u3000\ufeff"
    "\u0300\u01c5\u0130\u212a\u00bd"
)
HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from(RARE),
        st.sampled_from("aZ09.,-_\u200d\ufe0f\U0001f469\U000e0041\u0915\u094d\uac00\u1100\u0660"),
        st.characters(),
    ),
    max_size=40,
)

_BYTES = [[byte] for byte in range(256)]

Pair = tuple[ByteBPE, Engine]


@pytest.fixture(scope="module")
def pair(vocabulary_name: str) -> Pair:
    engine = tiktoken_engine.load(vocabulary_name)
    reference = reference_target.load(vocabulary_name).with_unicode_version(_tiktoken_version())
    return reference, engine


@functools.cache
def _tiktoken_version() -> str:
    """Return the version at which the reference has the ids of the installed tiktoken."""
    reference = reference_target.load("embedded")
    engine = tiktoken_engine.load("embedded")
    changed = versions.changed("14.0", versions.VERSIONS[-1])
    texts = [f"{chr(point)}.a" for point in changed]
    for version in reversed(versions.VERSIONS):
        pinned = reference.with_unicode_version(version)
        if all(pinned.encode(text) == engine.encode(text) for text in texts):
            return version
    pytest.fail("tiktoken splits differently from all known Unicode versions")


def _assert_same(pair: Pair, texts: list[str]) -> None:
    reference, engine = pair
    differing = [
        ascii(text)
        for text in texts
        if reference.encode_ordinary(text) != engine.encode_ordinary(text)
    ]
    assert not differing, f"{len(differing)} of {len(texts)}: {differing[:5]}"


@pytest.mark.slow
def test_attributes_are_the_same(pair: Pair) -> None:
    reference, engine = pair
    assert reference.n_vocab == engine.n_vocab
    assert dict(reference.special_tokens) == dict(engine.special_tokens)


@pytest.mark.parametrize("context", CONTEXTS)
def test_code_points_that_changed_their_category(pair: Pair, context: str) -> None:
    points = versions.changed("14.0", versions.VERSIONS[-1])[::7]
    _assert_same(pair, [context.format(chr(point)) for point in points])


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary_name", ONE_VOCABULARY_PER_PATTERN, indirect=True)
def test_every_scalar_value_of_planes_with_characters(pair: Pair) -> None:
    planes = [range(plane << 16, plane + 1 << 16) for plane in range(17)]
    points = [
        point
        for number, plane in enumerate(planes)
        for point in (
            plane
            if number in PLANES_WITH_CHARACTERS
            else (*plane[:256], *plane[256:-256:61], *plane[-256:])
        )
        if not 0xD800 <= point < 0xE000
    ]
    contexts = CONTEXTS[:5]  # alternating, so that each run of one category has all contexts
    _assert_same(pair, [contexts[point % 5].format(chr(point)) for point in points])


@pytest.mark.parametrize("context", CONTEXTS)
def test_code_points_of_the_first_planes(pair: Pair, context: str) -> None:
    low, rest = range(0x600), range(0x600, 0x20000, 41)
    points = [point for point in (*low, *rest) if not 0xD800 <= point < 0xE000]
    _assert_same(pair, [context.format(chr(point)) for point in points])


@pytest.mark.parametrize("alphabet", ["'s\u017fma", " \n\r/'", "1a \u0660", "Aa\u01c5\u0300'"])
def test_every_short_text_over_a_small_alphabet(pair: Pair, alphabet: str) -> None:
    lengths = range(1, 6)
    _assert_same(
        pair,
        [
            "".join(text)
            for length in lengths
            for text in itertools.product(alphabet, repeat=length)
        ],
    )


@given(texts=st.lists(HOSTILE, max_size=20))
@settings(max_examples=60)
def test_hostile_texts_and_lone_surrogates(pair: Pair, texts: list[str]) -> None:
    _assert_same(pair, [*texts, "".join(texts)])


@pytest.mark.parametrize(
    "unit", [" ", "a", "\n", "-", "1", "\u0300", "'s", "\u200d", "ab", "\u4e00"]
)
def test_long_runs(pair: Pair, unit: str) -> None:
    _assert_same(pair, [unit * length + end for length in (33, 500, 4000) for end in ("", "x")])


@given(
    parts=st.lists(st.one_of(HOSTILE, st.sampled_from(["<|endoftext|>", "<|endo", "|>"]))),
    allow=st.booleans(),
)
@settings(max_examples=60)
def test_special_tokens(pair: Pair, parts: list[str], allow: bool) -> None:
    reference, engine = pair
    text = "".join(parts)
    if allow:
        assert reference.encode_special(text) == engine.encode_special(text)
    elif any(token in text for token in reference.special_tokens):
        for tokenizer in (reference, engine):
            with pytest.raises(ValueError, match="special token"):
                tokenizer.encode(text)
    else:
        assert reference.encode(text) == engine.encode(text)


@given(text=HOSTILE)
@settings(max_examples=60)
def test_offsets_of_text_without_surrogates(pair: Pair, text: str) -> None:
    reference, engine = pair
    text = "".join(character for character in text if not 0xD800 <= ord(character) < 0xE000)
    assert reference.encode_with_offsets(text) == engine.encode_with_offsets(text)


@pytest.mark.slow
@given(
    tokens=st.lists(st.text("ab", min_size=2, max_size=6).map(str.encode), unique=True),
    text=st.one_of(st.text("ab", max_size=60), st.text("ab", min_size=100, max_size=400)),
)
def test_vocabularies_that_training_never_makes(tokens: list[bytes], text: str) -> None:
    ranks = {token: rank for rank, token in enumerate([*map(bytes, _BYTES), *tokens])}
    engine = tiktoken.Encoding("x", pat_str=R50K, mergeable_ranks=ranks, special_tokens={})
    assert ByteBPE("x", R50K, ranks).encode(text) == engine.encode_ordinary(text)


def test_decoding_every_token(pair: Pair) -> None:
    reference, engine = pair
    tokens = sorted({*reference.ranks.values(), *reference.special_tokens.values()})[::13]
    expected = [engine.decode_single_token_bytes(token) for token in tokens]
    assert [reference.decode_single_token_bytes(token) for token in tokens] == expected
    assert reference.decode(tokens) == engine.decode(tokens)
