r"""Encoding or decoding raises, or panics, on text that it should accept.

Why it matters: one character of user input that raises fails a request. A panic in native code is
not an ``Exception``, so the usual handler does not catch it.

Oracle: invariant of one target. Every sequence of Unicode scalar values is a text, and has ids; all
ids that ``encode`` returns can be decoded.

Verdicts: *bug*, except for two *facts*, each reported once. A text with a lone surrogate is not a
sequence of characters, so it may raise an ordinary exception (a panic is a bug). If there is no
``encode_ordinary``, an ``encode`` that refuses exactly the text of a declared special token
protects its caller. If a text raises because of a byte without a token, TOK403 reports it.

Example: a tokenizer with a table that ends too early::

    TOK102 bug  raises: encode, IndexError, U+FFFF   "\u{ffff}"

What to do: accept every character, for example with byte fallback or an unknown token.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.probes.calls import raising_stage
from tokharness.diagnosis.text.characters import (
    between_letters,
    describe_by_replacement,
    probe_characters,
    raising_characters,
)
from tokharness.diagnosis.vocabulary.byte_table import explain_missing_bytes
from tokharness.errors import DEATHS, message_of
from tokharness.model import Batch, Cause, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import Subject, is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

__all__ = ["CODE", "COLUMNS", "NAME", "diagnose", "evidence", "failing"]


# The template of an error message: the words that do not come from the text.
#
# A library may quote the text in its message, or only a part of it, so one fault has as many
# messages as texts. A word of the text may still be a word of the message itself, such as *index*:
# it is, if the message for a text without the word has it too.

DETAIL = regex.compile(
    r"""'[^']*'|"[^"]*"|\b0[xX][0-9a-fA-F]+\b|[uU]\+[0-9a-fA-F]{4,6}"""
    r"""|\b(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}\b"""
    r"""|\\[uxU]\{?[0-9a-fA-F]+\}?|\\[nrt0]|[0-9]+|[^\x20-\x7e]+"""
)
"""Parts that differ from text to text: quotations, numbers, digests, escapes, other characters."""

CODEC = regex.compile(r"'[^']+' codec can't (?:de|en)code\b")
"""An error of Python's codecs; the bytes, and what is wrong with them, differ between texts."""

LEFT_OUT = "\0"
WORD = regex.compile(r"[^\W_]+|[^\s\0]")
SEVERAL_LEFT_OUT = regex.compile(r"\0(?:[\s,\0]*\0)+")
SHOWN = "..."
START = END = ""
LONGEST, MAX_KNOWN = 100, 20_000


def message_template(message: str, text: str, own: Counter[tuple[str, ...]]) -> str:
    """Return a message without the parts that differ from text to text.

    ``own`` counts the words, and the pairs of words, of messages for texts without them; the words
    and pairs of this message are added.
    """
    if codec := CODEC.match(message):
        return str(codec.group())
    plain = DETAIL.sub(LEFT_OUT, message.replace(LEFT_OUT, " "))
    matches = list(WORD.finditer(plain))
    words = [match.group() for match in matches]
    if len(own) < MAX_KNOWN:
        own |= _own_words(words, text.casefold())
    template = list(plain)
    for place in _places_of_text(words, own):
        start, end = matches[place].span()
        template[start:end] = LEFT_OUT * (end - start)
    left_out = SEVERAL_LEFT_OUT.sub(LEFT_OUT, "".join(template))
    return str(left_out.replace(LEFT_OUT, SHOWN)[:LONGEST])


def _own_words(words: Sequence[str], text: str) -> Counter[tuple[str, ...]]:
    """Count the words, and the pairs of words, that are not in the text."""
    pairs = pairwise([START, *words, END])
    keys: Iterator[tuple[str, ...]] = chain(zip(words, strict=True), pairs)
    return Counter(key for key in keys if not any(word.casefold() in text for word in key if word))


def _places_of_text(words: Sequence[str], own: Counter[tuple[str, ...]]) -> Iterator[int]:
    """Yield the places of the words that come from the text.

    If a word occurs more often than in other messages, the occurrences with unusual neighbours come
    from the text.
    """
    pairs = list(pairwise([START, *words, END]))
    usual = [sum(pair in own for pair in pairs[place : place + 2]) for place in range(len(words))]
    left = own.copy()
    for place in sorted(range(len(words)), key=lambda place: -usual[place]):
        if left[words[place],] > 0:
            left[words[place],] -= 1
        else:
            yield place


CODE = "TOK102"
NAME = "raises"
COLUMNS = ("decoded",)

LONGEST_MESSAGE = 100
PROBE_WORD = "word"
"""If a target raises on this word, no character of a text is the cause."""


def failing(batch: Batch, subject: Subject) -> list[int]:
    """Rows that raised; TOK104 reports crashes, hangs and exhausted memory."""
    return sorted(row for row, error in batch.errors.items() if not isinstance(error, DEATHS))


def diagnose(text: str, subject: Subject) -> list[Cause]:
    """Return the cause of what this text raises, if it raises."""
    raised = raising_stage(text, subject)
    if raised is None or isinstance(raised[1], DEATHS):
        return []
    if not raising_stage(text, subject):
        return []  # it does not raise again, which is reported as state

    def raises(probe: str) -> bool:
        return raising_stage(probe, subject) is not None

    return explain_missing_bytes(text, subject, raises) or [_cause(text, *raised, subject)]


def evidence(text: str, cause: Cause, subject: Subject) -> dict[str, Any]:
    """Return what the entry point raises for a text, and what it should return."""
    raised = raising_stage(text, subject)
    if raised is None or cause.verdict is Verdict.FACT:
        return {}
    stage, error = raised
    name = subject.target.entry_point if stage == "encode" else stage
    expected = subject.reference_ids(text) if stage == "encode" else subject.expected_text(text)
    return compared_call(name, Raised(error), "ids" if expected is None else expected, subject)


def _cause(text: str, stage: str, error: BaseException, subject: Subject) -> Cause:
    if isinstance(error, Exception):
        if not is_scalar(text) and type(error) is not _raised_without_surrogates(text, subject):
            return Cause(
                "lone surrogates",
                (("raise", type(error).__name__),),
                Verdict.FACT,
                f"a lone surrogate is refused with {type(error).__name__}",
            )
        if stage == "encode" and _refuses_special(text, subject):
            return Cause(
                "special token",
                (("raise", type(error).__name__),),
                Verdict.FACT,
                "encode refuses the text of a special token, which protects its caller",
            )
    kind, verb = ("raises", "raises") if isinstance(error, Exception) else ("panics", "panics with")
    name = type(error).__name__
    on_word = raising_stage(PROBE_WORD, subject)
    characters = "" if on_word else _raising_characters(text, name, subject)
    words = message_of(error)[:LONGEST_MESSAGE]
    template = _template(message_of(error), text, f"{stage} {name}", subject)
    if on_word and on_word[0] == stage and type(on_word[1]).__name__ == name:
        # Every text raises this; other differences between messages come from the texts.
        template = _template(message_of(on_word[1]), PROBE_WORD, f"{stage} {name}", subject)
    last = ("characters", characters) if characters else ("message", template)
    on = f" on {characters}" if characters else ""
    return Cause(
        kind,
        (("in", stage), ("type", name), last),
        message=f"{stage} {verb} {name}{on}{': ' if words else ''}{words}",
    )


def _raised_without_surrogates(text: str, subject: Subject) -> type[BaseException] | None:
    """Return what is raised with U+FFFD for surrogates; thousands of texts become the same."""
    known: dict[str, type[BaseException] | None] = subject.cache.get_or_compute(
        "raised without surrogates", dict
    )
    plain = scalar_text(text)
    if plain not in known:
        raised = raising_stage(plain, subject)
        known[plain] = None if raised is None else type(raised[1])
    return known[plain]


def _template(message: str, text: str, kind: str, subject: Subject) -> str:
    """Return the template of a message; new words of its own may change other texts' templates."""
    own = subject.discoveries.message_words.setdefault(kind, Counter())
    known = own.total()
    template = message_template(message, text, own)
    if own.total() > known:
        subject.diagnosis_pass.learned = True
    return template


def _raising_characters(text: str, name: str, subject: Subject) -> str:
    """Characters that raise this exception when alone, if the text has one of them."""

    def probe() -> dict[str, str]:
        characters = probe_characters()
        subject.target.fetch(list(map(between_letters, characters)), decoded=True)
        return raising_characters(subject.target.round_trip, characters)

    raising = subject.discoveries.characters("raises", probe)
    known = raising.known
    unprobed = set(filter(is_scalar, set(text) - known.keys() - raising.probed))
    new = raising_characters(subject.target.round_trip, unprobed)
    raising.probed.update(unprobed)
    if new:
        known.update(new)
        subject.diagnosis_pass.learned = True
    if not any(known.get(character) == name for character in text):
        return ""
    names = subject.cache.get_or_compute(
        f"raising: names of pass {subject.diagnosis_pass.number}",
        lambda: describe_by_replacement(known),
    )
    return names.get(name, "several")


def _refuses_special(text: str, subject: Subject) -> bool:
    """Whether only the text of special tokens makes ``encode`` raise.

    A target that declares a normal form may search for special tokens in this form.
    """
    if subject.target.can("encode_ordinary"):
        return False
    for form in (text, subject.expected_text(text)):
        plain = _without_special(form, subject)
        if plain != form and subject.encode(plain) is not None:
            return True
    return False


def _without_special(text: str, subject: Subject) -> str:
    for special in subject.special_tokens:
        text = text.replace(special, "a")
    return text
