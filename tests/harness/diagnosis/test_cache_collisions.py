"""TOK109: caches that confuse texts."""

import functools
import zlib

import pytest

from tokharness.unicode.normalization import normalize

CODE = "TOK109"
TEXTS = ("a", "b", "word", "word", "Word", "\u4e2d", "a\ud800b", "")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Healthy targets take all the time there is for threads."""
    monkeypatch.setattr("tokharness.diagnosis.probes.threads.SECONDS", 0.15)


def cached(encode, key):
    """Keep the ids of each text under a key."""
    known = {}

    def lookup(text):
        return list(known.setdefault(key(text), encode(text)))

    return lookup


def causes(found):
    return [str(one.cause) for one in found]


def test_a_cache_with_the_right_key_is_not_accused(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, str)
    assert check_texts(CODE, one, TEXTS) == []


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.strip,
        functools.partial(normalize, "NFC"),
        functools.partial(normalize, "NFKC"),
        lambda text: text[:16],
        lambda _: "",
        lambda text: "".join(sorted(text)),
    ],
)
@pytest.mark.parametrize("declared", [None, "some"])
def test_a_change_of_the_text_is_no_cache(check_texts, byte_tokenizer, change, declared):
    one = byte_tokenizer(change, normalizer=declared, normalize=change)
    assert check_texts(CODE, one, TEXTS) == []


@pytest.mark.parametrize(
    ("key", "by"),
    [
        (len, "of the same length"),
        (str.lower, "equal but for case"),
        (str.rstrip, "equal but for a space at the end"),
        (str.lstrip, "equal but for a space at the start"),
        (lambda t: t[:4], "with the same first 4 characters"),
        (lambda t: t[:16], "with the same first 16 characters"),
        (lambda t: t[:100], "with the same first 128 characters"),
        (lambda t: (t[:16], len(t)), "with the same first 16 characters"),
        (lambda t: t[-8:], "with the same last characters"),
        (lambda t: (t[:16], t[-16:]), "with the same beginning, end and length"),
        (lambda t: "".join(sorted(t)), "equal but for the order of letters"),
        (lambda t: t.replace("\u200b", ""), "equal but for U+200B"),
        (lambda t: t.partition("\0")[0], "equal but for what follows U+0000"),
        (lambda t: t.replace("\r\n", "\n"), "equal but for the kind of line end"),
        (functools.partial(normalize, "NFC"), "equal after NFC"),
        (lambda t: zlib.crc32(t.encode("utf-8", "replace")) % 4096, "that have nothing in common"),
    ],
)
def test_a_cache_that_confuses_texts_is_one_bug(check_texts, byte_tokenizer, key, by):
    one = byte_tokenizer()
    one.encode = cached(one.encode, key)
    assert causes(check_texts(CODE, one)) == [f"state: a cache that confuses texts {by}"]


def test_a_cache_that_is_full_of_other_texts_is_told_too(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, lambda text: zlib.crc32(text.encode("utf-8", "replace")) % 50)
    for number in range(1000):
        one.encode(f"TEXT {number}")
    assert causes(check_texts(CODE, one)) == [
        "state: a cache that confuses texts that have nothing in common"
    ]


@pytest.mark.parametrize("change", [lambda _: "[UNK]", lambda t: "".join("#" for _ in t[::3])])
def test_what_is_unknown_is_no_cache(check_texts, byte_tokenizer, change):
    assert check_texts(CODE, byte_tokenizer(change), TEXTS) == []


def test_a_key_that_forgets_several_things_is_one_bug(check_texts, byte_tokenizer):
    one = byte_tokenizer()
    one.encode = cached(one.encode, lambda text: normalize("NFC", text).lower())
    assert causes(check_texts(CODE, one)) == [
        "state: a cache that confuses texts equal but for case or equal after NFC"
    ]
