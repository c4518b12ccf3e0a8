from __future__ import annotations

import base64
import os
import struct
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokharness.unicode.properties import members
from tokharness_tokenizers.reference.aligned import Aligned
from tokharness_tokenizers.reference.normalizers import precompiled
from tokharness_tokenizers.reference.normalizers.charsmap import Charsmap, LongestRules
from tokharness_tokenizers.reference.normalizers.forms import TOKENIZERS_0_23
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled, long_clusters
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.model_file import parse

REAL = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
FILES = (
    "sentencepiece/botchan_en_bpe_1000.model",
    "sentencepiece/kyoto_ja_unigram_8000.model",
    "gguf/ggml-vocab-nomic-bert-moe.gguf",
)
# Planes 0 and 1, and the tags and variation selectors. (The others were compared once.)
STARTS = (*range(0, 0x20000, 0x800), 0xE0000)


needs_files = pytest.mark.skipif(
    not REAL.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES is not a folder"
)
needs_library = pytest.mark.needs("tokenizers", "0.23")


def charsmap(rules: dict[str, str]) -> str:
    """Return a charsmap with these rules as base64."""
    return base64.b64encode(charsmap_bytes(rules)).decode()


@cache
def real_charsmap(file: str) -> str:
    data = (REAL / file).read_bytes()
    if file.endswith(".model"):
        return base64.b64encode(parse(data).normalizer.precompiled_charsmap).decode()
    key = b"tokenizer.ggml.precompiled_charsmap"
    start = data.index(key) + len(key) + 8  # an array of bytes
    (size,) = struct.unpack_from("<Q", data, start)
    return base64.b64encode(data[start + 8 : start + 8 + size]).decode()


def library(precompiled_charsmap: str):
    from tokenizers.normalizers import Precompiled as LibraryPrecompiled

    return LibraryPrecompiled(base64.b64decode(precompiled_charsmap)).normalize_str


RULES = {"a": "x", "abc": "y", "e\u0301": "\u00e9", "\ufb01": "fi", "\r": " ", "\u0301": "'"}
SMALL = charsmap(RULES)
LONGEST = LongestRules(Charsmap(charsmap_bytes(RULES)))
JOINING = r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{InCB=Linker}]"
CHARACTERS = st.one_of(
    st.sampled_from("abc\u00a9\u00ace\u0301\u0308\ufb01\r\n\u200d\u0600\u0915\u094d\U00011a3a"),
    st.sampled_from([chr(point) for point in members(JOINING)]),
    st.characters(exclude_categories=("Cs",)),
)
TEXTS = st.text(CHARACTERS, max_size=9)


def test_a_charsmap_has_the_rules_it_was_made_from():
    rules = Charsmap(base64.b64decode(SMALL))
    assert rules.singles == {key: new for key, new in RULES.items() if len(key) == 1}
    assert rules.seconds() == {"b", "\u0301"}
    assert list(rules.matches("-abcd", 1)) == [(1, 2, "x"), (1, 4, "y")]
    assert list(rules.matches("e\u0308")) == []


def with_last_unit(unit: int) -> bytes:
    data = bytearray(charsmap_bytes({"a": "x"}))
    place = int.from_bytes(data[:4], "little")
    data[place : place + 4] = struct.pack("<I", unit)
    return bytes(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        # Units that no text reaches: a node out of the trie, and no such replacement.
        with_last_unit(0x1FFFFF << 10),
        with_last_unit(1 << 31 | 100),
        b"\x03\0\0\0\0\0\0",
        b"\x08\0\0\0\0\0\0\0",
        b"\0\0\0\0abc",
        # A node below "a", whose value would be outside of the trie.
        struct.pack("<101I", 400, *[0] * 97, 0x1FFFFF << 10 | 1 << 8 | 97, 0, 0),
    ],
)
def test_what_is_no_charsmap_is_an_error(data):
    with pytest.raises(ValueError, match="charsmap"):
        Charsmap(data)


@pytest.mark.parametrize(
    ("text", "tokenizers_text", "sentencepiece_text"),
    [
        ("abc", "xbc", "y"),  # three clusters
        ("e\u0301", "\u00e9", "\u00e9"),
        ("e\u0301\u0308", "\u00e9", "\u00e9\u0308"),
        ("e\u0301\u0308\u0308", "e'\u0308\u0308", "\u00e9\u0308\u0308"),  # seven bytes
        ("\ufb01\u0308", "fi", "fi\u0308"),
        ("a\u0301\u0301", "x", "x''"),
        ("a\u0301\u0301\u0301", "x'''", "x'''"),
        ("\r\n", " ", " \n"),
        ("\n\r", "\n ", "\n "),
    ],
)
def test_tokenizers_looks_at_clusters_and_sentencepiece_at_the_longest_rule(
    text, tokenizers_text, sentencepiece_text
):
    assert Precompiled(SMALL).normalize(text) == tokenizers_text
    assert LONGEST.normalize(text) == sentencepiece_text


@pytest.mark.parametrize("normalizer", [Precompiled(SMALL), LONGEST], ids=["hf", "spm"])
@given(text=TEXTS)
def test_the_aligned_text_is_the_normalized_one(normalizer, text):
    new = normalizer.apply(Aligned.of(text))
    assert new.text == normalizer.normalize(text)
    assert len(new.spans) == len(new.text)
    assert all(0 <= start < end <= len(text) for start, end in new.spans)


def test_a_replacement_has_the_span_of_its_cluster():
    new = Precompiled(SMALL).apply(Aligned.of("ba\u0301\u0301b"))
    assert new == Aligned("bxb", ((0, 1), (1, 4), (4, 5)))


def test_a_linker_joins_consonants_only():
    assert list(long_clusters("\u0915\u094d\u0915", None)) == [(0, 3)]
    assert list(long_clusters("a\u094d\u0915", None)) == [(0, 2)]
    assert list(long_clusters("\u0915\u0903\u094d\u0915", None)) == [(0, 3)]


def test_clusters_are_those_of_the_version():
    assert list(long_clusters("a\u0b53", None)) == [(0, 2)]
    assert list(long_clusters("a\u0b53", "17.0")) == []
    assert list(long_clusters("\U00011a3aa", "17.0")) == []
    assert list(long_clusters("\U00011a3aa", "16.0")) == [(0, 2)]


@given(text=TEXTS)
def test_clusters_found_around_joining_characters_are_those_of_the_whole_text(text):
    spans = (match.span() for match in precompiled._CLUSTER.finditer(text))
    assert list(long_clusters(text, None)) == [(a, b) for a, b in spans if b - a > 1]


@given(text=TEXTS)
def test_a_text_with_a_short_cluster_is_known_to_have_one(text):
    if any(len(text[start:end].encode()) < 6 for start, end in long_clusters(text, None)):
        assert precompiled.may_have_short_clusters(text)


@cache
def _pair(file):
    real = real_charsmap(file)
    return library(real), Precompiled(real, TOKENIZERS_0_23.clusters)


@pytest.mark.slow
@needs_files
@needs_library
@pytest.mark.parametrize("file", FILES)
@settings(max_examples=300)
@given(text=TEXTS)
def test_a_real_charsmap_does_what_it_does_in_the_library(file, text):
    of_library, own = _pair(file)
    assert own.normalize(text) == of_library(text)


@pytest.mark.slow
@needs_files
@needs_library
@pytest.mark.parametrize("form", ["{}|", "e{}|", "{}\u0301|"])
def test_a_real_charsmap_changes_each_character_as_in_the_library(form):
    of_library, own = _pair(FILES[0])
    for start in STARTS:
        if not 0xD800 <= start < 0xE000:
            text = "".join(form.format(chr(point)) for point in range(start, start + 0x800))
            assert own.normalize(text) == of_library(text)


@needs_library
@settings(max_examples=60)
@given(
    rules=st.dictionaries(
        st.text(CHARACTERS.filter(lambda char: char != "\0"), min_size=1, max_size=2),
        st.text("xy\u00e9", max_size=2),
        min_size=1,
        max_size=6,
    ),
    text=TEXTS,
)
def test_other_charsmaps_do_what_they_do_in_the_library(rules, text):
    small = charsmap(rules)
    own = Precompiled(small, TOKENIZERS_0_23.clusters)
    text += "".join(rules)
    assert own.normalize(text) == library(small)(text)


@needs_files
def test_a_real_charsmap_maps_characters():
    own = Precompiled(real_charsmap(FILES[0]))
    assert own.normalize("") == ""
    assert own.normalize("plain text") == "plain text"
    assert own.normalize("\uff21\u3000") == "A "
