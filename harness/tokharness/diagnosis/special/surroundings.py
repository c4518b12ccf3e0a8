"""Text around a special token: what ``encode_special`` owes for it."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeVar

from tokharness.diagnosis.entry_points.affixes import affix_ids, without_affixes
from tokharness.diagnosis.entry_points.contracts import has_special_text
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised, called

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["surroundings_failures"]

Item = TypeVar("Item")

AROUND = (("a", "b"), ("Hello", " world"), (" a ", " b "), ("a\n", "\nb"), ("", "b"), ("a", ""))
MOST_TOKENS, MOST_PAIRS = 48, 16

LOST = Cause(
    "text around a special token",
    (("is", "lost"),),
    message="encode_special loses or changes the text around a special token",
)
SPLIT = Cause(
    "text around a special token",
    (("is", "split otherwise"),),
    Verdict.RISK,
    "encode_special splits the text around a special token otherwise than alone",
)
NO_ID = Cause(
    "special token",
    (("at", "encode_special"),),
    message="encode_special does not give a special token its id",
)


Parts = tuple[list[str], list[str]]
"""Texts, and the special tokens between them: one less."""


def surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Encode special tokens between texts; one failure for each way it goes wrong."""
    if not subject.target.can("encode_special"):
        return
    failed: dict[Cause, list[str]] = {}
    tokens = [*subject.target.special_tokens]
    for tried in (_alone(tokens), _in_turns(tokens)):
        for texts, specials in tried:
            cause = _cause(texts, specials, subject)
            if cause is not None:
                failed.setdefault(cause, []).append(_joined(texts, specials))
        if NO_ID in failed or LOST in failed:  # it shows in turns too, in other ways
            break
    for cause, some in failed.items():
        yield Failure(cause, count=len(some), text=min(some, key=lambda t: (len(t), t)))


def _alone(tokens: list[str]) -> Iterator[Parts]:
    """Each token between texts."""
    for special in _evenly(tokens, MOST_TOKENS):
        for before, after in (*AROUND, *_begun(special)):
            yield [before, after], [special]


def _begun(special: str) -> Iterator[tuple[str, str]]:
    """What begins, or ends, like the token: a search that goes on behind it misses the token."""
    for size in sorted({1, 2, len(special) // 2, len(special) - 1} & {*range(1, len(special))}):
        if (special[:size] + special).find(special) == size:
            yield special[:size], ""
            yield "", special[-size:]


def _in_turns(tokens: list[str]) -> Iterator[Parts]:
    """Neighbours as they stand in the turns of a conversation."""
    for one, two in _evenly([*zip(tokens, [*tokens[1:], *tokens[:1]], strict=True)], MOST_PAIRS):
        yield ["", "\n", ""], [one, two]
        yield ["", "", ""], [one, two]
        yield ["", "user\nhi", "\n", ""], [one, two, one]


def _evenly(items: list[Item], most: int) -> list[Item]:
    return items[:: -(-len(items) // most) or 1]


def _joined(texts: Sequence[str], specials: Sequence[str]) -> str:
    return "".join(chain.from_iterable(zip_longest(texts, specials, fillvalue="")))


def _cause(texts: list[str], specials: list[str], subject: Subject) -> Cause | None:
    """Return what is wrong with the ids of these texts with special tokens between them, if any."""
    whole = _joined(texts, specials)
    (ids,) = encode_all([whole], subject, "encode_special")
    known = [subject.try_encode(text) for text in texts]
    alone = [without_affixes(one, subject) for one in known if one is not None]
    if len(alone) < len(texts) or _holds_others(texts, specials, whole, subject):
        return None
    if isinstance(ids, Raised):
        return NO_ID
    numbers = [subject.target.special_tokens[special] for special in specials]
    start, end = affix_ids(subject, "encode_special")
    wanted = [*alone[0], *(i for n, one in zip(numbers, alone[1:], strict=True) for i in (n, *one))]
    if ids == [*start, *wanted, *end]:
        return None
    core = without_affixes(ids, subject, "encode_special")
    if any(core.count(number) < wanted.count(number) for number in numbers):
        return NO_ID if set(numbers).isdisjoint(core) else LOST
    if [i for i in core if i in numbers] != numbers:
        return SPLIT  # of two tokens that begin alike
    parts = _cut(core, numbers)
    same = all(_text(a, subject) == _text(b, subject) for a, b in zip(parts, alone, strict=True))
    return SPLIT if same else LOST


def _holds_others(texts: list[str], specials: list[str], whole: str, subject: Subject) -> bool:
    """Whether there is the text of a special token that does not stand there as one.

    That is in the texts, or where the end of one token and the beginning of another make a third.
    """
    if has_special_text("".join(texts), subject):
        return True
    held = (special for special in subject.special_tokens if special in whole)
    return any(not any(other in one for one in specials) for other in held)


def _cut(ids: list[int], numbers: Collection[int]) -> list[list[int]]:
    """Ids before, between and after those of special tokens."""
    parts: list[list[int]] = [[]]
    for one in ids:
        if one in numbers:
            parts.append([])
        else:
            parts[-1].append(one)
    return parts


def _text(ids: list[int], subject: Subject) -> object:
    """Text of some ids; None where they have none."""
    text = called(subject.target.decode, ids)
    return None if isinstance(text, Raised) else text
