"""Tokenizers with planted faults over tiktoken's engine, loaded as ``python:FILE:FACTORY``.

The vocabulary is the embedded one.
"""

import functools
import itertools

import tiktoken

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine


class Wrapper:
    """A tokenizer with ``encode`` and ``decode`` only."""

    def __init__(self, encode=None):
        engine = tiktoken_engine.load("embedded")
        self.encode = encode or engine.encode_ordinary
        self.decode = engine.decode


def preprocess(change):
    """Encode ``change(text)`` instead of the text."""
    plain = Wrapper()
    return Wrapper(lambda text: plain.encode(change(text)))


def change_pattern(old, new):
    """Split by a pattern in which ``old`` became ``new``."""
    reference = reference_target.load("embedded")
    assert old in reference.pattern
    encoding = tiktoken.Encoding(
        "faulty",
        pat_str=reference.pattern.replace(old, new),
        mergeable_ranks=dict(reference.ranks),
        special_tokens=dict(reference.special_tokens),
    )
    return Wrapper(encoding.encode_ordinary)


def without_zero_width_space(text):
    return text.replace("\u200b", "")


FOURS = ("{1,3}", "{1,4}")


plain = Wrapper


def drops_zero_width_space():
    return preprocess(without_zero_width_space)


def composes_to_nfc():
    return preprocess(functools.partial(normalize, "NFC"))


def numbers_in_fours():
    return change_pattern(*FOURS)


def case_sensitive_contractions():
    return change_pattern("(?i:'(?:[stmd]|re|ve|ll))", "(?:'(?:[stmd]|re|ve|ll))")


def special_id_from_plain_text():
    return Wrapper(tiktoken_engine.load("embedded").encode_special)


def refuses_special_text():
    return Wrapper(tiktoken_engine.load("embedded").encode)


def raises_on_uffff():
    def raise_or_return(text):
        if "\uffff" in text:
            raise IndexError(f"no entry for {text!r}")
        return text

    return preprocess(raise_or_return)


def drops_and_fours():
    faulty = change_pattern(*FOURS)
    return Wrapper(lambda text: faulty.encode(without_zero_width_space(text)))


def nfc_and_raises():
    return preprocess(lambda text: normalize("NFC", raises_on_null(text)))


def raises_on_null(text):
    if "\0" in text:
        raise ValueError("embedded null character")
    return text


def special_and_case_sensitive():
    """Two kinds of faults that no text shares."""
    reference = reference_target.load("embedded")
    faulty = case_sensitive_contractions()
    special = tiktoken_engine.load("embedded").encode_special
    return Wrapper(
        lambda text: (
            special if any(t in text for t in reference.special_tokens) else faulty.encode
        )(text)
    )


def longest_match():
    """Take the longest token at each position of a pre-token, instead of merging by rank."""
    reference = reference_target.load("embedded")

    @functools.cache
    def ids_of(piece):
        ids, at = [], 0
        while at < len(piece):
            size = next(
                n for n in range(len(piece) - at, 0, -1) if piece[at : at + n] in reference.ranks
            )
            ids.append(reference.ranks[piece[at : at + size]])
            at += size
        return ids

    return Wrapper(
        lambda text: [
            number for piece in reference.pretokens(text) for number in ids_of(piece.encode())
        ]
    )


def two_ids_swapped():
    """Swap the ids of two letters: another vocabulary of the same size."""
    reference = reference_target.load("embedded")
    q, z = (reference.ranks[letter] for letter in (b"q", b"z"))
    swap = {q: z, z: q}
    inner = Wrapper()
    wrapper = Wrapper(lambda text: [swap.get(i, i) for i in inner.encode(text)])
    wrapper.decode = lambda ids: inner.decode([swap.get(i, i) for i in ids])
    wrapper.decode_single_token_bytes = lambda i: reference.decode_single_token_bytes(
        swap.get(i, i)
    )
    return wrapper


def forgets_every_seventh():
    """Return the ids of the bytes, unmerged, at every seventh call."""
    reference = reference_target.load("embedded")
    inner = Wrapper()
    calls = itertools.count(1)

    def encode(text):
        if next(calls) % 7:
            return inner.encode(text)
        return [
            reference.ranks[bytes([byte])] for byte in reference.decode_bytes(inner.encode(text))
        ]

    return Wrapper(encode)


def decodes_null_as_space():
    wrapper = Wrapper()
    decode = wrapper.decode
    wrapper.decode = lambda ids: decode(ids).replace("\0", " ")
    return wrapper


def declares_nfc():
    wrapper = composes_to_nfc()
    wrapper.normalizer = "NFC"
    return wrapper


def prints():
    wrapper = Wrapper()
    encode = wrapper.encode

    def print_and_encode(text):
        print("a target that prints")
        return encode(text)

    wrapper.encode = print_and_encode
    return wrapper


def interrupted():
    def encode(text):
        raise KeyboardInterrupt

    return Wrapper(encode)


def strips_in_batches():
    wrapper = Wrapper()
    wrapper.encode_batch = lambda texts: [
        wrapper.encode(text if len(texts) == 1 else text.strip()) for text in texts
    ]
    return wrapper
