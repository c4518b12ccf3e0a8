"""Characters that a pre-tokenizer puts in a wrong class: U+FEFF in white space, marks in symbols.

Patterns match characters by class. If replacing a character by a stand-in of another class makes
the explainer split as the target does, in all contexts that distinguish classes, the target puts
the character in that class.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import accumulate, islice, product
from typing import TYPE_CHECKING

from tokharness.diagnosis.text.pretokens import words_in_text
from tokharness.model import Cause
from tokharness.outcome import Raised
from tokharness.targets.subject import scalar_text
from tokharness.unicode import properties

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

FindBoundaries = Callable[[str], "set[int] | None"]
"""Gives the target's token boundaries, in bytes, for one character in a context."""

STANDINS = {
    "white space": "\u1680",
    "line ends": "\n",
    "letters": "\u01bb",
    "numbers": "\u0660",
    "symbols": "\u00a6",
    "marks": "\u0483",
}
"""A character for each class that the known patterns distinguish, which no normal form changes."""

CONTEXTS = (
    *("{}a", "a{}", "a{}a", " {}a", "{}'s", "a{}'s", "1{}1", "{}{}", "a {}.", "_{}_a", " {}"),
    # These distinguish letters from marks and white space, and numbers from all other classes.
    *("!!{}'s", "{}'test", "{}1234"),
)
AMONG_NUMBERS = ("1{}1", "{}{}", "{}1234")
CONTEXT_PUNCTUATION = "._"
"""Characters of the contexts that are not ordinary."""

ORDINARY = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \r\n'!")
ENOUGH = 100
"""Probed characters of one category and plane with the same class after which the remaining
characters are assumed to have that class. Assumed characters are not reported.
"""

LISTED, MAX_CHOICES = 12, 64
OR, ANOTHER = " or ", "another class"
READ_AS = "read as another class"


def reclassified_causes(text: str, boundaries: set[int], subject: Subject) -> list[Cause]:
    """Causes, if putting some characters in other classes explains how the target splits this text.

    ``boundaries`` are the ends of the target's tokens, in bytes.
    """
    plain, known = scalar_text(text), _known_classes(subject)
    characters = sorted(set(plain) - ORDINARY)
    # The known classes may be enough: probing a character takes tens of calls.
    for class_of in (known.get, lambda character: _read_as(character, subject)):
        classes = {char: name for char in characters if (name := class_of(char))}
        fitting = [
            chosen
            for chosen in _choices(classes)
            if _fits(plain, _with_standins(plain, chosen), boundaries, subject)
        ]
        if fitting:
            _leave_out_unfitting(classes, fitting, subject)
            names = {_proved_class(known[char], subject) for char in classes}
            return [_cause(name, subject) for name in sorted(names)]
    return []


def _choices(classes: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield a class for each character, among the classes that fit all contexts."""
    if classes:
        several = product(*(name.split(OR) for name in classes.values()))
        for names in islice(several, MAX_CHOICES):
            yield dict(zip(classes, names, strict=True))


def _leave_out_unfitting(
    classes: Mapping[str, str], fitting: Sequence[Mapping[str, str]], subject: Subject
) -> None:
    """Remove the classes of a character that do not help to explain a text."""
    known = _known_classes(subject)
    for char, name in classes.items():
        left = OR.join(dict.fromkeys(chosen[char] for chosen in fitting))
        if left != name:
            known[char] = left
            subject.diagnosis_pass.learned = True


def _proved_class(name: str, subject: Subject) -> str:
    """Return the class, among several, that is proved by other characters, if there is one."""
    proved = {read for read in _known_classes(subject).values() if OR not in read}
    return next((one for one in name.split(OR) if one in proved), name)


def _known_classes(subject: Subject) -> dict[str, str]:
    """Class that each probed character is read as; "" if that is its own class."""
    return subject.discoveries.characters(READ_AS).known


def _probed(subject: Subject) -> set[str]:
    """Characters that were probed; the classes of other characters are assumed from them."""
    return subject.discoveries.characters(READ_AS).probed


def _read_as(character: str, subject: Subject) -> str:
    """Class that the target reads a character as; "" if that is its own class.

    Classes that no context distinguishes are joined by ``OR``: the tokens of a rare character may
    be the same whether the pattern splits around it or not.
    """
    known = _known_classes(subject)
    if character not in known:
        counts = subject.discoveries.class_counts
        kind = f"{properties.category(character)} {ord(character) >> 16}"
        name = next((name for name in STANDINS if counts[kind, name] >= ENOUGH), None)
        if name is None:
            find = functools.cache(lambda context: _find_boundaries(context, character, subject))
            fitting = [name for name in STANDINS if _is_read_as(character, name, find, subject)]
            if "white space" in fitting:  # line ends are white space too
                fitting = [name for name in fitting if name != "line ends"]
            name = OR.join(fitting)
            counts[kind, name] += 1
            _probed(subject).add(character)
        known[character] = name
        if name:
            subject.diagnosis_pass.learned = True
    return known[character]


def _is_read_as(
    character: str, name: str, find_boundaries: FindBoundaries, subject: Subject
) -> bool:
    """Whether this class explains the boundaries in all contexts, and is needed in at least one.

    Punctuation of the contexts may be in another class too, so it is probed first. A number that is
    split from the numbers next to it may still be in its own class.
    """
    needed = False
    is_number = properties.category(character).startswith("N")
    for context in CONTEXTS:
        punctuation = set(context) - ORDINARY - {*"{}", character}
        if punctuation and character in CONTEXT_PUNCTUATION:
            continue
        known = {mark: other for mark in punctuation if (other := _read_as(mark, subject))}
        text, boundaries = context.replace("{}", character), find_boundaries(context)
        if boundaries is None or not _fits(
            text, _with_standins(text, {**known, character: name}), boundaries, subject
        ):
            return False
        if is_number and context in AMONG_NUMBERS:
            continue
        needed = needed or not _fits(text, _with_standins(text, known), boundaries, subject)
    return needed


def _find_boundaries(context: str, character: str, subject: Subject) -> set[int] | None:
    """Token boundaries of a character in a context; None if the tokens are not that text."""
    text = context.replace("{}", character)
    found = _boundaries(subject.encode(text), subject)
    return None if found is None or max(found) != len(text.encode()) else found


def _boundaries(ids: Sequence[int] | Raised | None, subject: Subject) -> set[int] | None:
    """Ends of tokens in bytes; None if unknown."""
    pieces = None if ids is None or isinstance(ids, Raised) else subject.token_bytes(ids)
    return None if pieces is None else {0, *accumulate(map(len, pieces))}


def _with_standins(text: str, classes: dict[str, str]) -> str:
    standins = {ord(char): STANDINS[name.split(OR)[0]] for char, name in classes.items()}
    return text.translate(standins)


def _fits(text: str, disguised: str, boundaries: set[int], subject: Subject) -> bool:
    """Whether the target's boundaries in a text fit the pre-tokens of the disguised text.

    The disguised text has as many characters as the text.
    """
    explainer = subject.explainer
    words = None if explainer is None else words_in_text(disguised, explainer)
    if explainer is None or words is None:
        return False
    start = place = 0
    for word in words:
        pretoken = text[place : place + len(word)]
        end = start + len(pretoken.encode())
        inside = {at - start for at in boundaries if start <= at <= end}
        if not {0, end - start} <= inside:
            return False
        # The explainer cannot show the merges of a pre-token that it would split further.
        whole = words_in_text(pretoken, explainer) == [pretoken]
        if whole and inside != _explainer_boundaries(pretoken, subject):
            return False
        start, place = end, place + len(pretoken)
    return True


def _explainer_boundaries(pretoken: str, subject: Subject) -> set[int] | None:
    explainer = subject.explainer
    return None if explainer is None else _boundaries(explainer.encode(pretoken), subject)


def _cause(name: str, subject: Subject) -> Cause:
    """Cause for the characters read as this class; several characters are named by category."""

    def make() -> Cause:
        probed = _probed(subject)
        classes = _known_classes(subject)
        characters = [
            char
            for char, read in classes.items()
            if char in probed and _proved_class(read, subject) == name
        ]
        if len(characters) == 1:
            named = shown = properties.label(characters[0])
        else:
            named = f"of {', '.join(sorted(set(map(properties.category, characters))))}"
            named += " beyond the BMP" if min(map(ord, characters)) > 0xFFFF else ""
            ranges = properties.ranges(map(ord, characters)).split(", ")
            shown = ", ".join(ranges[:LISTED]) + (" and more" if len(ranges) > LISTED else "")
        read_as = ANOTHER if OR in name else name
        which = f"{read_as}; these explain it: {name}" if OR in name else name
        return Cause(
            "character class",
            (("characters", named), ("read as", read_as)),
            message=f"the pre-tokenizer treats {shown} as {which}",
        )

    return subject.cache.get_or_compute(
        f"read as {name} in pass {subject.diagnosis_pass.number}", make
    )
