"""Chunkers whose chunks are not the text: characters are cut, lost, changed or added."""

import html
import re
import unicodedata
from itertools import pairwise

from sound import Bytes, Characters, Words


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


class Sorts(Characters):
    def split(self, text, limit, overlap=0):
        return sorted(super().split(text, limit))


class AddsPrefix(Characters):
    def split(self, text, limit, overlap=0):
        return [f"> {one}" for one in super().split(text, limit)]


class StripsWithSurrogates(Characters):
    """Returns new texts, which are stripped, and cuts before each lone surrogate."""

    def split(self, text, limit, overlap=0):
        parts = text.replace("\ud800", "\0\ud800").split("\0")
        chunks = [chunk for part in parts for chunk in super(type(self), self).split(part, limit)]
        return [chunk.strip() for chunk in chunks]


class DropsFirst(Characters):
    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit)
        return chunks[1:] if len(chunks) > 3 else chunks


class UnescapesEntities(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(html.unescape(text), limit, overlap)


class StraightensQuotes(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(re.sub("[\u201c\u201d]", '"', text), limit, overlap)


class LosesFullStops(Words):
    """Splits sentences, and loses the full stops between them."""

    def split(self, text, limit):
        split = super().split
        return [chunk for sentence in text.split(". ") for chunk in split(sentence, limit)]


class ControlsAsSpaces(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(re.sub(r"[\x00-\x08\x0e-\x1f]", " ", text), limit, overlap)


class NumbersChunks(Characters):
    def split(self, text, limit, overlap=0):
        return [f"{number}: {one}" for number, one in enumerate(super().split(text, limit))]


class RepeatsTheStart(Characters):
    """Begins each chunk with the start of the document in place of the end of the chunk before."""

    def split(self, text, limit, overlap=0):
        first, *others = super().split(text, limit - overlap) or [""]
        return [first, *(text[:overlap] + one for one in others)]


class StripsAsEcmaScript(Characters):
    """Strips the start of a document of what ECMAScript calls white space."""

    def split(self, text, limit, overlap=0):
        return super().split(text.lstrip(" \t\n\ufeff"), limit, overlap)


class DropsByteOrderMark(Characters):
    def split(self, text, limit, overlap=0):
        return super().split(text.removeprefix("\ufeff"), limit, overlap)


class JoinsAsEcmaScript(Characters):
    """Writes a space for each run of what ECMAScript calls white space."""

    def split(self, text, limit, overlap=0):
        return super().split(re.sub(r"[\s\ufeff]+", " ", text), limit, overlap)


class DropsHeadings(Characters):
    """Removes the signs of headings in Markdown."""

    def split(self, text, limit, overlap=0):
        return super().split(re.sub("(?m)^#+ ", "", text), limit, overlap)


class LowersTheFirst(Characters):
    """Writes the first letter of each chunk in lower case."""

    def split(self, text, limit, overlap=0):
        return [one[:1].lower() + one[1:] for one in super().split(text, limit, overlap)]


class ReversesHebrew(Characters):
    """Writes a chunk with Hebrew letters as it is shown."""

    def split(self, text, limit, overlap=0):
        chunks = super().split(text, limit, overlap)
        return [one[::-1] if "\u05d0" in one else one for one in chunks]


class OverlapsTheStart(Characters):
    """Begins each chunk with the start of the one before it."""

    def split(self, text, limit, overlap=0):
        step = limit - overlap
        parts = [text[at : at + step] for at in range(0, len(text), step)]
        return [before[:overlap] + part for before, part in zip(["", *parts], parts, strict=False)]


class KeepsNoLineFeed(Characters):
    """Finds parts with a pattern in which a point is no line feed."""

    def split(self, text, limit, overlap=0):
        return re.findall(f".{{1,{limit}}}", text)


class DropsTables(Characters):
    """Removes lines of tables."""

    def split(self, text, limit, overlap=0):
        kept = [line for line in text.split("\n") if not line.startswith("|")]
        return super().split("\n".join(kept), limit, overlap)


class DropsAddresses(Characters):
    """Removes web addresses."""

    def split(self, text, limit, overlap=0):
        return super().split(re.sub(r"https?://\S+", "", text), limit, overlap)


class JoinsHyphenated(Characters):
    """Joins a word that is hyphenated at a line end."""

    def split(self, text, limit, overlap=0):
        return super().split(re.sub(r"(?<=\w)-\n(?=\w)", "", text), limit, overlap)


class WritesDigits(Characters):
    """Writes each decimal digit in ASCII."""

    def split(self, text, limit, overlap=0):
        digits = (str(unicodedata.decimal(one, "")) or one for one in text)
        return super().split("".join(digits), limit, overlap)


class WritesSixteenLetters(Characters):
    """Writes 16 letters for each space."""

    def split(self, text, limit, overlap=0):
        return super().split(text.replace(" ", "a" * 16), limit, overlap)
