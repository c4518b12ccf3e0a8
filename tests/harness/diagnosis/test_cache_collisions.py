"""TOK109, TOK101, TOK201: caches that confuse texts."""

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


TWINS = ("a", "A", "word", "Word", "the word", "The Word", "b", "W", "w")


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
@pytest.mark.parametrize(
    ("key", "by", "text"),
    [(str.lower, "equal but for case", "A"), (len, "of the same length", "0")],
)
def test_texts_with_the_ids_of_an_earlier_text_have_the_cause_of_the_cache(
    check_texts, byte_tokenizer, code, key, by, text
):
    tokenizer = byte_tokenizer()
    tokenizer.encode = with_cache(tokenizer.encode, key)
    (bug,) = check_texts(code, tokenizer, TWINS, reference=byte_tokenizer()).bugs
    assert str(bug.cause) == f"state: a cache that confuses texts {by}"
    assert (bug.text, bug.evidence["encoded before"]) == (text, "a")
    assert not bug.cause.weak


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
@pytest.mark.parametrize("change", [str.lower, str.upper, str.swapcase, lambda t: t[::-1]])
def test_a_change_of_text_is_not_a_cache(check_texts, byte_tokenizer, code, change):
    found = check_texts(code, byte_tokenizer(change), TWINS, reference=byte_tokenizer())
    assert found.bugs
    assert not any("cache" in str(bug.cause) for bug in found.bugs)


@pytest.mark.parametrize("code", ["TOK101", "TOK201"])
def test_a_right_cache_of_a_lowercasing_target_is_not_the_cause(check_texts, byte_tokenizer, code):
    tokenizer = byte_tokenizer(str.lower)
    tokenizer.encode = with_cache(tokenizer.encode, str)
    (bug,) = check_texts(code, tokenizer, TWINS, reference=byte_tokenizer()).bugs
    assert bug.cause.kind == "normalizer"
