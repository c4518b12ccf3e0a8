"""A tokenizer with one fault, on which each adversary builds: it drops U+200B.

Its ids are the bytes of UTF-8.
"""

import ctypes  # noqa: F401 - for adversaries, which import everything of this module
import faulthandler  # noqa: F401
import os  # noqa: F401
import signal  # noqa: F401
import sys  # noqa: F401
import threading  # noqa: F401
import time  # noqa: F401

DROPPED = "\u200b"


class Planted:
    """Ids are bytes of UTF-8; U+200B is dropped, which TOK101 reports."""

    n_vocab = 256

    def encode(self, text):
        self.attack(text)
        return list(text.replace(DROPPED, "").encode("utf-8", "surrogatepass"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "surrogatepass")

    def attack(self, text):
        """Do nothing; an adversary overrides this."""


class Target(Planted):
    """The fault alone."""
