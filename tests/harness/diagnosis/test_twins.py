"""TOK110: texts that a careless key takes for equal."""

from typing import ClassVar

import pytest

from tokharness.checks.entry_points_disagree.variants import twin_failures
from tokharness.model import target_of
from tokharness.targets.subject import Subject
from tokharness.unicode.normalization import normalize

KEYS = {
    "equal but for case": str.lower,
    "equal after NFC": lambda text: normalize("NFC", text),
    "equal but for a space at the end": str.rstrip,
    "equal but for U+200B": lambda text: text.replace("\u200b", ""),
    "equal but for U+200D": lambda text: text.replace("\u200d", ""),
}


class Bytes:
    """Has every entry point that takes a text, and gives bytes."""

    n_vocab = 256

    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    encode_ordinary = encode_special = encode

    def encode_bytes(self, data):
        return list(data)

    def encode_batch(self, texts):
        return [list(text.encode()) for text in texts]

    def encode_with_offsets(self, text):
        return list(text.encode()), []

    def count(self, text):
        return len(text.encode())

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


def failures(tokenizer, reported=()):
    return list(twin_failures(reported, Subject(target_of("target", tokenizer))))


def cached(method, key):
    class Cached(Bytes):
        cache: ClassVar = {}

    def call(self, text):
        name = key(text.decode() if isinstance(text, bytes) else text)
        return self.cache.setdefault(name, getattr(Bytes, method)(self, text))

    setattr(Cached, method, call)
    return Cached()


def test_a_target_without_a_cache_is_not_reported():
    assert failures(Bytes()) == []


CACHES = [
    (method, relation)
    for method in ("encode", "encode_special", "encode_bytes", "encode_with_offsets", "count")
    for relation in KEYS
    if (method, relation) != ("count", "equal but for case")  # of which both have as many bytes
]


@pytest.mark.parametrize(("method", "relation"), CACHES)
def test_a_cache_of_any_entry_point_is_found(method, relation):
    (failure,) = failures(cached(method, KEYS[relation]))
    assert str(failure.cause) == f"entry points: {method}"
    assert relation.removesuffix(" at the end") in failure.cause.message


@pytest.mark.parametrize("relation", KEYS)
def test_a_batch_that_encodes_twins_once_is_found(relation):
    class Deduplicating(Bytes):
        def encode_batch(self, texts):
            first = {}
            return [self.encode(first.setdefault(KEYS[relation](t), t)) for t in texts]

    (failure,) = failures(Deduplicating())
    assert str(failure.cause) == "entry points: encode_batch"
    assert failure.cause.message == f"encode_batch confuses two texts {relation}, in one batch"


def test_an_entry_point_that_was_reported_is_left_out():
    tokenizer = cached("count", str.rstrip)
    (failure,) = failures(tokenizer)
    assert failures(tokenizer, [failure.cause]) == []


def test_a_target_that_lowercases_has_no_twins_that_differ_in_case():
    class Lowercasing(Bytes):
        def encode(self, text):
            return list(text.lower().encode())

        encode_ordinary = encode_special = encode

        def encode_bytes(self, data):
            return self.encode(data.decode())

        def encode_batch(self, texts):
            return list(map(self.encode, texts))

        def encode_with_offsets(self, text):
            return self.encode(text), []

        def count(self, text):
            return len(self.encode(text))

    assert failures(Lowercasing()) == []
