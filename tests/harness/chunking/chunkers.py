"""Sound chunkers, and chunkers with one planted fault each; targets of the tests."""

import os
import re
import time
import unicodedata
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace


class Characters:
    """Counts code points, cuts anywhere between them, and truncates."""

    def split(self, text, limit, overlap=0):
        chunks = []
        for start in range(0, len(text), limit - overlap):
            chunks.append(text[start : start + limit])
            if start + limit >= len(text):
                break
        return chunks

    def truncate(self, text, limit):
        return text[:limit]

    def count(self, text):
        return len(text)


class Bytes(Characters):
    """Counts bytes of UTF-8, and cuts between characters; a character may exceed the limit."""

    def split(self, text, limit, overlap=0):
        chunks, chunk = [], ""
        for char in text:
            if chunk and self.count(chunk + char) > limit:
                chunks.append(chunk)
                while chunk and (self.count(chunk) > overlap or self.count(chunk + char) > limit):
                    chunk = chunk[1:]
            chunk += char
        return [*chunks, chunk] if chunk else chunks

    def truncate(self, text, limit):
        return (self.split(text, limit) or [""])[0] if text else ""

    def count(self, text):
        return len(text.encode())


class Words(Characters):
    """Cuts at white space, which it strips and declares to lose, and words that are too long."""

    loses = "white space"

    def split(self, text, limit):
        pieces = (chunk.strip() for chunk in super().split(text, limit))
        return [chunk for chunk in pieces if chunk]

    def truncate(self, text, limit):
        return text.strip()[:limit]


class Spans(Characters):
    """Returns objects with their spans."""

    def split(self, text, limit, overlap=0):
        starts = range(0, len(text), limit - overlap)
        chunks = [self.chunk(text, at, min(at + limit, len(text))) for at in starts]
        last = next((i for i, one in enumerate(chunks) if starts[i] + limit >= len(text)), None)
        return chunks if last is None else chunks[: last + 1]

    def chunk(self, text, start, end):
        return SimpleNamespace(text=text[start:end], start=start, end=end)


class Left(Characters):
    """Keeps the end of a text."""

    truncates = "left"

    def truncate(self, text, limit):
        return text[-limit:]


class KeywordOverlap(Characters):
    """Takes the overlap by its name alone."""

    def split(self, text, limit, *, overlap=0):
        return super().split(text, limit, overlap)


class ThirdParameter(Characters):
    """Takes no overlap, but something else."""

    def split(self, text, limit, strip=False):
        chunks = super().split(text, limit)
        return [chunk.strip() for chunk in chunks] if strip else chunks


class Integers(Characters):
    """Counts with the integers of a library, such as NumPy."""

    def count(self, text):
        return Integer(len(text))


class Integer:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Graphemes(Characters):
    """Cuts between grapheme clusters, each of which it keeps, and takes no overlap."""

    def split(self, text, limit):
        import regex

        chunks = [""]
        for cluster in regex.findall(r"\X", text):
            if len(chunks[-1] + cluster) > limit:
                chunks.append("")
            chunks[-1] += cluster
        return [chunk for chunk in chunks if chunk]


SOUND = (Characters, Bytes, Words, Spans, Left, Graphemes)


# Cuts inside characters


class ReplacesBytes(Bytes):
    def split(self, text, limit, overlap=0):
        data = text.encode()
        step = limit - overlap
        return [data[i : i + limit].decode(errors="replace") for i in range(0, len(data), step)]


class RefusesSquare(ReplacesBytes):
    """Refuses U+25A1, with which U+FFFD in a text is replaced to see what a chunker does."""

    def split(self, text, limit, overlap=0):
        if "\u25a1" in text:
            raise ValueError(text)
        return super().split(text, limit, overlap)


class CutsBytes(Bytes):
    def split(self, text, limit, overlap=0):
        data = text.encode()
        return [data[i : i + limit] for i in range(0, len(data), limit)]


class CutsUnits(Characters):
    """A program of JavaScript counts so."""

    def split(self, text, limit, overlap=0):
        data = text.encode("utf-16-le", "surrogatepass")
        parts = (data[i : i + 2 * limit] for i in range(0, len(data), 2 * limit))
        return [part.decode("utf-16-le", "surrogatepass") for part in parts]

    def count(self, text):
        return len(text.encode("utf-16-le", "surrogatepass")) // 2


# Text that differs


class DropsEnd(Characters):
    def split(self, text, limit, overlap=0):
        return [one for one in super().split(text, limit, overlap) if len(one) >= limit / 2]


class DropsRepeated(Characters):
    def split(self, text, limit, overlap=0):
        return list(dict.fromkeys(super().split(text, limit, overlap)))


class DropsFullEnd(Characters):
    """Drops the last chunk if it is as long as the limit, except for the only one."""

    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit, overlap)
        return chunks[:-1] if len(chunks) > 1 and len(chunks[-1]) == limit else chunks


class ReturnsNothing(Characters):
    def split(self, text, limit, overlap=0):
        return []


class Strips(Characters):
    def split(self, text, limit, overlap=0):
        return Words().split(text, limit)


class DropsSpecial(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.replace("<|endoftext|>", ""), limit, overlap)


class Composes(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(unicodedata.normalize("NFC", text), limit, overlap)


class Lowers(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.lower(), limit, overlap)


class DropsJoiner(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.replace("\u200d", ""), limit, overlap)


class DropsFormats(Characters):
    def split(self, text, limit, overlap=0):
        kept = (char for char in text if unicodedata.category(char) != "Cf")
        return super().split("".join(kept), limit, overlap)


class DropsOtherThanAscii(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.encode("ascii", "ignore").decode(), limit, overlap)


class DropsSomeFormats(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(re.sub("[\u200b\u200d]", "", text), limit, overlap)


class DropsEscapeSequences(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(re.sub(r"\x1b\[\d+m", "", text), limit, overlap)


class DropsCarriageReturns(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.replace("\r", ""), limit, overlap)


class StopsAtEscape(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.partition("\x1b")[0], limit, overlap)


class FoldsCase(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.casefold(), limit, overlap)


class Hyphenates(Characters):
    """Writes a hyphen where it cuts a word."""

    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit - 1)
        cut = [a[-1].isalpha() and b[0].isalpha() for a, b in pairwise(chunks)]
        return [f"{one}-" if hyphen else one for one, hyphen in zip(chunks, [*cut, 0], strict=True)]


class JoinsWords(Characters):
    loses = "white space"

    def split(self, text, limit, overlap=0):
        return super().split(" ".join(text.split()), limit, overlap)


class ReplacesIdeographs(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.translate({0x4ECA: "*", 0x65E5: "*"}), limit, overlap)


class SplitsLines(Characters):
    loses = "white space"

    def split(self, text, limit, overlap=0):
        return super().split("\n".join(text.splitlines()), limit, overlap)


class OtherSpace(Characters):
    def split(self, text, limit, overlap=0):
        text = text.replace("\r\n", "\n").replace("\u00a0", " ")
        return super().split(text, limit, overlap)


class CutsOffSurrogates(Characters):
    """Returns one chunk of a text that has no UTF-8."""

    def split(self, text, limit, overlap=0):
        try:
            text.encode()
        except UnicodeEncodeError:
            return [text[:limit]]
        return super().split(text, limit, overlap)


class IgnoresSurrogates(Characters):
    """Sound: a lone surrogate has no UTF-8."""

    def split(self, text, limit, overlap=0):
        return super().split(text.encode("utf-8", "ignore").decode(), limit, overlap)


class Sorts(Characters):
    def split(self, text, limit, overlap=0):
        return sorted(super().split(text, limit))


class AddsPrefix(Characters):
    def split(self, text, limit, overlap=0):
        return [f"> {one}" for one in super().split(text, limit)]


# Limits, overlaps, spans


class KeepsWords(Words):
    def split(self, text, limit):
        return text.split()


class KeepsWordsAfterNothing(Words):
    """Splits at spaces alone, and begins with an empty chunk."""

    def split(self, text, limit):
        return ["", *filter(None, text.split(" "))]


class StripsWithSurrogates(Characters):
    """Returns new texts, which are stripped, and cuts before each lone surrogate."""

    def split(self, text, limit, overlap=0):
        parts = text.replace("\ud800", "\0\ud800").split("\0")
        chunks = [chunk for part in parts for chunk in super(type(self), self).split(part, limit)]
        return [chunk.strip() for chunk in chunks]


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


# Failures


class RefusesSpecial(Characters):
    def split(self, text, limit, overlap=0):
        if "<|endoftext|>" in text:
            raise ValueError("Encountered text corresponding to disallowed special token")
        return super().split(text, limit, overlap)


class RefusesEmpty(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text, limit, overlap) if text[0] else []


class RefusesSurrogates(Characters):
    """Sound: a lone surrogate has no UTF-8."""

    def split(self, text, limit, overlap=0):
        text.encode()
        return super().split(text, limit, overlap)


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


# truncate, count, state


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


# Windows of ids


class Windows:
    """The ids are code points, between 1 and 2 as special tokens; 0 is padding."""

    def windows(
        self, text, limit=None, overlap=0, *, pair="", side="right", strategy="", **padding
    ):
        rows = [[(ord(char), (at, at + 1)) for at, char in enumerate(one)] for one in (text, pair)]
        room = sum(map(len, rows)) + 1 if limit is None else limit - 2
        if strategy == "longest_first":
            return [self.window(self.shortened(rows, room, side), **padding)]
        cut = 1 if strategy == "only_second" else 0
        parts = self.slices(rows[cut], room - len(rows[1 - cut]), overlap, side)
        pairs = ([part, rows[1]] if cut == 0 else [rows[0], part] for part in parts)
        return [self.window(pair, **padding) for pair in pairs]

    def slices(self, row, room, overlap, side):
        if side == "left":
            return [one[::-1] for one in self.slices(row[::-1], room, overlap, "right")]
        starts = range(room - overlap, len(row) - overlap, room - overlap)
        return [row[:room], *(row[at : at + room] for at in starts)]

    def shortened(self, rows, room, side):
        first, second = rows
        while len(first) + len(second) > room:
            longer = first if len(first) > len(second) else second
            longer.pop(0 if side == "left" else -1)
        return rows

    def window(self, rows, padding="", multiple=1):
        body = [(number, part, at) for part, row in enumerate(rows) for number, at in row]
        body = [(1, None, None), *body, (2, None, None)]
        mask = [1] * len(body)
        if padding:
            more = -len(body) % multiple
            pads, off = [(0, None, None)] * more, [0] * more
            body = body + pads if padding == "right" else pads + body
            mask = mask + off if padding == "right" else off + mask
        ids, parts, offsets = zip(*body, strict=True)
        return {"ids": ids, "parts": parts, "offsets": offsets, "mask": mask}


class StepsByTheLimit(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, 0, side)


class SkipsAnId(Windows):
    def slices(self, row, room, overlap, side):
        first, *others = super().slices(row, room, overlap, side)
        return [first, *(one[overlap + 1 :] for one in others)]


class ForgetsTheRest(Windows):
    def slices(self, row, room, overlap, side):
        return [
            one
            for one in super().slices(row, room, overlap, side)
            if len(one) == room or one == row
        ]


class OverlapsMore(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, min(overlap + 1, room - 1), side)


class KeepsTheRight(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room, overlap, "right")


class OffsetsOfTheWindow(Windows):
    def slices(self, row, room, overlap, side):
        parts = super().slices(row, room, overlap, side)
        return [[(number, (at, at + 1)) for at, (number, _) in enumerate(one)] for one in parts]


class SpecialOnTop(Windows):
    def slices(self, row, room, overlap, side):
        return super().slices(row, room + 2, overlap, side)


class ForgetsSpecial(Windows):
    """Windows behind the first one have no special tokens."""

    def windows(self, text, limit=None, overlap=0, side="right"):
        first, *others = super().windows(text, limit, overlap, side=side)
        return [first, *({name: row[1:-1] for name, row in one.items()} for one in others)]


class LosesParts(Windows):
    """Says of each id of a later window that it is of the first text."""

    def windows(self, text, limit=None, overlap=0, *, pair="", side="right", strategy=""):
        first, *others = super().windows(
            text, limit, overlap, pair=pair, side=side, strategy=strategy
        )
        parts = ([one and 0 for one in row["parts"]] for row in others)
        return [first, *({**row, "parts": one} for row, one in zip(others, parts, strict=True))]


class CutsTheOther(Windows):
    def windows(self, text, limit=None, overlap=0, *, pair="", side="right", strategy=""):
        pair = pair[:20] if strategy == "only_first" else pair
        return super().windows(text, limit, overlap, pair=pair, side=side, strategy=strategy)


class CutsTheFirstAlone(Windows):
    def shortened(self, rows, room, side):
        more = max(sum(map(len, rows)) - room, 0)
        first, second = rows if side == "right" else [row[::-1] for row in rows]
        first = first[: max(len(first) - more, 0)]
        rows = [first, second[: room - len(first)]]
        return rows if side == "right" else [row[::-1] for row in rows]


class PadsRight(Windows):
    def window(self, rows, padding="", multiple=1):
        return super().window(rows, padding and "right", multiple)


class NoSplit:
    pass


def number():
    return 7


def raises():
    raise OSError("no vocabulary")
