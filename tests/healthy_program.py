"""A healthy tokenizer as a program that serves every operation of the ``command:`` protocol.

``python healthy_program.py NAME [FORM]``: NAME is a vocabulary of tiktoken's cache, ``embedded``,
or ``reference`` for our own implementation of the embedded one; FORM is a normal form, which it
applies and declares. It shares no code with the protocol of tokharness.
"""

import codecs
import json
import re
import sys

import tiktoken
from unicodedata2 import combining, normalize

from tokharness_tokenizers.adapters import reference_target, tiktoken_engine


class OfTiktoken:
    def __init__(self, name):
        if name == "embedded":
            self.encoding = tiktoken_engine.load(name).encode_ordinary.__self__
        else:
            self.encoding = tiktoken.get_encoding(name)
        self.special_tokens = {
            token: self.encoding.encode_single_token(token)
            for token in self.encoding.special_tokens_set
        }
        self.n_vocab = self.encoding.n_vocab

    def encode(self, text):
        return self.encoding.encode(text)

    def encode_ordinary(self, text):
        return self.encoding.encode_ordinary(text)

    def encode_bytes(self, data):
        return self.encoding._encode_bytes(data)

    def decode_bytes(self, ids):
        return self.encoding.decode_bytes(ids)

    def token_bytes(self, number):
        return self.encoding.decode_single_token_bytes(number)


class OfReference:
    def __init__(self):
        self.tokenizer = reference_target.load("embedded")
        self.special_tokens = dict(self.tokenizer.special_tokens)
        self.n_vocab = self.tokenizer.n_vocab

    def encode(self, text):
        return self.tokenizer.encode_ordinary(text)

    encode_ordinary = encode

    def encode_bytes(self, data):
        return self.tokenizer.encode_bytes(data)

    def decode_bytes(self, ids):
        return self.tokenizer.decode_bytes(ids)

    def token_bytes(self, number):
        return self.tokenizer.decode_single_token_bytes(number)


class Operations:
    """The operations, each on one item, over a tokenizer and a normal form."""

    def __init__(self, tokenizer, form):
        self.tokenizer, self.form = tokenizer, form

    def normalize(self, text):
        return normalize(self.form, text) if self.form else text

    def encode(self, text):
        return self.tokenizer.encode(self.normalize(text))

    def encode_ordinary(self, text):
        return self.tokenizer.encode_ordinary(self.normalize(text))

    encode_batch = encode_ordinary

    def encode_special(self, text):
        """Find special tokens before the text around them is normalized."""
        special = self.tokenizer.special_tokens
        parts = re.split("(" + "|".join(map(re.escape, special)) + ")", text)
        rows = [[special[p]] if p in special else self.encode_ordinary(p) for p in parts]
        return [number for row in rows for number in row]

    def encode_bytes(self, data):
        data = bytes.fromhex(data)
        try:
            return self.encode_ordinary(data.decode())
        except UnicodeDecodeError:
            return self.tokenizer.encode_bytes(data)

    def count(self, text):
        return len(self.encode_ordinary(text))

    def decode(self, ids):
        return self.tokenizer.decode_bytes(ids).decode("utf-8", "replace")

    decode_batch = decode

    def decode_bytes(self, ids):
        return self.tokenizer.decode_bytes(ids).hex()

    def token_bytes(self, number):
        return self.tokenizer.token_bytes(number).hex()

    def decode_stream(self, ids):
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        parts = [decoder.decode(self.tokenizer.token_bytes(number)) for number in ids]
        return [*parts, decoder.decode(b"", final=True)]

    def encode_with_offsets(self, text):
        """Give each token the parts of the text that have a byte in it."""
        units = text.encode("utf-16-le", "surrogatepass")
        starts, ends, normalized, at = [], [], "", 0
        for part in self.parts(units.decode("utf-16-le", "replace")):
            new = self.normalize(part)
            # What does not change has a place for each character.
            for piece in part if new == part else [new]:
                size = len(piece.encode())
                end = at + (1 if new == part else len(part))
                starts += [at] * size
                ends += [end] * size
                at = end
            normalized += new
        ids, spans, at = self.tokenizer.encode_ordinary(normalized), [], 0
        for number in ids:
            end = at + len(self.tokenizer.token_bytes(number))
            spans.append((starts[at], ends[end - 1]))
            at = end
        return [ids, spans]

    def parts(self, text):
        """Cut a text where its normal form is that of the parts, joined."""
        parts = []
        for character in text:
            joined = parts and self.form and parts[-1] + character
            if joined and (
                combining(normalize("NFD", character)[0])
                or self.normalize(joined) != self.normalize(parts[-1]) + self.normalize(character)
            ):
                parts[-1] = joined
            else:
                parts.append(character)
        return parts


OPERATIONS = (
    *("encode", "decode", "encode_ordinary", "encode_special", "encode_batch", "encode_bytes"),
    *("count", "decode_batch", "decode_bytes", "token_bytes", "decode_stream", "normalize"),
    "encode_with_offsets",
)


def result(function, item):
    try:
        return function(item)
    except Exception as error:
        return {"error": str(error), "type": type(error).__name__}


def main():
    name, *form = sys.argv[1:]
    tokenizer = OfReference() if name == "reference" else OfTiktoken(name)
    operations = Operations(tokenizer, *(form or [None]))
    info = {
        "name": name,
        "n_vocab": tokenizer.n_vocab,
        "special_tokens": tokenizer.special_tokens,
        "normalizer": operations.form,
        "ops": OPERATIONS,
    }
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        if op == "info":
            response = info
        else:
            (items,) = request.values()
            function = getattr(operations, op)
            response = {"results": [result(function, item) for item in items]}
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main()
