"""Targets that give each word back with a space after it, as CLIP's does: white space is lost."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from tokharness.diagnosis.text.normal_forms import WHITE_SPACE_RUN, normalizer_cause
from tokharness.model import Cause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokharness.targets.subject import Subject

    Transform: TypeAlias = Callable[[str], str | None]
    Explain: TypeAlias = Callable[[str, str, Subject, Transform, str], list[Cause]]

WORDS, JOINED = ("a", "is", "word"), ("a,b", "a!b", "(a)")
"""Words, and texts in which words and punctuation have no space between them."""

COLLAPSED = "white space collapsed and stripped"
COLLAPSED_AS_PYTHON = "white space as Python has it collapsed and stripped"

SPACED = Cause(
    "spaces after words",
    (("character", "U+0020 SPACE"),),
    message="each word comes back with U+0020 SPACE after it, also before punctuation and at the "
    "end of a text",
)


def _spaces_words(transform: Transform) -> bool:
    """Whether a target puts a space after each word."""
    if [transform(word) for word in WORDS] != [f"{word} " for word in WORDS]:
        return False
    results = [(text, transform(text)) for text in JOINED]
    return all(
        result is not None and _solid(result) == text and result != f"{text} "
        for text, result in results
    )


def spaced_word_causes(
    text: str, result: str, subject: Subject, transform: Transform, via: str, explain: Explain
) -> list[Cause]:
    """Causes of a text that comes back as words with a space after each; rare ones first.

    ``explain`` explains the change of a text of words that are joined.
    """
    is_spaced = subject.cache.get_or_compute(
        f"{via}: a space after each word", lambda: _spaces_words(transform)
    )
    if not is_spaced:
        return []
    as_python = "\x1f" not in (transform("a\x1fb") or "")  # U+001F is no white space of Unicode
    split: Callable[[str], list[str]] = str.split if as_python else _words
    if result != "".join(f"{word} " for word in split(result)):
        return []

    def change_words(one: str) -> str | None:
        if one != "".join(split(one)):
            return one
        changed = transform(one)
        return None if changed is None else "".join(split(changed))

    words, back = ("".join(split(one)) for one in (text, result))
    if words != back:
        causes = explain(words, back, subject, change_words, f"{via} without white space")
        return [cause for cause in causes if not cause.weak]
    if not _ends_of_words(split(text)) <= _ends_of_words(split(result)):
        return []
    collapsed = normalizer_cause(COLLAPSED_AS_PYTHON if as_python else COLLAPSED)
    return [SPACED if text == " ".join(split(text)) else collapsed]


def _words(text: str) -> list[str]:
    """Return the parts of a text between white space as Unicode has it."""
    return [word for word in WHITE_SPACE_RUN.split(text) if word]


def _solid(text: str) -> str:
    return "".join(text.split())


def _ends_of_words(words: Sequence[str]) -> set[int]:
    """Return where words end, as numbers of characters that are no white space."""
    return set(accumulate(map(len, words)))
