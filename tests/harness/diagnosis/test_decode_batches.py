"""TOK110: decode_batch gives the texts that decode gives for each sequence alone."""

import codecs

import pytest

CODE = "TOK110"
TEXTS = ("a", "\u4e2d", "", "a b")


@pytest.fixture
def bugs(check_texts, byte_tokenizer):
    """Return the causes for a byte tokenizer; ``decode_batch`` is a function of ``decode``."""

    def causes(decode_batch, n_vocab=256):
        tokenizer = byte_tokenizer(n_vocab=n_vocab)
        tokenizer.decode_batch = decode_batch(tokenizer.decode)
        return [str(finding.cause) for finding in check_texts(CODE, tokenizer, TEXTS).bugs]

    return causes


def each(decode):
    return lambda rows: [decode(ids) for ids in rows]


def changing_its_argument(decode):
    def decode_batch(rows):
        texts = [decode(ids) for ids in rows]
        for ids in rows:
            ids.append(0)
        return texts

    return decode_batch


def with_one_incremental_decoder(_):
    def decode_batch(rows):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return [decoder.decode(bytes(ids)) for ids in rows]

    return decode_batch


def leaking_after_an_exception(decode):
    def decode_batch(rows):
        return [decode([number & 0xFF for number in ids]) for ids in rows]

    return decode_batch


def in_one_text(decode):
    def decode_batch(rows):
        text, texts = decode([i for ids in rows for i in ids]), []
        for ids in rows:
            texts.append(text[: len(ids)])
            text = text[len(ids) :]
        return texts

    return decode_batch


def test_a_healthy_batch_passes(bugs):
    assert bugs(each) == []
    assert bugs(lambda decode: lambda rows: map(decode, rows)) == []
    assert bugs(lambda _: lambda rows: [bytes(ids) for ids in rows]) == []


@pytest.mark.parametrize(
    "decode_batch",
    [
        changing_its_argument,
        with_one_incremental_decoder,
        leaking_after_an_exception,
        in_one_text,
        lambda decode: lambda rows: [decode(ids) for ids in sorted(rows)],
        lambda decode: lambda rows: [decode(ids) for ids in rows[:256]],
        lambda _: lambda _rows: None,
    ],
)
def test_a_batch_that_differs_is_one_bug(bugs, decode_batch):
    assert bugs(decode_batch) == ["entry points: decode_batch"]
