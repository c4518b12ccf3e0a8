"""Tokenizers with planted faults over tiktoken's engine, loaded as ``python:FILE:FACTORY``.

The vocabulary is the embedded one, or the one that FAULTY_VOCABULARY names.
"""

import functools
import itertools
import os

import tiktoken

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.adapters import reference_target, tiktoken_engine


def vocabulary():
    return os.environ.get("FAULTY_VOCABULARY", "embedded")


class Wrapper:
    """The least there is: encode and decode."""

    def __init__(self, encode=None):
        engine = tiktoken_engine.load(vocabulary())
        self.encode = encode or engine.encode_ordinary
        self.decode = engine.decode


def changing(change):
    """Encode another text than the one that was given."""
    plain = Wrapper()
    return Wrapper(lambda text: plain.encode(change(text)))


def splitting(old, new):
    """Split with another pattern."""
    known = reference_target.load(vocabulary())
    assert old in known.pattern
    encoding = tiktoken.Encoding(
        "faulty",
        pat_str=known.pattern.replace(old, new),
        mergeable_ranks=dict(known.ranks),
        special_tokens=dict(known.special_tokens),
    )
    return Wrapper(encoding.encode_ordinary)


def without_zero_width_space(text):
    return text.replace("\u200b", "")


FOURS = ("{1,3}", "{1,4}")


plain = Wrapper


def drops_zero_width_space():
    return changing(without_zero_width_space)


def composes_to_nfc():
    return changing(functools.partial(normalize, "NFC"))


def numbers_in_fours():
    return splitting(*FOURS)


def case_sensitive_contractions():
    return splitting("(?i:'(?:[stmd]|re|ve|ll))", "(?:'(?:[stmd]|re|ve|ll))")


def special_id_from_plain_text():
    return Wrapper(tiktoken_engine.load(vocabulary()).encode_special)


def refuses_special_text():
    return Wrapper(tiktoken_engine.load(vocabulary()).encode)


def raises_on_uffff():
    def checked(text):
        if "\uffff" in text:
            raise IndexError(f"no entry for {text!r}")
        return text

    return changing(checked)


def drops_and_fours():
    faulty = splitting(*FOURS)
    return Wrapper(lambda text: faulty.encode(without_zero_width_space(text)))


def nfc_and_raises():
    return changing(lambda text: normalize("NFC", raises_on_null(text)))


def raises_on_null(text):
    if "\0" in text:
        raise ValueError("embedded null character")
    return text


def special_and_case_sensitive():
    """Faults of two kinds whose texts have nothing in common."""
    known = reference_target.load(vocabulary())
    faulty = case_sensitive_contractions()
    special = tiktoken_engine.load(vocabulary()).encode_special
    return Wrapper(
        lambda text: (special if any(t in text for t in known.special_tokens) else faulty.encode)(
            text
        )
    )


def longest_match():
    """Take the longest token at each place of a pre-token, instead of merging by rank."""
    known = reference_target.load(vocabulary())

    @functools.cache
    def ids_of(piece):
        ids, at = [], 0
        while at < len(piece):
            size = next(
                n for n in range(len(piece) - at, 0, -1) if piece[at : at + n] in known.ranks
            )
            ids.append(known.ranks[piece[at : at + size]])
            at += size
        return ids

    return Wrapper(
        lambda text: [
            number for piece in known.pretokens(text) for number in ids_of(piece.encode())
        ]
    )


def two_ids_swapped():
    """The ids of two letters stand for each other: another vocabulary of the same size."""
    known = reference_target.load(vocabulary())
    one, other = (known.ranks[letter] for letter in (b"q", b"z"))
    swap = {one: other, other: one}
    inner = Wrapper()
    wrapper = Wrapper(lambda text: [swap.get(i, i) for i in inner.encode(text)])
    wrapper.decode = lambda ids: inner.decode([swap.get(i, i) for i in ids])
    wrapper.decode_single_token_bytes = lambda i: known.decode_single_token_bytes(swap.get(i, i))
    return wrapper


def forgets_every_seventh():
    """Every seventh call gives the ids of the bytes, unmerged."""
    known = reference_target.load(vocabulary())
    inner = Wrapper()
    calls = itertools.count(1)

    def encode(text):
        if next(calls) % 7:
            return inner.encode(text)
        return [known.ranks[bytes([byte])] for byte in known.decode_bytes(inner.encode(text))]

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

    def loud(text):
        print("a target that prints")
        return encode(text)

    wrapper.encode = loud
    return wrapper


def interrupted():
    def encode(text):
        raise KeyboardInterrupt

    return Wrapper(encode)


def strips_in_batches():
    one = Wrapper()
    one.encode_batch = lambda texts: [
        one.encode(text if len(texts) == 1 else text.strip()) for text in texts
    ]
    return one
