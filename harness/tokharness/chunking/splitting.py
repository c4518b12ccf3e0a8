"""A chunker with the trials that it is checked on, as checks see it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokharness.chunking.placement import Steps, TooManyPlacesError, place
from tokharness.chunking.texts import Trial
from tokharness.outcome import Raised
from tokharness.unicode.properties import category, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.chunking.chunker import Answer, Chunk, Chunker
    from tokharness.chunking.placement import Span
    from tokharness.model import Cause, Target

REPLACEMENT = "\ufffd"
OTHER = "\u25a1"
"""A character with as many bytes as U+FFFD."""

MOST_ASKED = 300
"""Trials of a check that asks for many things of each."""

CLASSES: dict[str, Callable[[str], bool]] = {
    "format characters": lambda char: category(char) == "Cf",
    "control characters": lambda char: category(char) == "Cc",
    "marks": lambda char: category(char)[0] == "M",
    "characters above U+FFFF": lambda char: char > "\uffff",
    "characters that are not ASCII": lambda char: not char.isascii(),
}
"""Classes of characters with which a program goes wrong, by name."""

WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima"
LIMIT_OF_WORDS = 3
"""Different words, and a limit that is smaller than each of them."""

MOST_BYTES = 4
"""Bytes of a character in UTF-8, at most."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a check finds on a trial, or on the whole chunker: a cause, and what shows it.

    ``text`` is that of a problem of the whole chunker. ``others`` are causes that explain a trial,
    too; of all causes, those are reported that explain most trials.
    """

    cause: Cause
    evidence: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None
    others: tuple[Cause, ...] = ()

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes that explain it, the most specific first."""
        return self.cause, *self.others


class Splitting:
    """The answers of a chunker, its chunks and their places, and the lengths of texts.

    Attributes:
        chunker: The chunker.
        trials: The trials.
        tokenizer: The tokenizer whose ids are counted; None if the chunker itself counts.
        not_measured: The kinds of text on which the time did not suffice to measure the growth.

    """

    def __init__(
        self, chunker: Chunker, trials: Sequence[Trial], tokenizer: Target | None = None
    ) -> None:
        self.chunker = chunker
        self.trials = tuple(trials)
        self.tokenizer = tokenizer
        self.not_measured: tuple[str, ...] = ()
        self._sizes: dict[str, int | None] = {}
        self._placed: dict[Trial, list[Span] | None] = {}
        self._steps = Steps()
        self._unplaced: set[Trial] = set()
        self._units: dict[str, int] = {}

    @property
    def loses_white_space(self) -> bool:
        """Whether it declares that white space between chunks may be lost."""
        return self.chunker.loses == "white space"

    @property
    def has_sizes(self) -> bool:
        """Whether the length of a text is known in the unit of the limit."""
        return self.tokenizer is not None or "count" in self.chunker.methods

    def may_lose(self, char: str) -> bool:
        """Whether the chunker declares that a character between chunks may be lost."""
        return self.loses_white_space and is_stripped(char)

    def fetch(self, trials: Iterable[Trial]) -> None:
        """Split the texts of trials, and count their characters and chunks."""
        rows = list(trials)
        answers = self.chunker.ask_all("split", [one.item for one in rows])
        if self.has_sizes:
            parts = {chunk.text for one in answers for chunk in one.value or ()}
            self.sizes([*parts, *{char for one in rows for char in one.text}])

    @cached_property
    def rest(self) -> frozenset[Trial]:
        """The trials that are left to checks that ask for a few things only."""
        step = -(-len(self.trials) // MOST_ASKED) or 1
        return frozenset(self.trials) - frozenset(self.trials[::step])

    def answer(self, trial: Trial) -> Answer:
        """Return what ``split`` returns or raises for a trial."""
        return self.chunker.ask("split", *trial.item)

    def chunks(self, trial: Trial) -> tuple[Chunk, ...] | None:
        """Return the chunks of a trial; None if it fails."""
        chunks: tuple[Chunk, ...] | None = self.answer(trial).value
        return chunks

    def texts(self, trial: Trial) -> list[str]:
        """Return the texts of the chunks of a trial; none if it fails."""
        return [chunk.text for chunk in self.chunks(trial) or ()]

    def size(self, text: str) -> int | None:
        """Return the length of a text in the unit of the limit; None if it is unknown."""
        return self.sizes([text])[0]

    def sizes(self, texts: Sequence[str]) -> list[int | None]:
        """Return the length of each text."""
        unknown = [text for text in dict.fromkeys(texts) if text not in self._sizes]
        if self.tokenizer is not None:
            self._count(unknown, self.tokenizer)
        elif "count" in self.chunker.methods:
            counts = self.chunker.ask_all("count", [(text,) for text in unknown])
            self._sizes |= {text: one.value for text, one in zip(unknown, counts, strict=True)}
        return [self._sizes.get(text) for text in texts]

    def _count(self, texts: Sequence[str], tokenizer: Target) -> None:
        if self.chunker.is_interrupted:
            self.chunker.refused += len(texts)
            return
        try:
            tokenizer.fetch(texts)
            for text in texts:
                ids = tokenizer.encode(text)
                self._sizes[text] = None if isinstance(ids, Raised) else len(ids)
        except KeyboardInterrupt:
            self.chunker.interrupt()
            self.chunker.refused += 1

    def is_too_small(self, trial: Trial) -> bool:
        """Whether the limit is smaller than a character, so that no chunker can keep it."""
        if not self.has_sizes:
            return trial.limit < MOST_BYTES
        sizes = self.sizes(sorted(set(trial.text)))
        return any(size is None or size > trial.limit for size in sizes)

    def damage(self, trial: Trial) -> str:
        """Return how characters are damaged: ``bytes``, ``surrogate``, ``U+FFFD``, or "".

        A text that has U+FFFD or a lone surrogate is damaged, too, if it is with another character
        in that place, or if a chunk with U+FFFD is not a part of it.
        """
        chunks = self.chunks(trial) or ()
        joined = "".join(chunk.text for chunk in chunks)
        if any(chunk.is_broken for chunk in chunks):
            return "bytes"
        if REPLACEMENT in joined and REPLACEMENT not in trial.text:
            return "U+FFFD"
        if not trial.overlap and joined.count(REPLACEMENT) > trial.text.count(REPLACEMENT):
            return "U+FFFD"
        if has_surrogate(joined) and not has_surrogate(trial.text):
            return "surrogate"
        if any(REPLACEMENT in one.text and one.text not in trial.text for one in chunks):
            return "U+FFFD"
        plain = without_surrogates(trial.text.replace(REPLACEMENT, OTHER))
        return "" if plain == trial.text else self.damage(self.with_text(trial, plain))

    def placed(self, trial: Trial) -> list[Span] | None:
        """Return the places of the chunks in the text; None if they are not the text.

        No more white space is lost than the chunker declares. Other losses are for the check of the
        text, and damaged characters for that of cuts.

        Raises:
            TooManyPlacesError: not each possible place can be tried.

        """
        if trial in self._unplaced:
            raise TooManyPlacesError
        if trial not in self._placed:
            texts, text = self.texts(trial), trial.text
            lost = self.answer(trial).failure or self.damage(trial)
            try:
                self._placed[trial] = None if lost else self.place(text, texts)
            except TooManyPlacesError:
                self._unplaced.add(trial)
                raise
        return self._placed[trial]

    def place(
        self,
        text: str,
        chunks: Sequence[str],
        may_lose: Callable[[str], bool] | None = None,
    ) -> list[Span] | None:
        """Return the span of each chunk in a text, or None, in the steps that are left.

        Raises:
            TooManyPlacesError: more steps are needed.

        """
        return place(text, chunks, may_lose or self.may_lose, self._steps)

    def is_placed(self, trial: Trial) -> bool:
        """Whether the chunks of a trial are known to be the text."""
        try:
            return self.placed(trial) is not None
        except TooManyPlacesError:
            return False

    @cached_property
    def counts_words(self) -> bool:
        """Whether a limit is a number of words: chunks of a text have as many, and are longer."""
        chunks = self.texts(Trial(WORDS, LIMIT_OF_WORDS))
        return [len(chunk.split()) for chunk in chunks] == [LIMIT_OF_WORDS] * 4

    @cached_property
    def overlaps_words(self) -> bool:
        """Whether an overlap is a number of words, which the chunks of a text have in common."""
        trial = Trial(WORDS, len(WORDS) // 3, overlap=2)
        spans = (self.placed(trial) if self.is_placed(trial) else None) or ()
        common = [WORDS[b:a].split() for (_, a), (b, _) in pairwise(spans)]
        return len(common) > 1 and all(len(words) == trial.overlap for words in common)

    @property
    def splits(self) -> bool:
        """Whether any text is split."""
        return any(self.chunks(trial) is not None for trial in self.trials)

    def without_places(self) -> str:
        """Return why nothing is known of the places of chunks, or ""."""
        if any(map(self.is_placed, self.trials)):
            return ""
        return "the chunks of no text are the text, so that their places are not known"

    def with_text(self, trial: Trial, text: str) -> Trial:
        """Return the trial of another text."""
        return replace(trial, text=text)


SURROGATE = re.compile("[\ud800-\udfff]")


def has_surrogate(text: str) -> bool:
    """Whether a text has a surrogate."""
    return not text.isascii() and SURROGATE.search(text) is not None


def without_surrogates(text: str) -> str:
    """Return a text with a letter for each surrogate."""
    return "".join("x" if "\ud800" <= char <= "\udfff" else char for char in text)


WHITE_SPACE = frozenset(map(chr, members(r"\p{White_Space}")))


def is_white_space(char: str) -> bool:
    """Whether Unicode or Python calls a character white space: Python also U+001C to U+001F."""
    return char in WHITE_SPACE or char.isspace()


def is_stripped(char: str) -> bool:
    """Whether a library strips a character as white space; that of ECMAScript has U+FEFF, too."""
    return is_white_space(char) or char == "\ufeff"
