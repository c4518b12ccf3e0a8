"""Pre-tokenizers as stages: between which characters they cut, whatever the text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from tokharness.unicode.versions import REGEX_VERSION
from tokharness_tokenizers.reach.pattern_syntax import Alternatives, Repeat, parse
from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Split
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel, Metaspace
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import ClassCutter, WhitespaceSplit
from tokharness_tokenizers.reference.pre_tokenizers.sequence import components_of
from tokharness_tokenizers.reference.white_space import WHITE_SPACE
from tokharness_tokenizers.seams.of_patterns import (
    VERSIONS,
    NoAutomatonError,
    automaton_of_matcher,
    automaton_of_pattern,
    class_of_matcher,
    only,
)
from tokharness_tokenizers.seams.partition import Partition, Spans, spans_of, spans_of_atom
from tokharness_tokenizers.seams.stages import Image, Meeting, NotKnownError, Stage, relation_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.seams.pattern_automaton import PatternAutomaton


def stages_of_pre_tokenizer(pre_tokenizer: PreTokenizer | None) -> Iterator[Stage]:
    """Yield the stages of a pre-tokenizer.

    Raises:
        NotKnownError: nothing is proven of a part of it.

    """
    for component in components_of(pre_tokenizer):
        if isinstance(component, Metaspace):
            yield _of_metaspace(component)
        elif isinstance(component, ByteLevel):
            yield from _of_byte_level(component)
        elif isinstance(component, Split):
            yield _of_split(component)
        elif isinstance(component, ClassCutter):
            yield _of_class_cutter(component)
        elif isinstance(component, WhitespaceSplit):
            white = f"[{WHITE_SPACE}]"
            yield _of_runs(f"{white}|[^{WHITE_SPACE}]+", "WhitespaceSplit", regex.VERSION0)
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


def _of_class_cutter(component: ClassCutter) -> Stage:
    pattern = component.pattern
    expression = pattern.pattern
    for name, chars in pattern.classes.items():
        runs = spans_of(map(ord, chars))
        items = "".join(f"\\U{start:08x}-\\U{end - 1:08x}" for start, end in runs)
        expression = expression.replace(f"<{name}>", items)
    return _of_runs(expression, type(component).__name__, regex.VERSION0)


@lru_cache(maxsize=16)
def _of_runs(expression: str, name: str, flags: int) -> Stage:
    """Return the stage of a pattern such as ``[a]+|[b]``, each branch of which is one class.

    Text that is in no branch is removed.
    """
    root = parse(expression)
    branches: list[tuple[Spans, bool]] = []
    for branch in root.branches if isinstance(root, Alternatives) else (root,):
        node, takes_run = only(branch), False
        if isinstance(node, Repeat) and (node.least, node.most, node.mode) == (1, None, ""):
            node, takes_run = only(node.inner), True
        if not isinstance(node, str):
            raise NotKnownError(f"nothing is proven of the pre-tokenizer {name} as it is set")
        branches.append((spans_of_atom(node, flags), takes_run))
    partition = Partition.of_sets([spans for spans, _ in branches])
    for char in map(ord, partition.representatives):
        if sum(start <= char < end for spans, _ in branches for start, end in spans) > 1:
            raise NotKnownError(f"nothing is proven of the pre-tokenizer {name} as it is set")

    def branch_of(char: str) -> tuple[int, bool]:
        for number, (spans, takes_run) in enumerate(branches):
            if any(start <= ord(char) < end for start, end in spans):
                return number, takes_run
        return -1, False

    def meeting(last: str, first: str) -> Meeting:
        before, after = branch_of(last), branch_of(first)
        return Meeting.JOINED if before == after and before[1] else Meeting.CUT

    return Stage(name, partition, relation_of(partition, meeting))
