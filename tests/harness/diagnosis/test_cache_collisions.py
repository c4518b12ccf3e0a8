"""TOK109: caches that confuse texts."""

import functools
import zlib

import pytest

from tokharness.unicode.normalization import normalize

CODE = "TOK109"
TEXTS = ("a", "b", "word", "word", "Word", "\u4e2d", "a\ud800b", "")


@pytest.fixture(autouse=True)
def short_thread_test(monkeypatch):
    """Shorten the test of threads, which uses all of its time on a healthy target."""
    monkeypatch.setattr("tokharness.checks.not_deterministic.threads.SECONDS", 0.15)


def with_cache(encode, key):
    """Cache the ids of each text under a key."""
    cache = {}

    def lookup(text):
        return list(cache.setdefault(key(text), encode(text)))

    return lookup


def causes(findings):
    return [str(finding.cause) for finding in findings]


def test_a_cache_with_the_right_key_is_not_reported(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = with_cache(tokenizer.encode, str)
    assert check_texts(CODE, tokenizer, TEXTS) == []


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
def test_a_normalizer_is_not_a_cache(check_texts, byte_tokenizer, change, declared):
    tokenizer = byte_tokenizer(change, normalizer=declared, normalize=change)
    assert check_texts(CODE, tokenizer, TEXTS) == []


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
    tokenizer = byte_tokenizer()
    tokenizer.encode = with_cache(tokenizer.encode, key)
    assert causes(check_texts(CODE, tokenizer)) == [f"state: a cache that confuses texts {by}"]


def test_a_cache_that_is_full_of_other_texts_is_reported_too(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = with_cache(
        tokenizer.encode, lambda text: zlib.crc32(text.encode("utf-8", "replace")) % 50
    )
    for number in range(1000):
        tokenizer.encode(f"TEXT {number}")
    assert causes(check_texts(CODE, tokenizer)) == [
        "state: a cache that confuses texts that have nothing in common"
    ]


def only_a_and_b(unknown):
    return lambda text: "".join(c if c in "ab" else unknown for c in text)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "[UNK]",
        lambda t: "".join("#" for _ in t[::3]),
        only_a_and_b("#"),
        only_a_and_b("unk"),
        only_a_and_b("a"),
        only_a_and_b(""),
    ],
)
def test_an_unknown_token_is_not_a_cache(check_texts, byte_tokenizer, change):
    assert check_texts(CODE, byte_tokenizer(change), TEXTS) == []


def test_a_key_with_several_faults_is_one_bug(check_texts, byte_tokenizer):
    tokenizer = byte_tokenizer()
    tokenizer.encode = with_cache(tokenizer.encode, lambda text: normalize("NFC", text).lower())
    assert causes(check_texts(CODE, tokenizer)) == [
        "state: a cache that confuses texts equal but for case or equal after NFC"
    ]
