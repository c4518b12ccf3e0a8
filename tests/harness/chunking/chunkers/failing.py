"""Chunkers that raise, end or do not end, return no chunks, remember, or take too long."""

import os
import time
from pathlib import Path

from sound import Characters


class RefusesSpecial(Characters):
    def split(self, text, limit, overlap=0):
        if "<|endoftext|>" in text:
            raise ValueError("Encountered text corresponding to disallowed special token")
        return super().split(text, limit, overlap)


class RefusesEmpty(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit, overlap) if text[0] else []


class RefusesManyChunks(Characters):
    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit, overlap)
        if len(chunks) > 6:
            raise RuntimeError("too many chunks")
        return chunks


class RefusesAstral(Characters):
    def split(self, text, limit, overlap=0):
        if any(char > "\uffff" for char in text):
            raise ValueError(text)
        return super().split(text, limit, overlap)


class RefusesLongWords(Characters):
    def split(self, text, limit, overlap=0):
        if any(len(word) > limit for word in text.split()):
            raise ValueError(text)
        return super().split(text, limit, overlap)


class RefusesTwo(Characters):
    def split(self, text, limit, overlap=0):
        return {}[limit] if limit == 2 else super().split(text, limit, overlap)


class RefusesOverlap(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit) if not overlap else {}[overlap]


class Loops(Characters):
    def split(self, text, limit, overlap=0):
        while "\t" in text:
            time.sleep(0)
        return super().split(text, limit, overlap)


class Ends(Characters):
    def split(self, text, limit, overlap=0):
        if "\x1b" in text:
            os._exit(3)
        return super().split(text, limit, overlap)


class ReturnsText(Characters):
    def split(self, text, limit, overlap=0):
        return text


class ReturnsNumbers(Characters):
    def split(self, text, limit, overlap=0):
        return list(range(0, len(text), limit))


class Remembers(Characters):
    rest = ""

    def split(self, text, limit, overlap=0):
        self.rest, rest = "x" if text.startswith("a") else "", self.rest
        return super().split(rest + text, limit, overlap)


class Alternates(Characters):
    calls = 0

    def split(self, text, limit, overlap=0):
        self.calls += 1
        return super().split(text, limit, overlap) if self.calls % 2 else [text]


class CachesByText(Characters):
    """The limit of the first split of a text is used ever after."""

    def __init__(self):
        self.known = {}

    def split(self, text, limit):
        return self.known.setdefault(text, super().split(text, limit))


class OrdersASet(Characters):
    """Cuts at the separator that is first in a set."""

    def split(self, text, limit):
        first = min(" .,\n", key=hash)
        return [part for part in text.partition(first) if part]


class LoadsOnce(Characters):
    def __init__(self):
        path = Path(os.environ["LOADS_ONCE"])
        if path.exists():
            raise OSError("it is locked")
        path.touch()


class EndsForGood(LoadsOnce, Ends):
    """Ends its process, and does not load again."""


class Quadratic(Characters):
    def split(self, text, limit, overlap=0):
        chunks = []
        while text:
            chunks.append(text[:limit])
            text = "".join(list(text[limit:]))
        return chunks


class RefusesLong(Characters):
    def split(self, text, limit, overlap=0):
        def rest(text):
            return [text[:limit], *rest(text[limit:])] if text else []

        return rest(text)


class RaisesInTheMiddle(Characters):
    """Returns an iterator that raises behind its third chunk."""

    def split(self, text, limit, overlap=0):
        for number, chunk in enumerate(super().split(text, limit, overlap)):
            if number == 3:
                raise StopAsyncIteration
            yield chunk


class ReturnsManyChunks(Characters):
    """Returns a million chunks for a text of any length."""

    def split(self, text, limit, overlap=0):
        return ["a"] * 100_000
