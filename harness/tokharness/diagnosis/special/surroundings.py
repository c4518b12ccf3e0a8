"""Whether ``encode_special`` keeps the text around special tokens."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import TYPE_CHECKING, TypeVar

from tokharness.diagnosis.comparisons import compared
from tokharness.diagnosis.entry_points.affixes import affix_ids, without_affixes
from tokharness.diagnosis.entry_points.contracts import has_special_text
from tokharness.diagnosis.entry_points.of_the_file import is_of_the_file
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tokharness.targets.subject import Subject

__all__ = ["NO_ID", "surroundings_failures"]

Item = TypeVar("Item")

SURROUNDINGS = (
    ("a", "b"),
    ("Hello", " world"),
    (" a ", " b "),
    ("a\n", "\nb"),
    ("", "b"),
    ("a", ""),
)
MAX_TOKENS, MAX_PAIRS = 48, 16

LOST = Cause(
    "text around a special token",
    (("is", "lost"),),
    message="encode_special loses or changes the text around a special token",
)
SPLIT = Cause(
    "text around a special token",
    (("is", "split differently"),),
    Verdict.RISK,
    "encode_special splits text around a special token differently than the text alone",
)
NO_ID = Cause(
    "special token",
    (("at", "encode_special"),),
    message="encode_special does not give the id of a special token",
)


Parts = tuple[list[str], list[str]]
"""Texts, and the special tokens between them: one fewer than texts."""


def surroundings_failures(subject: Subject) -> Iterator[Failure]:
    """Encode special tokens between texts; one failure for each kind of fault."""
    if not subject.target.can("encode_special"):
        return
    failed: dict[Cause, list[Parts]] = {}
    tokens = [*subject.target.special_tokens]
    for samples in (_single_tokens(tokens), _conversations(tokens)):
        for texts, specials in samples:
            cause = _cause(texts, specials, subject)
            if cause is not None:
                failed.setdefault(cause, []).append((texts, specials))
        if NO_ID in failed or LOST in failed:  # conversations would show the same fault differently
            break
    for cause, failing in failed.items():
        texts, specials = min(failing, key=_size)
        text = _interleave(texts, specials)
        (given,) = encode_all([text], subject, "encode_special")
        expected = _with_added_ids(_expected(texts, specials, subject) or [], subject)
        evidence = {"entry point": "encode_special", **compared(given, expected, subject)}
        if subject.reference is not None and subject.reference.can("stages"):
            evidence["stage"] = "added tokens"
        yield Failure(cause, count=len(failing), text=text, evidence=evidence)


def _size(parts: Parts) -> tuple[int, str]:
    text = _interleave(*parts)
    return len(text), text


def _expected(texts: list[str], specials: list[str], subject: Subject) -> list[int] | None:
    """Return the ids of the texts alone, with the special ids between them; None if one raises."""
    alone = _alone(texts, subject)
    if len(alone) < len(texts):
        return None
    numbers = [subject.target.special_tokens[special] for special in specials]
    pairs = zip(numbers, alone[1:], strict=True)
    return [*alone[0], *(i for number, row in pairs for i in (number, *row))]


def _with_added_ids(ids: list[int], subject: Subject) -> list[int]:
    prefix, suffix = affix_ids(subject, "encode_special")
    return [*prefix, *ids, *suffix]


def _alone(texts: list[str], subject: Subject) -> list[list[int]]:
    """Return the ids of each text without those that every text gets; none for a refused text."""
    rows = map(subject.encode, texts)
    return [without_affixes(row, subject) for row in rows if row is not None]


def _single_tokens(tokens: list[str]) -> Iterator[Parts]:
    """One token between texts."""
    for special in _sample_evenly(tokens, MAX_TOKENS):
        for before, after in (*SURROUNDINGS, *_partial_tokens(special)):
            yield [before, after], [special]


def _partial_tokens(special: str) -> Iterator[tuple[str, str]]:
    """The token's own start before it, or its own end after it, which may mislead a search."""
    for size in sorted({1, 2, len(special) // 2, len(special) - 1} & {*range(1, len(special))}):
        if (special[:size] + special).find(special) == size:
            yield special[:size], ""
            yield "", special[-size:]


def _conversations(tokens: list[str]) -> Iterator[Parts]:
    """Pairs of tokens as in the turns of a conversation."""
    pairs = [*zip(tokens, [*tokens[1:], *tokens[:1]], strict=True)]
    for first, second in _sample_evenly(pairs, MAX_PAIRS):
        yield ["", "\n", ""], [first, second]
        yield ["", "", ""], [first, second]
        yield ["", "user\nhi", "\n", ""], [first, second, first]


def _sample_evenly(items: list[Item], most: int) -> list[Item]:
    return items[:: -(-len(items) // most) or 1]


def _interleave(texts: Sequence[str], specials: Sequence[str]) -> str:
    return "".join(chain.from_iterable(zip_longest(texts, specials, fillvalue="")))


def _cause(texts: list[str], specials: list[str], subject: Subject) -> Cause | None:
    """Cause if the ids of these texts with special tokens between them are wrong."""
    whole = _interleave(texts, specials)
    (ids,) = encode_all([whole], subject, "encode_special")
    expected = _expected(texts, specials, subject)
    if expected is None or _has_other_tokens(texts, specials, whole, subject):
        return None
    if isinstance(ids, Raised):
        return NO_ID
    if ids == _with_added_ids(expected, subject):
        return None
    if is_of_the_file("encode_special", whole, ids, subject):
        return None
    numbers = [subject.target.special_tokens[special] for special in specials]
    core = without_affixes(ids, subject, "encode_special")
    if any(core.count(number) < expected.count(number) for number in numbers):
        return NO_ID if set(numbers).isdisjoint(core) else LOST
    if [i for i in core if i in numbers] != numbers:
        return SPLIT  # another of two tokens with a common prefix
    parts = _split_at(core, numbers)
    pairs = zip(parts, _alone(texts, subject), strict=True)
    same = all(_text(a, subject) == _text(b, subject) for a, b in pairs)
    return SPLIT if same else LOST


def _has_other_tokens(texts: list[str], specials: list[str], whole: str, subject: Subject) -> bool:
    """Whether the whole text has a special token that is not one of ``specials``.

    It may be in the texts, or made of the end of one token and the start of the next.
    """
    if has_special_text("".join(texts), subject):
        return True
    tokens = (special for special in subject.special_tokens if special in whole)
    return any(not any(token in special for special in specials) for token in tokens)


def _split_at(ids: list[int], numbers: Collection[int]) -> list[list[int]]:
    """Ids before, between and after those of special tokens."""
    parts: list[list[int]] = [[]]
    for number in ids:
        if number in numbers:
            parts.append([])
        else:
            parts[-1].append(number)
    return parts


def _text(ids: list[int], subject: Subject) -> object:
    """Text that some ids decode to; None if the target raises."""
    return subject.decode(ids)
