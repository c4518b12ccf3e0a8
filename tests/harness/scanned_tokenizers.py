"""Byte tokenizers with planted faults for scans, loaded as ``python:FILE:FACTORY``."""

import os


class Lossless:
    def encode(self, text):
        return list(text.encode("utf-8", "replace"))

    def decode(self, ids):
        return bytes(ids).decode("utf-8", "replace")


class AbortsOnKill(Lossless):
    def encode(self, text):
        if "KILL" in text:
            os.abort()
        return super().encode(text)


class Changed(Lossless):
    """Encodes a document with the word "planted" differently from ``Lossless``."""

    def encode(self, text):
        return super().encode(text.replace("planted", "Planted"))

    def decode(self, ids):
        return super().decode(ids).replace("Planted", "planted")


class Lossy(Lossless):
    def decode(self, ids):
        return super().decode(ids).replace("\u00e9", "e")


class OnlyOnce(Lossless):
    """Loses the text "three" once, and not when it is asked again."""

    def __init__(self):
        self._lost = False

    def decode(self, ids):
        text = super().decode(ids)
        if text != "three" or self._lost:
            return text
        self._lost = True
        return ""
