"""Alterations of the engine of a file: one component departs from the file.

Unlike an alteration of the file (:mod:`.tokenizer_json.alterations`), no setting of a file
describes such an alteration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference import decoders
from tokharness_tokenizers.reference.added_tokens import (
    CUT_BY_TEXT,
    AddedToken,
    AddedTokens,
    Cutter,
    Part,
)
from tokharness_tokenizers.reference.departing_components import (
    departing_decoders,
    departing_normalizers,
    departing_pre_tokenizers,
)
from tokharness_tokenizers.reference.departing_models import LateUnknown, departing_models
from tokharness_tokenizers.reference.departing_searches import departing_searches
from tokharness_tokenizers.reference.normalizers import replacing as normalizers
from tokharness_tokenizers.reference.pre_tokenizers import sequence as pre_tokenizers
from tokharness_tokenizers.reference.white_space import leading, trailing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokharness_tokenizers.reference.pipeline import Pipeline
    from tokharness_tokenizers.reference.word_ids import TextStages

# Departures of engines in cutting added tokens out of a text.
#
# An alternation of a regular expression takes the first token that fits, and ``\w`` of JavaScript
# and of RE2 is ASCII. A conversion may lose one token, or one of its settings.

PLACES: Final = ("single_word", "lstrip", "rstrip")
"""Settings of an added token that decide where it is found, and which white space it takes."""

ASCII_WORD = re.compile("[A-Za-z0-9_]")


def departing_added_tokens(added: AddedTokens) -> Iterator[tuple[str, AddedTokens]]:
    """Yield departures of engines from added tokens: a description, and the departing tokens."""
    if not added.tokens:
        return
    yield from departing_searches(added)
    cutters = (added.before, added.after)
    shortest = (_ShortestFirst(one.tokens, one.is_word) for one in cutters)
    yield "the shortest one at a place counts", _with(added, shortest)
    any_case = (_AnyCase(one.tokens, one.is_word) for one in cutters)
    yield "case is ignored", _with(added, any_case)
    for sides in (("rstrip",), ("lstrip",), ("lstrip", "rstrip")):
        if all(any(getattr(token, side) for token in added.tokens) for side in sides):
            one_each = (_OneSpace(one.tokens, one.is_word, sides) for one in cutters)
            yield f"{' and '.join(sides)}: one character at most", _with(added, one_each)
    if any(token.special for token in added.tokens):
        apart = (_CutByText(one.tokens, one.is_word) for one in cutters)
        yield CUT_BY_TEXT, _with(added, apart)
    if any(token.single_word for token in added.tokens):
        in_ascii = (replace(one, is_word=_is_ascii) for one in cutters)
        yield "only ASCII letters are next to a word", _with(added, in_ascii)


def _with(added: AddedTokens, cutters: Iterator[Cutter]) -> AddedTokens:
    before, after = cutters
    return replace(added, before=before, after=after)


def _is_ascii(character: str) -> bool:
    return bool(ASCII_WORD.match(character))


class _ShortestFirst(Cutter):
    """Added tokens of which the shortest at a place is taken."""

    @property
    def _pattern(self) -> re.Pattern[str]:
        shortest_first = sorted(self.tokens, key=lambda text: (len(text), text))
        return re.compile("|".join(map(re.escape, shortest_first)) or "(?!)")


@dataclass(frozen=True)
class _OneSpace(Cutter):
    """A token takes one character of white space at most, at these sides."""

    sides: tuple[str, ...] = ()

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        done = 0
        for start, end, number in super().cut(text, special=special):
            if number is None:
                continue
            token, begin, stop = text[start:end], start, end
            if "lstrip" in self.sides:
                begin += max(leading(token) - 1, 0)
            if "rstrip" in self.sides:
                stop -= max(trailing(token) - 1, 0)
            if done < begin:
                yield done, begin, None
            yield begin, stop, number
            done = stop
        if done < len(text):
            yield done, len(text), None


class _AnyCase(Cutter):
    """Added tokens that are found in upper and in lower case."""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(super()._pattern.pattern, re.IGNORECASE)

    def may_find(self, text: str, *, special: bool) -> bool:
        return (special or self._has_plain) and self._pattern.search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        return super().cut(self._pattern.sub(self._as_declared, text), special=special)

    def _as_declared(self, match: re.Match[str]) -> str:
        same = (one for one in self.tokens if re.fullmatch(re.escape(one), match[0], re.IGNORECASE))
        return next(same)


class _CutByText(Cutter):
    """Special tokens, of which the text cuts plain text into parts that are plain text."""

    def may_find(self, text: str, *, special: bool) -> bool:
        del special
        return self._pattern.search(text) is not None

    def cut(self, text: str, *, special: bool) -> Iterator[Part]:
        for start, end, number in super().cut(text, special=special):
            if number is not None:
                yield start, end, number
                continue
            found = self._pattern.finditer(text, start, end)
            cuts = [one.span() for one in found if self.tokens[one.group()].special]
            borders = [start, *chain.from_iterable(cuts), end]
            yield from ((begin, stop, None) for begin, stop in pairwise(borders) if begin < stop)


def altered_added_token(added: AddedTokens, token: AddedToken) -> Iterator[tuple[str, AddedTokens]]:
    """Yield alterations of an added token for plain text, each with all added tokens."""
    name = ascii(token.content)
    if token.special:
        ordinary = replace(token, special=False)
        yield f"{name} is found in plain text", _exchanged(added, token, ordinary)
        return
    yield f"{name} is not found in plain text", _exchanged(added, token, None)
    for flag in PLACES:
        value = not getattr(token, flag)
        altered = replace(token, **{flag: value})  # type: ignore[arg-type]
        yield f"{name}: {flag} is {str(value).lower()}", _exchanged(added, token, altered)


def _exchanged(added: AddedTokens, token: AddedToken, other: AddedToken | None) -> AddedTokens:
    """Return all added tokens, with a token replaced by another token, or removed."""

    def exchanged(cutter: Cutter) -> Cutter:
        rows = ((text, other if one == token else one) for text, one in cutter.tokens.items())
        return replace(cutter, tokens={text: one for text, one in rows if one is not None})

    return replace(added, before=exchanged(added.before), after=exchanged(added.after))


def engine_alterations(pipeline: Pipeline) -> Iterator[tuple[str, str, Pipeline]]:
    """Yield the stage, the alteration in a few words, and the altered pipeline."""
    stages = pipeline.text_stages
    for what, added in departing_added_tokens(stages.added):
        yield "added tokens", what, _with_stages(pipeline, replace(stages, added=added))
    for what, normalizer in _each(stages.normalizer, departing_normalizers):
        yield "normalizer", what, _with_stages(pipeline, replace(stages, normalizer=normalizer))
    for what, one in _each(stages.pre_tokenizer, departing_pre_tokenizers):
        yield "pre-tokenizer", what, _with_stages(pipeline, replace(stages, pre_tokenizer=one))
    for what, model in departing_models(pipeline.model):
        whole = _with_stages(pipeline, replace(stages, parts=None))
        base = whole if isinstance(model, LateUnknown) else pipeline
        yield "model", what, replace(base, model=model, at_versions=None, altered=None)
    for what, decoder in _each(pipeline.decoding.decoder, departing_decoders):
        decoding = replace(pipeline.decoding, decoder=decoder)
        yield "decoder", what, replace(pipeline, decoding=decoding, at_versions=None, altered=None)


def alterations_of_token(pipeline: Pipeline, token: AddedToken) -> list[tuple[str, str, Pipeline]]:
    """Return alterations as of :func:`engine_alterations`, for a single added token."""
    stages = pipeline.text_stages
    return [
        ("added tokens", what, _with_stages(pipeline, replace(stages, added=added)))
        for what, added in altered_added_token(stages.added, token)
    ]


def _each(
    component: Any, departing: Callable[[Any], Iterator[tuple[str, Any]]]
) -> Iterator[tuple[str, Any]]:
    """Yield a component with each departure of each of its parts."""
    if isinstance(component, normalizers.Sequence):
        for what, parts in _each_part(component.normalizers, departing):
            yield what, replace(component, normalizers=parts)
    elif isinstance(component, pre_tokenizers.Sequence | decoders.Sequence):
        sequence: Any = component
        for what, parts in _each_part(component.components, departing):
            yield what, replace(sequence, components=parts)
    elif component is not None:
        yield from departing(component)


def _each_part(
    parts: tuple[Any, ...], departing: Callable[[Any], Iterator[tuple[str, Any]]]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for at, part in enumerate(parts):
        for what, other in _each(part, departing):
            yield what, (*parts[:at], other, *parts[at + 1 :])


def _with_stages(pipeline: Pipeline, stages: TextStages) -> Pipeline:
    return replace(pipeline, text_stages=stages, at_versions=None, altered=None)
