"""Stream parsers of the tests: sound ones, and each with one fault.

The sound ones read reasoning between <think> and </think>, and calls between <call> and </call>.
"""

import codecs
import re
import secrets
from typing import ClassVar

FIELDS = {
    "<think>": "reasoning",
    "</think>": "content",
    "<call>": "call",
    "</call>": "content",
}
MARKERS = tuple(FIELDS)


class Sound:
    """Holds back the end of the text that may be the start of a marker."""

    markers = MARKERS

    def __init__(self):
        self.pending, self.field = "", "content"

    def feed(self, delta):
        self.pending += delta
        return self.taken(self.held())

    def finish(self):
        return self.taken(0)

    def held(self):
        """Return how many characters at the end may be the start of a marker."""
        starts = (marker[:size] for marker in MARKERS for size in range(1, len(marker)))
        return max((len(one) for one in starts if self.pending.endswith(one)), default=0)

    def taken(self, held):
        events = []
        while match := re.search("|".join(MARKERS), self.pending):
            events.append((self.field, self.pending[: match.start()]))
            self.pending, self.field = self.pending[match.end() :], FIELDS[match[0]]
        end = len(self.pending) - min(held, len(self.pending))
        events.append((self.field, self.pending[:end]))
        self.pending = self.pending[end:]
        return [event for event in events if event[1]]


class OneCharacter(Sound):
    """Gives each character in an event of its own, as pairs in a tuple."""

    def feed(self, delta):
        return tuple((name, char) for name, text in super().feed(delta) for char in text)


class AtTheEnd(Sound):
    """Gives all events in finish()."""

    def feed(self, delta):
        self.pending += delta


class OfBytes(Sound):
    """Takes bytes, and decodes them as a stream."""

    takes = "bytes"

    def __init__(self):
        super().__init__()
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, delta):
        return super().feed(self.decoder.decode(delta))

    def finish(self):
        self.pending += self.decoder.decode(b"", final=True)
        return super().finish()


class OfBytesWithATextForAnExample(OfBytes):
    examples = ("caf\u00e9</think>a", b"b")


class OfTextWithIdsForAnExample(Sound):
    examples = ([1, 2],)


class OfIds:
    """Takes ids: 1 starts the reasoning and 2 ends it."""

    takes = "ids"
    examples = ([1, 5, 6, 2, 7, 8], [5, 1, 6])

    def __init__(self):
        self.field = "content"

    def feed(self, delta):
        events = []
        for number in delta:
            self.field = {1: "reasoning", 2: "content"}.get(number, self.field)
            events += [(self.field, f"word{number} ")] if number > 2 else []
        return events

    def finish(self):
        return []


class Refusing(Sound):
    """Refuses NUL, in each cutting."""

    def feed(self, delta):
        if "\0" in delta:
            raise ValueError("NUL in the text")
        return super().feed(delta)


class EachDeltaAlone(Sound):
    """Looks for markers in each delta alone."""

    def held(self):
        return 0


class DecodesDeltas(Sound):
    """Decodes each delta of bytes alone."""

    takes = "bytes"

    def feed(self, delta):
        return super().feed(delta.decode("utf-8", "replace"))


class EmptyIsTheEnd(Sound):
    """Takes an empty delta for the end of the stream, and forgets what it held back."""

    def feed(self, delta):
        if not delta:
            self.pending = ""
        return super().feed(delta)


class StripsDeltas(Sound):
    """Strips each delta."""

    def feed(self, delta):
        return super().feed(delta.strip(" "))


class RaisesOnAMarkerAlone(Sound):
    """Raises if a delta is a marker alone, before any text."""

    def feed(self, delta):
        if delta in MARKERS:
            raise IndexError("string index out of range")
        return super().feed(delta)


class OneMarkerForEachDelta(Sound):
    """Changes the field once for a delta: what is behind a second marker has the field before."""

    def taken(self, held):
        events = super().taken(held)
        return [(events[0][0], text) for _, text in events[:1]] + [
            (events[min(1, len(events) - 1)][0], text) for _, text in events[1:]
        ]


class GivesAgain(Sound):
    """Gives what was held back a second time."""

    def feed(self, delta):
        before = self.pending
        events = super().feed(delta)
        return [*([(self.field, before)] if before and not self.pending else []), *events]


class CallsAreContent(Sound):
    """Gives the text of a call as content, too."""

    def taken(self, held):
        events = super().taken(held)
        return [*events, *(("content", text) for name, text in events if name == "call")]


class ForgetsWhatItHeldBack(Sound):
    """Does not give in finish() what may be the start of a marker, with the word before it."""

    def held(self):
        match = re.search(r"\w*\s?<[^<>]*$", self.pending)
        return len(match[0]) if match else 0

    def finish(self):
        return self.taken(self.held())


class ForgetsStarts(Sound):
    """Does not give in finish() what may be the start of a marker."""

    def finish(self):
        return []


class Endless(Sound):
    """Does not return from a delta of a marker."""

    def feed(self, delta):
        while "<think>" in delta:
            pass
        return super().feed(delta)


class NoEvents(Sound):
    """Returns a text in place of events."""

    def feed(self, delta):
        return "text"


class CutsLongDeltas(Sound):
    """Reads 16 characters of a delta."""

    def feed(self, delta):
        return super().feed(delta[:16])


class RepeatsLongDeltas(Sound):
    """Gives the last event of a long delta a second time."""

    def feed(self, delta):
        events = super().feed(delta)
        return [*events, *events[-1:]] if len(delta) > 20 else events


class StopsAfterManyDeltas(Sound):
    """Reads 64 deltas."""

    def __init__(self):
        super().__init__()
        self.number = 0

    def feed(self, delta):
        self.number += 1
        return super().feed(delta) if self.number <= 64 else []


class EndlessInFinish(Sound):
    """Does not return from finish() if a stream ends in a bracket."""

    def finish(self):
        while self.pending == "<":
            pass
        return super().finish()


class SharesPending(Sound):
    """Keeps what it holds back in the class, and forgets it in finish()."""

    box: ClassVar = {"pending": ""}

    def __init__(self):
        self.field = "content"

    @property
    def pending(self):
        return self.box["pending"]

    @pending.setter
    def pending(self, text):
        self.box["pending"] = text

    def finish(self):
        return []


class CountsCalls(Sound):
    """Counts calls in the class."""

    calls: ClassVar = [0]

    def taken(self, held):
        events = []
        for name, text in super().taken(held):
            if name == "call":
                self.calls[0] += 1
            events.append((f"call {self.calls[0]}" if name == "call" else name, text))
        return events


class MarksSomeDeltas(Sound):
    """Counts deltas in the class, and adds a text to each 97th."""

    deltas: ClassVar = [0]

    def feed(self, delta):
        events = super().feed(delta)
        self.deltas[0] += 1
        return [*events, ("content", "!")] if self.deltas[0] % 97 == 0 else events


class EmptiesTheOther(SharesPending):
    """Keeps what it holds back in the class, which each new parser empties."""

    def __init__(self):
        super().__init__()
        self.pending = ""

    def finish(self):
        return self.taken(0)


class Draws(Sound):
    """Draws the name of a call."""

    def __init__(self):
        super().__init__()
        self.name = f"call {secrets.token_hex(8)}"

    def taken(self, held):
        return [(self.name if name == "call" else name, text) for name, text in super().taken(held)]


class AnyCaseInADelta(Sound):
    """Reads a marker in any case, and holds back the start of one in lower case alone."""

    def feed(self, delta):
        def lower(match):
            return match[0].lower()

        return super().feed(re.sub("|".join(MARKERS), lower, delta, flags=re.IGNORECASE))


class GivesArgumentsAgain(Sound):
    """Gives the arguments of a call once they are JSON, and again with white space behind them."""

    def __init__(self):
        super().__init__()
        self.arguments = ""

    def taken(self, held):
        events = []
        for name, text in super().taken(held):
            self.arguments = self.arguments + text if name == "call" else ""
            is_whole = self.arguments.rstrip().endswith("}}")
            events += [("call", self.arguments)] * is_whole if name == "call" else [(name, text)]
        return events


class OneReasoning(Sound):
    """Reads one part of reasoning; in later deltas another one is content."""

    def __init__(self):
        super().__init__()
        self.has_ended = False

    def feed(self, delta):
        events = super().feed(delta)
        if self.has_ended:
            events = [("content", text) for _, text in events]
        self.has_ended |= "reasoning" in dict(events) and self.field == "content"
        return events


class NotAParser:
    """Has no finish()."""

    def feed(self, delta):
        return []
