"""Pre-tokenizers as stages: between which characters they cut, whatever the text."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.versions import REGEX_VERSION
from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import ClassCutter, WhitespaceSplit
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    Split,
    components_of,
    depends_on_start,
)
from tokharness_tokenizers.reference.white_space import WHITE_SPACE
from tokharness_tokenizers.seams.of_patterns import (
    VERSIONS,
    NoAutomatonError,
    automaton_of_matcher,
    automaton_of_pattern,
    class_of_matcher,
)
from tokharness_tokenizers.seams.partition import (
    Partition,
    Spans,
    complement,
    spans_of,
    spans_of_atom,
)
from tokharness_tokenizers.seams.stages import Image, Meeting, NotKnownError, Stage, relation_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.seams.pattern_automaton import PatternAutomaton


def stages_of_pre_tokenizer(pre_tokenizer: PreTokenizer | None) -> Iterator[Stage]:
    """Yield the stages of a pre-tokenizer.

    Raises:
        NotKnownError: nothing is proven of a part of it.

    """
    before: PreTokenizer | None = None
    for component in components_of(pre_tokenizer):
        if isinstance(before, ByteLevel) and not before.use_regex:
            raise NotKnownError("nothing is proven of a pre-tokenizer that reads written bytes")
        if before is not None and depends_on_start(component):
            raise NotKnownError("Metaspace behind another pre-tokenizer marks the first piece only")
        before = component
        if isinstance(component, Metaspace):
            yield _of_metaspace(component)
        elif isinstance(component, ByteLevel):
            yield from _of_byte_level(component)
        elif isinstance(component, Split):
            yield _of_split(component)
        elif isinstance(component, ClassCutter):
            yield _of_class_cutter(component)
        elif isinstance(component, WhitespaceSplit):
            words = complement(spans_of(map(ord, WHITE_SPACE)))
            yield _of_runs([(words, True)], "WhitespaceSplit")
        else:
            raise NotKnownError(
                f"nothing is proven of the pre-tokenizer {type(component).__name__}"
            )


def stage_of_matches(automaton: PatternAutomaton, name: str) -> Stage:
    """Return the stage that cuts a text at the matches of a pattern, and keeps only these."""
    relation = [
        [Meeting.CUT if one else Meeting.NOT_KNOWN for one in row] for row in automaton.cuts
    ]
    return Stage(name, automaton.partition, relation)


def pattern_stage(pattern: str, version: str | None, name: str) -> tuple[Stage, PatternAutomaton]:
    """Return the stage of a pattern of tiktoken, and its automaton; raises NotKnownError."""
    try:
        automaton = automaton_of_pattern(pattern, version)
        return stage_of_matches(automaton, name), automaton
    except NoAutomatonError as error:
        raise NotKnownError(f"the pattern: {error}") from None


def _of_byte_level(component: ByteLevel) -> Iterator[Stage]:
    if component.add_prefix_space:  # only before a text that does not begin with a space
        partition = Partition.of_sets([spans_of([0x20])])
        yield Stage(
            "prefix space",
            partition,
            relation_of(
                partition, lambda _, first: Meeting.JOINED if first == " " else Meeting.NOT_KNOWN
            ),
        )
    if component.use_regex:
        yield pattern_stage(R50K, component.version or REGEX_VERSION, "ByteLevel")[0]


def _of_metaspace(component: Metaspace) -> Stage:
    mark = component.replacement
    partition = Partition.of_sets([spans_of([0x20, ord(mark)])])
    border = Meeting.CUT if component.split_at_replacement else Meeting.JOINED
    other = Meeting.JOINED if component.prepend_scheme == "never" else Meeting.NOT_KNOWN

    def meeting(_: str, first: str) -> Meeting:
        return border if first in (" ", mark) else other

    images = {" ": Image.of(mark)}
    return Stage("Metaspace", partition, relation_of(partition, meeting), images)


def _of_split(split: Split) -> Stage:
    matcher = getattr(split.find, "__self__", None)
    if not isinstance(matcher, CompiledPattern):
        raise NotKnownError("nothing is proven of a split at a text")
    keeps_matches = split.behavior == "Removed" and split.invert
    keeps_all = split.behavior in ("Isolated", "Contiguous") and not split.invert
    if not (keeps_matches or keeps_all):
        raise NotKnownError(f"nothing is proven of a split with the behavior {split.behavior}")
    try:
        automaton = automaton_of_matcher(matcher)
        if keeps_matches or (automaton.is_total and split.behavior == "Isolated"):
            return stage_of_matches(automaton, "Split")
    except NoAutomatonError as error:
        raise NotKnownError(f"the pattern of a split: {error}") from None
    if matcher.table:
        raise NotKnownError("nothing is proven of a pattern that leaves out text")
    return _of_class(matcher, single=split.behavior == "Isolated")


def _of_class(matcher: CompiledPattern, *, single: bool) -> Stage:
    """Return the stage of a split at each character of a class, or at its runs."""
    found = class_of_matcher(matcher)
    if found is None:
        raise NotKnownError("nothing is proven of a pattern that leaves out text")
    atom, is_run = found
    within = Meeting.CUT if single and not is_run else Meeting.JOINED
    partition = Partition.of_sets([spans_of_atom(atom, matcher.full.flags & VERSIONS)])
    compiled = regex.compile(atom, matcher.full.flags)

    def meeting(last: str, first: str) -> Meeting:
        one, other = bool(compiled.fullmatch(last)), bool(compiled.fullmatch(first))
        if one != other:
            return Meeting.CUT
        return within if one else Meeting.JOINED

    return Stage("Split", partition, relation_of(partition, meeting))


BRANCH = re.compile(r"\[(\^?)((?:<\w>)+)\](\+?)")
"""A branch of the pattern of a class cutter: a class or all others, one or a run of them."""


def _of_class_cutter(component: ClassCutter) -> Stage:
    name, pattern = type(component).__name__, component.pattern
    branches: list[tuple[Spans, bool]] = []
    for branch in pattern.pattern.split("|"):
        found = BRANCH.fullmatch(branch)
        if not found:
            raise NotKnownError(f"nothing is proven of the pre-tokenizer {name} as it is set")
        classes = [pattern.classes[one] for one in re.findall(r"\w", found[2])]
        spans = spans_of(map(ord, chain.from_iterable(classes)))
        branches.append((complement(spans) if found[1] else spans, bool(found[3])))
    return _of_runs(branches, name)


def _of_runs(branches: Sequence[tuple[Spans, bool]], name: str) -> Stage:
    """Return the stage of classes, each of which is a run or a single character.

    Text that is in no class is removed.
    """
    partition = Partition.of_sets([spans for spans, _ in branches])
    places = {
        char: [
            number
            for number, (spans, _) in enumerate(branches)
            if any(start <= ord(char) < end for start, end in spans)
        ]
        for char in partition.representatives
    }
    if any(len(found) > 1 for found in places.values()):
        raise NotKnownError(f"nothing is proven of the pre-tokenizer {name} as it is set")

    def meeting(last: str, first: str) -> Meeting:
        goes_on = places[last] == places[first] and all(branches[at][1] for at in places[last])
        return Meeting.JOINED if goes_on and places[last] else Meeting.CUT

    return Stage(name, partition, relation_of(partition, meeting))
