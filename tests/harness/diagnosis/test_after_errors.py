"""TOK109 and TOK112: what an exception leaves behind."""

from functools import partial

import pytest

from tokharness.diagnosis.probes.after_errors import (
    after_error_failures,
    raising_calls_of_ids,
    raising_calls_of_text,
)
from tokharness.model import target_of
from tokharness.targets.subject import Subject


class Strict:
    """Refuses lone surrogates and unknown ids, and has every entry point."""

    n_vocab = 256

    def encode(self, text):
        return list(text.encode())

    encode_ordinary = encode_special = encode

    def encode_bytes(self, data):
        return list(data.decode().encode())

    def encode_batch(self, texts):
        return [Strict.encode(self, text) for text in texts]

    def encode_with_offsets(self, text):
        return Strict.encode(self, text), []

    def count(self, text):
        return len(text.encode())

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")

    def decode_bytes(self, ids):
        return bytes(ids)

    def decode_stream(self, ids):
        return [Strict.decode(self, ids)]


ENTRY_POINTS = [name for name in vars(Strict) if name.startswith(("encode", "decode", "count"))]
RAISING = ENTRY_POINTS  # with a lone surrogate, invalid UTF-8 or an id past the end


def causes(tokenizer):
    subject = Subject(target_of("target", tokenizer))
    calls = [*raising_calls_of_text(subject), *raising_calls_of_ids([256, -1], subject)]
    failures = after_error_failures(calls, subject)
    return [(str(failure.cause), failure.cause.message) for failure in failures]


def breaking(raising, broken):
    """Return a tokenizer of which ``broken`` raises after ``raising`` has raised."""
    tokenizer, locked = Strict(), []

    def call(name, argument):
        if locked and name == broken:
            raise RuntimeError("locked")
        try:
            return getattr(Strict, name)(tokenizer, argument)
        except ValueError:
            locked.extend([True] * (name == raising))
            raise

    for name in ENTRY_POINTS:
        setattr(tokenizer, name, partial(call, name))
    return tokenizer


def test_a_target_that_an_exception_leaves_as_it_was_is_not_reported():
    assert causes(Strict()) == []


@pytest.mark.parametrize("broken", ENTRY_POINTS)
@pytest.mark.parametrize("raising", ["decode", "encode_batch"])
def test_what_it_changes_may_be_any_entry_point(raising, broken):
    ((cause, message),) = causes(breaking(raising, broken))
    assert cause == f"state: an exception of {raising}"
    assert message.startswith(f"after {raising} has raised ")
    assert message.endswith(f"{broken} raises RuntimeError")


@pytest.mark.parametrize("raising", RAISING)
def test_the_exception_may_be_of_any_entry_point_that_raises(raising):
    ((cause, _),) = causes(breaking(raising, raising))
    assert cause == f"state: an exception of {raising}"


def test_a_target_that_is_not_deterministic_is_left_to_others():
    calls = iter(range(10**6))

    class Random(Strict):
        def encode(self, text):
            return [*super().encode(text), next(calls) % 256]

        encode_ordinary = encode

    assert causes(Random()) == []
