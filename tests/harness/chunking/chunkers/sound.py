"""Sound chunkers."""

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


class IgnoresSurrogates(Characters):
    """Sound: a lone surrogate has no UTF-8."""

    def split(self, text, limit, overlap=0):
        return super().split(text.encode("utf-8", "ignore").decode(), limit, overlap)


class RefusesSurrogates(Characters):
    """Sound: a lone surrogate has no UTF-8."""

    def split(self, text, limit, overlap=0):
        text.encode()
        return super().split(text, limit, overlap)


class StripsSpans(Spans):
    """Strips each chunk, and moves its span."""

    loses = "white space"

    def split(self, text, limit):
        return [one for one in super().split(text, limit) if one.text]

    def chunk(self, text, start, end):
        part = text[start:end]
        start += len(part) - len(part.lstrip())
        return SimpleNamespace(text=part.strip(), start=start, end=start + len(part.strip()))


class Iterates(Characters):
    """Returns an iterator."""

    def split(self, text, limit, overlap=0):
        yield from super().split(text, limit, overlap)


class TruncatesAtWords(Characters):
    """Keeps whole words, if one fits."""

    def truncate(self, text, limit):
        if len(text) <= limit:
            return text
        return text[: text.rfind(" ", 1, limit) + 1] or text[:limit]
