"""Normalizers as stages: which of them change a text the same way if it is cut."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import combining, members
from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.normalizers.forms import (
    BertNormalizer,
    NormalForm,
    is_boundary,
)
from tokharness_tokenizers.reference.normalizers.mapping import Lowercase, Nmt, StripAccents
from tokharness_tokenizers.reference.normalizers.replacing import Prepend, Replace, Sequence
from tokharness_tokenizers.seams.of_patterns import VERSIONS, class_of_matcher
from tokharness_tokenizers.seams.partition import Partition, spans_of, spans_of_atom
from tokharness_tokenizers.seams.stages import (
    Image,
    Meeting,
    NotKnownError,
    Stage,
    relation_of,
    uniform,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.components import Normalizer

MAPPED = [*range(0xD800), *range(0xE000, 0x33480), *range(0xE0000, 0xE1000)]
"""Code points that a normalizer may change to others; the rest it keeps, or removes."""
PRIVATE = [*range(0xF0000, 0x110000)]
BLOCK, BETWEEN = 64, "a"

MOST_REPLACED = 0x8000
"""Characters of a replaced class."""

COMPOSING = ("NFC", "NFKC")


def stages_of_normalizer(normalizer: Normalizer | None) -> Iterator[Stage]:
    """Yield the stages of a normalizer; raises as :func:`stage_of` does."""
    for one in components_of(normalizer):
        yield stage_of(one)


def components_of(normalizer: Normalizer | None) -> list[Normalizer]:
    """Return the components of a normalizer, in their order."""
    if normalizer is None:
        return []
    if isinstance(normalizer, Sequence):
        return [one for part in normalizer.normalizers for one in components_of(part)]
    return [normalizer]


def stage_of(normalizer: Normalizer) -> Stage:
    """Return the stage of a component of a normalizer.

    Raises:
        NotKnownError: nothing is proven of it.

    """
    if isinstance(normalizer, NormalForm):
        return _of_form(normalizer)
    if isinstance(normalizer, BertNormalizer):
        return _of_bert(normalizer)
    if isinstance(normalizer, Lowercase | Nmt | StripAccents):
        return uniform(type(normalizer).__name__, Meeting.JOINED, _images(normalizer))
    if isinstance(normalizer, Replace):
        return _of_replace(normalizer)
    if isinstance(normalizer, Prepend):
        raise NotKnownError(f"each text gets {normalizer.prepend!r} before it")
    raise NotKnownError(f"nothing is proven of the normalizer {type(normalizer).__name__}")


def _images(normalizer: Any) -> dict[str, Image]:
    """Return the images of the characters that a normalizer changes one by one."""
    changed = ((char, normalizer.normalize(char)) for char in _changed(normalizer.normalize))
    return {char: Image.of(new) for char, new in changed if char != new}


def _changed(change: Callable[[str], str]) -> Iterator[str]:
    """Yield the characters that a function of texts may change, found by blocks of them."""
    points = [*MAPPED, *PRIVATE]
    for start in range(0, len(points), BLOCK):
        block = "".join(map(chr, points[start : start + BLOCK]))
        spaced = BETWEEN.join(block)  # so that no character is next to another
        if change(spaced) != spaced:
            yield from block


@lru_cache(maxsize=8)
def _of_bert(normalizer: BertNormalizer) -> Stage:
    """Only what is combining and stays, or goes, may change places with what is before it."""
    images = _images(normalizer)
    moves = {char for char, image in images.items() if image.first is None}
    moves.update(
        char
        for char in chain(_marks(), _changed(partial(normalize, "NFD")))
        if combining(char) or combining(normalize("NFD", char)[0])
    )
    partition = Partition.of_sets([spans_of(map(ord, moves))])

    def meeting(_: str, first: str) -> Meeting:
        return Meeting.NOT_KNOWN if first in moves else Meeting.JOINED

    return Stage("BertNormalizer", partition, relation_of(partition, meeting), images)


def _marks() -> Iterator[str]:
    """Yield all characters that are combining, and some that are not."""
    return map(chr, members(r"\p{M}"))


@cache
def _of_form(form: NormalForm) -> Stage:
    """No form crosses the place before a character that is a boundary (UAX #15, section 9.1).

    A character may be composed with what follows it, and a mark with what is before it.
    """
    parts_of = partial(normalize, "NFKD")
    chars = sorted({*_marks(), *_changed(parts_of), *_changed(form.normalize)})
    chars += sorted({char for one in chars for char in parts_of(one)}.difference(chars))
    inside = {char for char in chars if not is_boundary(char)}
    composes = form.form in COMPOSING
    decompose = "NFKD" if form.form.startswith("NFK") else "NFD"
    by_first: dict[str, set[str]] = {}
    with_mark = set(inside)
    for char in chars if composes else ():
        parts = normalize("NFD", char)
        if len(parts) > 1:
            by_first.setdefault(parts[0], set()).add(char)
            if not inside.isdisjoint(parts):
                with_mark.add(char)
    for char in inside:
        with_mark.update(form.normalize(char))
    images: dict[str, Image] = {}
    starts: dict[tuple[str, str], frozenset[str]] = {}
    marked = frozenset(with_mark)
    for char in chars:
        new, begins = form.normalize(char), normalize(decompose, char)[0]
        if char in inside:
            images[char] = Image(marked, None)
        elif new != char or begins in by_first:
            key = ("" if new[0] in by_first.get(begins, ()) else new[0]), begins
            if key not in starts:
                starts[key] = frozenset((new[0], *by_first.get(begins, ())))
            images[char] = Image(frozenset(new[-1]), starts[key])
    partition = Partition.of_sets([spans_of(map(ord, inside))])

    def meeting(_: str, first: str) -> Meeting:
        return Meeting.NOT_KNOWN if first in inside else Meeting.JOINED

    return Stage(form.form, partition, relation_of(partition, meeting), images)


def _of_replace(replace: Replace) -> Stage:
    name = f"Replace {replace.literal!r}" if replace.literal else "Replace"
    if len(replace.literal) == 1:
        image = Image.of(replace.content)
        return uniform(name, Meeting.JOINED, {replace.literal: image})
    matcher = getattr(replace.find, "__self__", None)
    if not isinstance(matcher, CompiledPattern):
        raise NotKnownError("nothing is proven of the replacement of a text")
    found = class_of_matcher(matcher)
    if found is None:
        raise NotKnownError("nothing is proven of the pattern of a replacement")
    atom, is_run = found
    spans = spans_of_atom(atom, matcher.full.flags & VERSIONS)
    if sum(end - start for start, end in spans) > MOST_REPLACED:
        raise NotKnownError("the pattern of a replacement is of very many characters")
    partition = Partition.of_sets([spans])
    replaced = {chr(point) for start, end in spans for point in range(start, end)}

    def meeting(last: str, first: str) -> Meeting:
        if is_run and replace.content and last in replaced and first in replaced:
            return Meeting.NOT_KNOWN
        return Meeting.JOINED

    images = dict.fromkeys(replaced, Image.of(replace.content))
    return Stage(name, partition, relation_of(partition, meeting), images)
