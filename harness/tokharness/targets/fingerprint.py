"""Which Unicode version a target behaves as, told from outside.

Between two versions some code points change their general category, most of them from unassigned
to a letter. In contexts where that changes the split, an explainer with the target's vocabulary is
asked at both versions; where its two answers differ, the target's tells which side it is on. The
version of a declared normalizer shows in the same way, on characters that are new to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from tokharness.model import Target, target_of
from tokharness.outcome import Raised, called

__all__ = [
    "form_version",
    "normalizer_version",
    "pin",
    "reclassified_texts",
    "unicode_version",
    "version_from_outside",
]

CONTEXTS = ("{}\\u", "{}.a", "{}'s", "_{}_init", "{}123")
IN_NUMBERS = ("0{}00", "1{}10", "2{}20", "1{}19")
"""Where only a number tells: in a small vocabulary whose tokens of letters cross no new one."""

FOLLOWING = ("\\u", ".a", "'s")
LETTERS = "\u0250\u0531\u0915"
"""Letters of every version: a target that does not split these alike is not told by others."""

MOST_CODE_POINTS = 12
"""Asked about for each pair of versions, evenly over those that changed."""

AGREEMENT = 0.75
"""Share of answers on one side from which a pair of versions is decided; the rest is told as it is.
"""

Answer = Callable[[str], object]
Telling = Iterable[tuple[str, object, object]]
"""Texts, each with the answer of an older and of a newer version, which differ."""


def unicode_version(target: Target, explainer: Target) -> str | None:
    """Version of the pre-tokenizer; None if the target agrees with no version all along.

    ``explainer`` must be able to change its Unicode version.
    """

    @cache
    def pinned(version: str) -> Target:
        return pin(explainer, version)

    def telling(old: str, new: str) -> Telling:
        before, after = pinned(old), pinned(new)
        # Only where nothing else tells: a target may split numbers otherwise for another reason.
        for texts in (_split_texts(old, new), _number_texts(old, new)):
            found = [(text, called(ids, text, before), called(ids, text, after)) for text in texts]
            told = [one for one in found if one[1] != one[2] and not _is_raised(one)]
            if told:
                return told
        return []

    def ids(text: str, one: Target = target) -> list[int]:
        return list(one.encode(text))

    known = [context.format(letter) for letter in LETTERS for context in CONTEXTS]
    answers = [(text, called(ids, text, explainer)) for text in known]
    alike = sum(
        called(ids, text) == answer for text, answer in answers if not isinstance(answer, Raised)
    )
    return _version(ids, telling) if alike > len(known) / 2 else None


def version_from_outside(target: Target) -> str | None:
    """Version of a pre-tokenizer that nothing can explain; None if none agrees all along.

    A character is asked about in contexts in which a letter makes the target cut otherwise than
    what is unassigned does. What comes after the character's own ids shows which it is taken for.
    None, too, for a target whose ids of a text do not begin with those of its first character.
    """

    def tail(text: str) -> object:
        character, context = text[0], text[1:]
        alone, both = list(target.encode(character)), list(target.encode(text))
        return both[len(alone) :] if both[: len(alone)] == alone else (character, context)

    def telling(old: str, new: str) -> Telling:
        from tokharness.unicode.versions import STANDINS, category_in

        for character in _changed(old, new, MOST_CODE_POINTS):
            was, now = (STANDINS[category_in(character, version)] for version in (old, new))
            for context in FOLLOWING:
                before, after = called(tail, was + context), called(tail, now + context)
                if before != after:
                    yield character + context, before, after

    first, *others = [[called(tail, letter + end) for end in FOLLOWING] for letter in LETTERS]
    return _version(tail, telling) if all(other == first for other in others) else None


def normalizer_version(target: Target) -> str | None:
    """Version of the declared normal form; None if none is declared, or none agrees all along."""
    from tokharness.unicode.normalization import FORMS

    if target.normalizer is None or target.normalizer.upper() not in FORMS:
        return None

    form = target.normalizer.upper()
    return form_version(form, lambda text: target.decode(list(target.encode(text))))


def pin(target: Target, version: str) -> Target:
    """Return the same target at another Unicode version, under the same spec."""
    return target_of(target.spec, target.tokenizer.with_unicode_version(version))


def form_version(form: str, answer: Answer) -> str | None:
    """Version of a normal form that ``answer`` applies to a text; None if it agrees with none."""
    from tokharness.unicode.normalization import normalize

    def telling(old: str, new: str) -> Telling:
        for text in _mark_texts(old, new):
            was, now = (normalize(form, text, version=version) for version in (old, new))
            if was != now:
                yield text, was, now

    return _version(answer, telling)


def _version(answer: Answer, telling: Callable[[str, str], Telling]) -> str | None:
    """Newest version such that every pair up to it is answered as newer, and none after it."""
    from tokharness.unicode.versions import VERSIONS

    newest = VERSIONS[0]
    left_behind = decided = False
    for old, new in pairwise(VERSIONS):
        share = _share_of_newer(answer, telling(old, new))
        if share is None:
            newest = newest if left_behind else new
        elif share >= AGREEMENT and not left_behind:
            newest, decided = new, True
        elif share <= 1 - AGREEMENT:
            left_behind = decided = True
        else:
            return None
    return newest if decided else None


def _share_of_newer(answer: Answer, telling: Telling) -> float | None:
    """Share of telling texts that are answered as the newer version does."""
    newer = told = 0
    for text, was, now in telling:
        given = called(answer, text)
        told += given in (was, now)
        newer += given == now
    return newer / told if told else None


def _changed(old: str, new: str, most: int) -> Iterator[str]:
    """Characters whose general category changed, at most about ``most``, evenly spread."""
    from tokharness.unicode.versions import changed

    yield from map(chr, _some(changed(old, new), most))


def _split_texts(old: str, new: str) -> Iterator[str]:
    for character in _changed(old, new, MOST_CODE_POINTS):
        for context in CONTEXTS:
            yield context.format(character)


def _number_texts(old: str, new: str) -> Iterator[str]:
    from tokharness.unicode.versions import category_in, changed

    numbers = [point for point in changed(old, new) if category_in(chr(point), new)[0] == "N"]
    for point in _some(numbers, MOST_CODE_POINTS):
        for context in IN_NUMBERS:
            yield context.format(chr(point))


def _is_raised(one: tuple[str, object, object]) -> bool:
    """Whether the explainer raises, as it does where the vocabulary has no token for a byte."""
    return any(isinstance(answer, Raised) for answer in one)


def _some(code_points: Sequence[int], most: int) -> Sequence[int]:
    return code_points[:: max(len(code_points) // most, 1)]


def reclassified_texts(old: str, new: str) -> Iterator[str]:
    """A text with all contexts for some of the characters that a version classifies anew."""
    for character in _changed(old, new, MOST_CODE_POINTS):
        yield " ".join(context.format(character) for context in CONTEXTS)


def _mark_texts(old: str, new: str) -> Iterator[str]:
    """Texts that new decompositions, compositions and combining classes change."""
    from tokharness.unicode.normalization import normalize
    from tokharness.unicode.properties import combining

    for character in _changed(old, new, 0x110000):
        decomposed = normalize("NFKD", character)
        if decomposed != character:
            yield from (character, normalize("NFD", character), decomposed)
        elif combining(character):
            yield from (f"a\u0315{character}", f"a{character}\u0316")
