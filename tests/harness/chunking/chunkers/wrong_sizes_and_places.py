"""Chunkers with chunks that are too long or empty, with other overlaps, or with wrong spans."""

import re
import unicodedata
from types import SimpleNamespace

from sound import Characters, Spans, StripsSpans, Words


class KeepsWords(Words):
    def split(self, text, limit):
        return text.split()


class KeepsWordsAfterNothing(Words):
    """Splits at spaces alone, and begins with an empty chunk."""

    def split(self, text, limit):
        return ["", *filter(None, text.split(" "))]


class OneMore(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit + 1, overlap)


class JoinsTheEnd(Characters):
    """Joins an end that is short to the chunk before it."""

    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit)
        if len(chunks) > 1 and len(chunks[-1]) <= limit // 2:
            chunks[-2:] = ["".join(chunks[-2:])]
        return chunks


class CountsNoMarks(Characters):
    def split(self, text, limit, overlap=0):
        chunks, size = [""], 0
        for char in text:
            size += unicodedata.category(char)[0] != "M"
            if size > limit:
                chunks.append("")
                size = 1
            chunks[-1] += char
        return chunks if text else []


class LastTwice(Characters):
    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit, overlap)
        return [*chunks, *chunks[-1:]]


class OverlapOnTop(Characters):
    def split(self, text, limit, overlap=0):
        starts = range(0, len(text), limit)
        return [text[max(at - overlap, 0) : at + limit] for at in starts]


class AlwaysOverlaps(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit, overlap or limit // 2)


class OverlapsTwice(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit, min(2 * overlap, limit - 1))


class CountsInContext(Characters):
    """Overlaps by tokens, which are fewer behind another letter than alone."""

    def tokens(self, text):
        return re.findall("(?<=a)bc|.", text, re.DOTALL)

    def split(self, text, limit, overlap=0):
        windows = super().split(self.tokens(text), limit, overlap)
        return ["".join(window) for window in windows]

    def count(self, text):
        return len(self.tokens(text))


class NeverOverlaps(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit)


class AddsNothing(Characters):
    def split(self, text, limit, overlap=0):
        return [text[at : at + limit] for at in range(0, len(text), limit - overlap)]


class BytesOfSpans(Spans):
    def chunk(self, text, start, end):
        start, size = len(text[:start].encode()), len(text[start:end].encode())
        part = text.encode()[start : start + size].decode()
        return SimpleNamespace(text=part, start=start, end=start + size)


class UnitsOfSpans(Spans):
    def chunk(self, text, start, end):
        units = [len(text[:at].encode("utf-16-le", "surrogatepass")) // 2 for at in (start, end)]
        return SimpleNamespace(text=text[start:end], start=units[0], end=units[1])


class FindsSpans(Spans):
    def chunk(self, text, start, end):
        at = text.find(text[start:end])
        return {"text": text[start:end], "start": at, "end": at + end - start}


class EndIncluded(Spans):
    def chunk(self, text, start, end):
        return SimpleNamespace(text=text[start:end], start=start, end=end - 1)


class SpansWithoutReturns(Spans):
    """Counts places in the text with LF as its only line end."""

    def chunk(self, text, start, end):
        places = (at - text[:at].count("\r") for at in (start, end))
        return dict(zip(("start", "end"), places, strict=True), text=text[start:end])


class SpansOfJoined(Spans):
    """Adds up the lengths of the chunks before it."""

    def split(self, text, limit, overlap=0):
        place, chunks = 0, super().split(text, limit, overlap)
        for one in chunks:
            one.start, one.end = place, place + len(one.text)
            place = one.end
        return chunks


class FloatSpans(Spans):
    def chunk(self, text, start, end):
        return {"text": text[start:end], "start": float(start), "end": float(end)}


class EmptyChunks(Characters):
    def split(self, text, limit, overlap=0):
        return [*super().split(text, limit, overlap), ""]


class CountsNoSpace(Characters):
    def split(self, text, limit, overlap=0):
        chunks, size = [""], 0
        for char in text:
            size += not char.isspace()
            if size > limit:
                chunks.append("")
                size = 1
            chunks[-1] += char
        return chunks if text else []


class JoinsTheStart(Characters):
    """Gives the first chunk the room of two."""

    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit)
        if len(chunks) > 2:
            chunks[:2] = ["".join(chunks[:2])]
        return chunks


class SpansOfUnstripped(StripsSpans):
    """Strips a chunk, and keeps the span that it had before."""

    def chunk(self, text, start, end):
        return SimpleNamespace(text=text[start:end].strip(), start=start, end=end)


class SpansFromOne(Spans):
    def chunk(self, text, start, end):
        return SimpleNamespace(text=text[start:end], start=start + 1, end=end + 1)


class SpansWithSeparators(Spans):
    """Counts a character between each two chunks."""

    def split(self, text, limit):
        chunks = super().split(text, limit)
        rows = [(one.start + number, one) for number, one in enumerate(chunks)]
        return [
            SimpleNamespace(text=one.text, start=start, end=start + len(one.text))
            for start, one in rows
        ]


class SpansOfLines(Spans):
    """Counts places in each line from 0 on."""

    def split(self, text, limit):
        split = super().split
        return [one for line in text.splitlines(keepends=True) for one in split(line, limit)]


class SpansWithLength(Spans):
    def chunk(self, text, start, end):
        return SimpleNamespace(text=text[start:end], start=start, end=end - start)


class CountsWords(Characters):
    """Takes the limit for a number of words."""

    def split(self, text, limit, overlap=0):
        words = re.findall(r"\S+\s*|^\s+", text)
        return ["".join(words[at : at + limit]) for at in range(0, len(words), limit)]


class OverlapsWords(Characters):
    """Takes the overlap for a number of words."""

    def split(self, text, limit, overlap=0):
        words = re.findall(r"\S+\s*|^\s+", text)
        parts = [one[at : at + limit] for one in words for at in range(0, len(one), limit)]
        chunks, chunk = [], []
        for part in parts:
            if chunk and len("".join([*chunk, part])) > limit:
                chunks.append("".join(chunk))
                chunk = chunk[len(chunk) - overlap :]
                while chunk and len("".join([*chunk, part])) > limit:
                    del chunk[0]
            chunk.append(part)
        return [*chunks, "".join(chunk)] if chunk else chunks
