"""Every optional method gives the same result in a separate process."""

import pytest

from tokharness.model import target_of
from tokharness.targets.loading import guarded_target
from tokharness_tokenizers.adapters import tiktoken_engine

TEXT = "don\u2019t \U0001f600 12345"
ARGUMENTS = {
    "encode_ordinary": (TEXT,),
    "encode_special": (TEXT + "<|endoftext|>",),
    "encode_with_offsets": (TEXT,),
    "encode_batch": ([TEXT, "", "a"],),
    "decode_batch": ([[300, 400], [], [0]],),
    "decode_bytes": ([300, 400],),
    "decode_single_token_bytes": (300,),
    "encode_variants": ([TEXT, "a\ud800"],),
    "decode_variants": ([[300, 400], [0], [1 << 30]],),
}


@pytest.fixture(scope="module")
def served():
    target = guarded_target("tiktoken:embedded")
    yield target
    target.close()


@pytest.fixture(scope="module")
def direct():
    return target_of("tiktoken:embedded", tiktoken_engine.load("embedded"))


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_method_gives_the_same_when_served(served, direct, name):
    assert served.can(name)
    actual, expected = (target.call(name, *ARGUMENTS[name]) for target in (served, direct))
    assert actual == expected


@pytest.fixture
def numbered(tmp_path):
    path = tmp_path / "numbered.py"
    path.write_text(
        "class T:\n"
        "    algorithm, unknown_id, n_vocab = 'word level', 3, 9\n"
        "    def encode(self, text): return [3]\n"
        "    def decode(self, ids): return ''\n"
        "    def decode_single_token_bytes(self, number): return 'text'\n"
    )
    target = guarded_target(f"python:{path}:T")
    yield target
    target.close()


def test_token_bytes_of_another_type_are_an_exception_of_the_target(numbered):
    results = numbered.call_each("decode_single_token_bytes", [3, 4])
    assert [str(result.error) for result in results] == ["not bytes: str"] * 2


def test_the_algorithm_and_the_unknown_token_are_served(numbered):
    assert (numbered.algorithm, numbered.unknown_id) == ("word level", 3)


def test_the_arguments_of_a_served_target_are_those_of_no_program(tmp_path):
    path = tmp_path / "suspicious.py"
    path.write_text(
        "import sys\n"
        "class T:\n"
        "    n_vocab = 256\n"
        "    def encode(self, text): return list(' '.join(sys.argv + sys.orig_argv[1:]).encode())\n"
        "    def decode(self, ids): return bytes(ids).decode()\n"
    )
    target = guarded_target(f"python:{path}:T")
    assert target.encode("a") == []
    target.close()


class Complete:
    """A tokenizer of bytes with the methods that tiktoken does not have."""

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

    def decode_stream_calls(self, rows):
        yield from ("".join(map(chr, ids)) for ids in rows[1:])


@pytest.mark.slow(every=3)
@pytest.mark.parametrize(
    ("name", "argument", "expected"),
    [
        ("count", "ab", 2),
        ("encode_bytes", b"\xff\x00", [255, 0]),
        ("decode_stream", [97, 98], ["a", "b"]),
        ("decode_stream_calls", [[97], [98, 99], [100]], ["bc", "d"]),
    ],
)
def test_methods_that_tiktoken_does_not_have_are_served(name, argument, expected):
    target = guarded_target(f"python:{__file__}:Complete")
    try:
        assert target.call(name, argument) == expected
    finally:
        target.close()
