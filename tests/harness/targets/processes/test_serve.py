"""Every optional method gives in a process of its own what it gives in ours."""

import pytest

from tokharness.model import target_of
from tokharness.targets.loading import guarded_target
from tokharness_tokenizers.adapters import tiktoken_engine

TEXT = "don\u2019t \U0001f600 12345"
NAMES = {
    "encode_ordinary": (TEXT,),
    "encode_special": (TEXT + "<|endoftext|>",),
    "encode_with_offsets": (TEXT,),
    "encode_batch": ([TEXT, "", "a"],),
    "decode_bytes": ([300, 400],),
    "decode_single_token_bytes": (300,),
}


@pytest.fixture(scope="module")
def served():
    target = guarded_target("tiktoken:embedded")
    yield target
    target.close()


@pytest.fixture(scope="module")
def direct():
    return target_of("tiktoken:embedded", tiktoken_engine.load("embedded"))


@pytest.mark.parametrize("name", NAMES)
def test_a_method_of_a_served_target_gives_what_it_gives(served, direct, name):
    assert served.can(name)
    given, wanted = (getattr(one.tokenizer, name)(*NAMES[name]) for one in (served, direct))
    assert given == wanted


class Whole:
    """A tokenizer of bytes with what tiktoken lacks."""

    def encode(self, text):
        return list(text.encode())

    def decode(self, ids):
        return bytes(ids)

    def count(self, text):
        return len(text.encode())

    def encode_bytes(self, data):
        return list(data)

    def decode_stream(self, ids):
        yield from (chr(number) for number in ids)


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("count", "ab", 2),
        ("encode_bytes", b"\xff\x00", [255, 0]),
        ("decode_stream", [97, 98], ["a", "b"]),
    ],
)
def test_what_tiktoken_lacks_goes_over_the_wire_too(name, given, wanted):
    target = guarded_target(f"python:{__file__}:Whole")
    try:
        assert getattr(target.tokenizer, name)(given) == wanted
    finally:
        target.close()
