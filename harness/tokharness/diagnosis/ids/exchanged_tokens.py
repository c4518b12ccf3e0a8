"""Tokens that have exchanged their ranks or scores: both in one text, or each in other texts.

The exchange has to predict the target's ids of a text, and of texts of tokens next to it. If only
one of the two tokens is in the text, the other one is in another failing text, and the exchange has
to predict both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

MOST_PAIRS = 600
"""Most pairs of tokens that are tried for a text."""

LONGEST_REGION = 24
"""Longest part of a text with different ids, in characters or bytes, that is searched."""

MOST_PROBES, MOST_OVERLAPPING = 120, 400
"""Most texts of tokens, and of two competing tokens, whose ids an exchange has to predict."""

LARGE_VOCABULARY, FEW_PAIRS = 30_000, 60
"""Size of a vocabulary that takes long to edit, and the most pairs that are tried for it."""

REPLACED = "\ufffd"


@dataclass(frozen=True, slots=True)
class _Region:
    """The part of a failing text with other tokens, and the tokens whose ranks may decide it."""

    text: str
    ids: list[Any]
    wanted: list[Any]
    content: Any
    ours: list[Any]
    theirs: list[Any]
    inside: list[Any]

    @property
    def tokens(self) -> dict[Any, None]:
        return dict.fromkeys((*self.theirs, *self.ours, *self.inside))


def exchanges(
    text: str, ids: Sequence[Any], wanted: Sequence[Any], model: Target, subject: Subject
) -> Iterator[tuple[str, Target]]:
    """Yield each exchange of two tokens that predicts the ids of a text, with the edited model."""
    # Once for all texts: a call for each token of a large vocabulary uses up a diagnosis.
    texts = subject.cache.get_or_compute("texts of the model's tokens", lambda: _texts(model))
    region = _region(text, ids, wanted, texts)
    if region is None:
        return
    earlier: list[_Region] = subject.cache.get_or_compute("regions with other tokens", list)
    pairs = (
        *product(region.theirs, region.ours),
        *product(region.inside, (*region.ours, *region.inside)),
        *_apart(region, earlier),
    )
    tried = dict.fromkeys(
        (min(one, other), max(one, other))
        for one, other in pairs
        if one != other and not _is_a_byte(texts[one]) and not _is_a_byte(texts[other])
    )
    most = FEW_PAIRS if len(texts) > LARGE_VOCABULARY else MOST_PAIRS
    probes_of = cache(lambda content: _probes(content, texts, model, subject))
    for one, other in islice(tried, most):
        target = model.with_edited_tokens({"exchanged": [one, other]})
        if isinstance(target, Raised) or target.encode(text) != list(ids):
            continue
        others = [] if {one, other} <= region.tokens.keys() else earlier
        places = [place for place in others if not {one, other}.isdisjoint(place.tokens)]
        contents = [region.content, *(place.content for place in places)]
        near = chain.from_iterable(map(probes_of, contents))
        probes = chain(((place.text, place.ids) for place in places), near)
        if all(target.encode(probe) == own_ids for probe, own_ids in probes):
            yield f"{texts[one]!a} and {texts[other]!a} have each other's rank or score", target
    earlier.append(region)


def _apart(region: _Region, earlier: Sequence[_Region]) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of a token of this text, and one of earlier texts, in most of them first."""
    number = Counter(token for other in earlier for token in other.tokens)
    others = [token for token, _ in number.most_common() if token not in region.tokens]
    ranked = product(enumerate(region.tokens), enumerate(others))
    nearest_first = sorted((at + behind, one, token) for (at, one), (behind, token) in ranked)
    yield from ((one, token) for _, one, token in nearest_first)


def _region(
    text: str, ids: Sequence[Any], wanted: Sequence[Any], texts: Mapping[Any, Any]
) -> _Region | None:
    """Return the part of a text with other tokens; None if it has other characters, or is long."""
    ours, theirs = _different(ids, wanted)
    if not ours or not theirs or not {*ours, *theirs} <= texts.keys():
        return None
    empty = texts[theirs[0]][:0]
    content, own = (empty.join(texts[number] for number in row) for row in (theirs, ours))
    if content != own or len(content) > LONGEST_REGION:
        return None
    inside = _inside(content, texts)
    return _Region(text, list(ids), list(wanted), content, ours, theirs, inside)


def _probes(
    region: Any, texts: Mapping[Any, Any], model: Target, subject: Subject
) -> list[tuple[str, list[Any]]]:
    """Return texts of tokens with the target's ids; texts that overlap a region come first."""
    pairs = {region[at : at + 2] for at in range(len(region) - 1)}
    near = (number for number, text in texts.items() if any(pair in text for pair in pairs))
    longer = (number for number, text in texts.items() if len(text) > 1)
    near_first = islice(chain(islice(near, MOST_PROBES), longer), 2 * MOST_PROBES)
    probed = islice(dict.fromkeys(near_first), MOST_PROBES)
    decoded = map(model.decode, ([number] for number in probed))
    words = [text for text in decoded if not isinstance(text, Raised) and REPLACED not in text]
    probes = dict.fromkeys((*words, *islice(_overlapping(words), MOST_OVERLAPPING)))
    return [(probe, ids) for probe in probes if (ids := subject.encode(probe)) is not None]


def _overlapping(words: Sequence[str]) -> Iterator[str]:
    """Yield texts in which two words overlap by a character, then texts of two adjacent words.

    Two merges compete for this character, and the merge with the lower rank gets it.
    """
    for one, other in product(words, repeat=2):
        if one[-1:] == other[:1]:
            yield one + other[1:]
    yield from map("".join, product(words, repeat=2))


def _different(ids: Sequence[Any], others: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Return both lists of ids without their common start and end."""
    least, start, end = min(len(ids), len(others)), 0, 0
    while start < least and ids[start] == others[start]:
        start += 1
    while end < least - start and ids[-1 - end] == others[-1 - end]:
        end += 1
    return list(ids[start : len(ids) - end]), list(others[start : len(others) - end])


def _inside(region: Any, texts: Mapping[Any, Any]) -> list[Any]:
    """Return the tokens of several characters or bytes inside a region, the longest first."""
    size = len(region)
    parts = {region[at:end] for at in range(size) for end in range(at + 2, size + 1)}
    found = [number for number, text in texts.items() if text in parts]
    return sorted(found, key=lambda number: (-len(texts[number]), number))


def _texts(model: Target) -> dict[Any, Any]:
    """Return the bytes or the text of each token of a model that has one."""
    method = next((m for m in ("token_text", "decode_single_token_bytes") if model.can(m)), None)
    if method is None or not model.n_vocab:
        return {}
    special = {*model.special_tokens.values()}
    numbers = [number for number in range(model.n_vocab) if number not in special]
    rows = zip(numbers, model.call_each(method, numbers), strict=True)
    return {number: text for number, text in rows if not isinstance(text, Raised)}


def _is_a_byte(text: Any) -> bool:
    """Whether a token is a single byte: no merge makes it, so that its rank decides nothing."""
    return isinstance(text, bytes) and len(text) == 1
