"""Tokenizers for gates, which differ from each other; loaded as ``python:FILE:FACTORY``."""

import os
import signal

from tokharness.targets.subject import scalar_text


class Plain:
    """UTF-8 bytes as ids."""

    n_vocab = 257
    special_tokens = {"<|end|>": 256}  # noqa: RUF012 - read only

    def encode(self, text):
        return list(scalar_text(text).encode())

    def decode(self, ids):
        return bytes(one for one in ids if one < 256).decode("utf-8", "replace")

    def count(self, text):
        return len(self.encode(text))


class Drops(Plain):
    """Drops zero-width spaces."""

    def encode(self, text):
        return super().encode(text.replace("\u200b", ""))


class DropsMore(Drops):
    """Also replaces zero-width joiners with hyphens."""

    def encode(self, text):
        return super().encode(text.replace("\u200d", "-"))


class Forgets(Plain):
    """Drops one word, which no family has."""

    def encode(self, text):
        return super().encode(text.replace("xyzzy", ""))


class Fewer(Plain):
    """Lacks an entry point."""

    count = None


class Doubles(Plain):
    """Needs twice as many tokens for Burmese."""

    def encode(self, text):
        ids = super().encode(text)
        return ids * 2 if "\u1007" in text else ids


class Interrupted(Plain):
    """Raises KeyboardInterrupt while a text is encoded."""

    def encode(self, text):
        if "\u200b" in text:
            raise KeyboardInterrupt
        return super().encode(text)


class Crashes(Plain):
    """Crashes when the bytes of a token are requested."""

    def decode_single_token_bytes(self, number):
        os.kill(os.getpid(), signal.SIGKILL)
