"""Truncators and counts with one planted fault each."""

import unicodedata

from sound import Bytes, Characters


class TruncatesBytes(Bytes):
    def truncate(self, text, limit):
        return text.encode()[:limit].decode(errors="replace")


class TruncatesLeft(Characters):
    def truncate(self, text, limit):
        return text[-limit:]


class TruncatesTheMiddle(Characters):
    def truncate(self, text, limit):
        return text if len(text) <= limit else text[: limit - 1] + text[-1:]


class AddsEllipsis(Characters):
    def truncate(self, text, limit):
        return text[: limit - 1] + "\u2026"


class TruncatesToNothing(Characters):
    def truncate(self, text, limit):
        return text if len(text) <= limit else ""


class TruncatesStripped(Characters):
    def truncate(self, text, limit):
        return text.strip()[:limit]


class TruncatesComposed(Characters):
    def truncate(self, text, limit):
        return unicodedata.normalize("NFC", text)[:limit]


class TruncatesToNone(Characters):
    def truncate(self, text, limit):
        return text if len(text) <= limit else None


class TruncatesLate(Characters):
    def truncate(self, text, limit):
        return text[: 2 * limit]


class Tokens(Characters):
    """Counts what the embedded vocabulary counts."""

    counts_with = "reference"

    def __init__(self):
        from tokharness import load

        self.tokenizer = load("reference")

    def count(self, text):
        return len(self.tokenizer.encode(text))


class CountsHalf(Characters):
    """Its chunks are within the limit by its own count alone."""

    def split(self, text, limit, overlap=0):
        return super().split(text, 2 * limit)

    def count(self, text):
        return (len(text) + 1) // 2


class CountsTwoMore(Tokens):
    def count(self, text):
        return super().count(text) + 2


class CountsSpecial(Tokens):
    def count(self, text):
        if "<|endoftext|>" in text:
            raise ValueError("Encountered text corresponding to disallowed special token")
        return super().count(text)


class FailsToCount(Characters):
    def count(self, text):
        raise KeyError(text)


class CountsQuarters(Characters):
    def count(self, text):
        return len(text) / 4


class CountsHuge(Characters):
    """Its length has more digits than Python writes."""

    def count(self, text):
        return 10**5000


class CountsTrue(Characters):
    """Its length is a truth value."""

    def count(self, text):
        return bool(text)


class CountsBelowZero(Characters):
    def count(self, text):
        return -len(text)


class TruncatesOneLess(Characters):
    def truncate(self, text, limit):
        return text[: limit - 1]
