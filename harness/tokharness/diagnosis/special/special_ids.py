"""Special ids of a plain text: which are there, which should not be, and what the text did.

An id that stands for text outside the vocabulary, or that every text gets, is no fault of a text.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import regex

from tokharness.diagnosis.entry_points.affixes import (
    ids_inside,
    padding_id,
    reference_affixes,
    without_affixes,
    without_padding,
)
from tokharness.diagnosis.special.disguises import explain_special_id
from tokharness.model import Cause
from tokharness.targets.subject import scalar_text

if TYPE_CHECKING:
    from tokharness.targets.subject import Subject

RARE = ("\u1342", "\ua92e\u2e0f", "\u16a6", "\U00010330")
"""Letters and marks that few vocabularies have, and that no normalizer drops."""

BEYOND_BMP = ("\U00010280", "\U00012000", "\U00016a40")
SINGLE = (*string.ascii_letters, *string.digits, *string.punctuation, *BEYOND_BMP)
"""Characters whose bytes a vocabulary may lack although it has the bytes of RARE."""


def unknown_ids(subject: Subject) -> frozenset[int]:
    """Special ids, and the id that the model declares, if texts without a token get them.

    A large vocabulary has tokens for some of the rare texts that are tried. Several characters
    get the id that the model declares if it lacks tokens of bytes; another special id is a fault.
    """
    if padding_id(subject) is not None:
        subject = without_padding(subject)

    def compute() -> frozenset[int]:
        always = set(subject.encode("") or [])
        declared = {*subject.special_tokens.values(), subject.target.unknown_id}
        special = frozenset(number for number in declared if number is not None) - always
        rows = [special.intersection(ids_inside(text, subject)) for text in RARE]
        rows = [ids for ids in rows if ids]
        of_rare = special.intersection(*rows) if len(rows) > 1 else frozenset()
        sides = (subject.target, subject.reference)
        unknown = {side.unknown_id for side in sides if side is not None} - {None}
        return of_rare | _ids_of_several_characters(special & unknown, subject)

    return subject.cache.get_or_compute("unknown ids", compute)


def _ids_of_several_characters(special: frozenset[int], subject: Subject) -> frozenset[int]:
    """Return the ids that several single characters get, but not all."""
    single = SINGLE if special else ()
    counts = Counter(
        number for text in single for number in special.intersection(ids_inside(text, subject))
    )
    return frozenset(number for number, count in counts.items() if 1 < count < len(single))


def has_special_id(ids: list[int], subject: Subject) -> bool:
    """Whether these ids have a special id that not every text gets."""
    return bool(unexpected_ids(ids, subject))


EXACT, OTHER = "exact text", "other text"

_IN_WORDS = {
    EXACT: "the entry point for plain text reads its text",
    OTHER: "the text is a different one, and no known step explains the id",
}


def special_causes(
    text: str, ids: list[int], subject: Subject, wanted: list[int] | None = None
) -> list[Cause]:
    """Causes for the special ids among ``ids``, the ids of a plain ``text``.

    Special ids that are ``wanted``, as a reference gives them, too, have none.
    """
    unexpected = unexpected_ids(ids, subject) - unexpected_ids(wanted or [], subject)
    for first, number in subject.special_tokens.items():
        if number in unexpected and number in subject.target.conflicting_tokens:
            return [shared_id_cause(first, number)]
        if number in unexpected:
            same = [one for one, other in subject.special_tokens.items() if other == number]
            rows = [  # several tokens may have one id, as two sides name it
                (special, _transformations(text, special, number, subject))
                for special in sorted(same, key=lambda one: one not in text)
            ]
            special, ways = next((row for row in rows if row[1] != [OTHER]), rows[0])
            return [_from_text(special, number, how) for how in ways]
    unknown = unknown_ids(subject)
    inside = [(t, n) for t, n in subject.special_tokens.items() if n in unknown and t in text]
    return [_from_text(*one, EXACT) for one in inside if _reads_unknown_token(*one, subject)]


OWN_TOKENS_CUT = Cause(
    "added tokens",
    (("own", "the text of a special token that only the target has cuts plain text"),),
    message="the parts before and after special tokens that only the target has are encoded alone, "
    "and give these ids",
)


def own_token_causes(text: str, ids: list[int], subject: Subject) -> list[Cause]:
    """Return the cause of a plain text that special tokens cut which only the target has.

    Each part is plain text, and so is the text of a token. With another letter in each token, the
    text has the ids of the reference: the token cuts, and not what stands next to it.
    """
    reference, tokens = subject.reference, subject.target.special_tokens
    own = () if reference is None else tokens.keys() - reference.special_tokens.keys()
    if not any(one in text for one in own):
        return []
    longest_first = sorted(filter(None, tokens), key=len, reverse=True)
    token = re.compile(f"({'|'.join(map(re.escape, longest_first))})")
    rows = [subject.reference_ids(part) for part in token.split(text) if part]
    known = [row for row in rows if row is not None]
    if len(known) < len(rows) or list(chain.from_iterable(known)) != list(ids):
        return []
    other = token.sub(lambda match: LETTER.sub(_another, match[0], count=1), text)
    given, wanted = subject.encode(other), subject.reference_ids(other)
    if given is None or wanted is None or token.search(other):
        return []
    is_right = list(reference_affixes(subject).without(given)) == wanted
    return [OWN_TOKENS_CUT] if is_right else []


LETTER = re.compile("[A-Za-z]")


def _another(letter: re.Match[str]) -> str:
    return "q" if letter[0] != "q" else "z"


def _reads_unknown_token(special: str, number: int, subject: Subject) -> bool:
    """Whether the unknown token's text is read as that token, although its parts have tokens."""
    ids = subject.encode(special)
    if ids is None or without_affixes(ids, subject) != [number]:
        return False
    unknown, parts = unknown_ids(subject), {special[:-1], special[1:], *special}
    return all(unknown.isdisjoint(subject.encode(part) or ()) for part in parts)


def _from_text(special: str, number: int, how: str) -> Cause:
    message = (
        f"plain text is encoded as the special token {special}, id {number}: "
        f"{_IN_WORDS.get(how, how)}"
    )
    return Cause("special token", (("from", how),), message=message)


def shared_id_cause(special: str, number: int) -> Cause:
    """Cause for a special id that an ordinary token has too."""
    message = f"an ordinary token has the id {number:,} of the special token {special}"
    return Cause("shared special id", (("with", "an ordinary token"),), message=message)


def special_ids(subject: Subject) -> frozenset[int]:
    """Return the ids of the special tokens."""
    return subject.cache.get_or_compute(
        "special ids", lambda: frozenset(subject.special_tokens.values())
    )


def unexpected_ids(ids: list[int], subject: Subject) -> Counter[int]:
    """Special ids that an ordinary letter does not get, with their counts."""
    special = special_ids(subject)
    padding = padding_id(subject)

    def compute() -> Counter[int]:
        return Counter(i for i in own(subject.encode("a") or []) if i in special)

    def own(ids: list[int]) -> list[int]:
        return ids if padding is None else without_affixes(ids, subject)

    always = subject.cache.get_or_compute("special ids of every text", compute)
    unknown = unknown_ids(subject)
    return Counter(i for i in own(ids) if i in special and i not in unknown) - always


def _gives(text: str, number: int, subject: Subject) -> bool:
    """Whether a text gets this special id; the padding id counts only between other tokens."""
    if number == padding_id(subject):
        text = f"a{text}a"
    return number in unexpected_ids(subject.encode(text) or [], subject)


def _transformations(text: str, special: str, number: int, subject: Subject) -> list[str]:
    """Changes of the text that may turn it into the special token, the narrowest first.

    A declared normalizer that makes the token's own text of it is no cause if that text is read.
    """
    known: dict[tuple[str, int], bool] = subject.cache.get_or_compute("special probes", dict)

    def works(probe: str) -> bool:
        if (probe, number) not in known:
            known[probe, number] = _gives(probe, number, subject)
        return known[probe, number]

    expected = subject.with_declared_normalizer().expected_text(scalar_text(text))
    if special not in text and special in expected and works(special):
        return [EXACT]
    return explain_special_id(text, special, tuple(subject.special_tokens), works)


CONTROL = regex.compile(r"<[^<>\s]{1,40}>|\[[^\[\]\s]{1,40}\]")
"""A text such as <s>, <|im_start|> or [INST]."""
