"""Small byte tokenizers whose vocabulary an audit examines.

Each class is a factory of a target.
"""

import os
from typing import ClassVar


class Lossless:
    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(number for number in ids if number < 256).decode("utf-8", "replace")


class ShowsNoVocabulary(Lossless):
    pass


class RaisesForEachToken(Lossless):
    n_vocab = 256

    def decode_single_token_bytes(self, number):
        raise KeyError(number)


class Bytes(Lossless):
    n_vocab = 256

    def decode_single_token_bytes(self, number):
        return bytes([number])


class DecodesToMillions(Lossless):
    """The same text a million times: what the boundary lets through says nothing of a token."""

    n_vocab = 256

    def decode(self, ids):
        return super().decode(ids) * 1_000_000


class WithFurtherTokens(Bytes):
    """Bytes, a hostile token, one that looks like a formula, a hole, and a special token."""

    n_vocab = 260
    special_tokens: ClassVar = {"<|end|>": 259}
    further: ClassVar = {256: "\u202eevil".encode(), 257: b"=1+1"}

    def decode_single_token_bytes(self, number):
        return self.further[number] if number in self.further else bytes([number])


class Texts(Lossless):
    """The tokens of WithFurtherTokens as texts, as SentencePiece writes them."""

    n_vocab = 259
    special_tokens: ClassVar = {"<|end|>": 258}

    def token_text(self, number):
        if number < 256:
            return f"<0x{number:02X}>"
        return {256: "\u202eevil", 257: "\u2581new"}[number]


class EndsItsProcessForOneId(Bytes):
    def decode_single_token_bytes(self, number):
        if number == 77:
            os.abort()
        return bytes([number])
