"""Random texts, and which of them another tokenizer encodes differently."""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from pathlib import Path

from tokharness.edits import writing_of
from tokharness.errors import TargetError
from tokharness.outcome import Raised
from tokharness.targets.loading import load_target

CHUNK = 20_000
MARKS = " \u2581"


def texts_of(file, number, rnd):
    """Return different texts: lines of Python's source, tokens, and random characters."""
    writing = writing_of(file)
    tokens = [writing.text(row.token) for row in file.tokens]
    tokens = [text for text in tokens if text and "\ufffd" not in text]
    lines = []
    for path in sorted(Path(os.__file__).parent.rglob("*.py")):
        lines += [line for line in path.read_text("utf-8", "ignore").splitlines() if line.strip()]
    lines = list(dict.fromkeys(lines))
    found = dict.fromkeys(rnd.sample(lines, min(len(lines), number * 2 // 5)))
    ranges = [(0x20, 0x7F), (0xA0, 0x530), (0x900, 0x1200), (0x2000, 0x2070), (0x4E00, 0xA000)]
    while len(found) < number:
        text = "".join(rnd.choices(tokens, k=rnd.randrange(1, 5)))
        if rnd.random() < 0.1:
            first, last = rnd.choice(ranges)
            text += "".join(chr(rnd.randrange(first, last)) for _ in range(rnd.randrange(1, 6)))
        found[text] = None
    return list(found)


class Texts:
    """Texts with what a tokenizer gives for them."""

    def __init__(self, spec, file, number, rnd):
        self.texts = texts_of(file, number, rnd)
        self._writing = writing_of(file)
        self._special = [row["text"] for row in file.stages.get("added tokens") or ()]
        target = load_target(spec)
        self._tokens = [self._writing.text(row.token) for row in file.tokens]
        self._results = array("q")
        for chunk in self._chunks():
            self._results.extend(_results(target, chunk))
        self._normalize = target.can("normalize") and target
        self._joined, self._starts = self._searched()

    def _chunks(self):
        for start in range(0, len(self.texts), CHUNK):
            yield self.texts[start : start + CHUNK]

    def _searched(self):
        """Return all texts as the model gets them, and where each begins."""
        parts, starts, at = [], [], 0
        for text in self.texts:
            part = self._normalize.call("normalize", text) if self._normalize else text
            part = part if isinstance(part, str) else text
            part = part.replace("\n", " ").replace("\u2581", " ")
            parts.append(part)
            starts.append(at)
            at += len(part) + 1
        return "\n".join(parts), [*starts, at]

    def holding(self, tokens):
        """Return the places of texts that hold one of some tokens; None if any text may."""
        found = set()
        for token in tokens:
            text = self._writing.text(token).strip(MARKS)
            if not text or "\ufffd" in text or "\n" in text or text.startswith("<0x"):
                return None
            at = self._joined.find(text)
            while at >= 0:
                place = bisect_right(self._starts, at) - 1
                found.add(place)
                at = self._joined.find(text, self._starts[place + 1])
        return sorted(found)

    def changed(self, spec, tokens):
        """Return how many texts change, and of how many: of chunks up to the first that has any."""
        target = load_target(spec)
        places = self.holding(tokens) if tokens else None
        if places is not None:
            now = _results(target, [self.texts[place] for place in places])
            old = (self._results[place] for place in places)
            return sum(a != b for a, b in zip(old, now, strict=True)), len(self.texts)
        start = 0
        for chunk in self._chunks():
            now = _results(target, chunk)
            old = self._results[start : start + len(chunk)]
            start += len(chunk)
            if count := sum(a != b for a, b in zip(old, now, strict=True)):
                return count, start
        return 0, start

    def changed_tokens(self, old, new):
        """Return the texts of tokens of the old file that two specs encode differently."""
        texts = [text for text in self._tokens if text and "\ufffd" not in text]
        before, now = (_results(load_target(spec), texts) for spec in (old, new))
        return [text for text, one, two in zip(texts, before, now, strict=True) if one != two]


def _results(target, texts):
    """Return a hash of the ids of each text, or of the name of what is raised."""
    ids = target.call("encode_batch", texts) if target.can("encode_batch") else None
    if ids is None or isinstance(ids, Raised):
        ids = [target.encode(text) for text in texts]
    return [
        hash(type(one.error).__name__) if isinstance(one, Raised) else hash(tuple(one))
        for one in ids
    ]


def loads(spec):
    """Whether a library accepts a file."""
    try:
        load_target(spec)
    except TargetError:
        return False
    return True
