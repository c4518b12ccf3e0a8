"""The seams of a pipeline of stages, such as a ``tokenizer.json``."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.normalizers.replacing import Prepend
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import (
    Split,
    components_of,
    ends_in_bytes,
)
from tokharness_tokenizers.seams.certificate import NO_MARK_FIRST, ROUNDING, Bounds, Proof
from tokharness_tokenizers.seams.of_merges import BYTE_TOKENS, changed_by_list
from tokharness_tokenizers.seams.of_models import characters_among, stage_of_tokens
from tokharness_tokenizers.seams.of_normalizers import components_of as components_of_normalizer
from tokharness_tokenizers.seams.of_normalizers import stage_of, stages_of_normalizer
from tokharness_tokenizers.seams.of_patterns import (
    NoAutomatonError,
    automaton_of_matcher,
    automaton_of_pattern,
)
from tokharness_tokenizers.seams.of_pre_tokenizers import stages_of_pre_tokenizer
from tokharness_tokenizers.seams.partition import Partition, spans_of
from tokharness_tokenizers.seams.stages import (
    Meeting,
    NotKnownError,
    Stage,
    relation_of,
    uniform,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokharness_tokenizers.reference.added_tokens import AddedToken
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.pipeline import Pipeline
    from tokharness_tokenizers.seams.pattern_automaton import PatternAutomaton


def seams_of(pipeline: Pipeline) -> Proof:
    """Return what is proven of the cuts of a pipeline."""
    added = pipeline.text_stages.added.tokens
    whole = replace(pipeline.post, truncation=None, padding=None)
    encode = replace(pipeline, post=whole).encode_ordinary
    condition = _condition_of_one_word(pipeline)
    proof = partial(Proof, encode, added=added, changed=partial(_changed, pipeline))
    stages: list[Stage] = []
    try:
        stages += stages_of_normalizer(pipeline.text_stages.normalizer)
        if stages:
            stages += _of_normalized_tokens(pipeline.text_stages.added.after.tokens)
        cutting = list(stages_of_pre_tokenizer(pipeline.text_stages.pre_tokenizer))
        cuts_words = any(Meeting.CUT in row for one in cutting for row in one.relation)
        stages += [*cutting, _of_model(pipeline, cuts_words=cuts_words)]
    except NotKnownError as error:
        moved = None if condition is None else 0
        return proof(stages, str(error), bounds=Bounds(condition=condition or ""), moved=moved)
    assumptions = list(_assumptions(pipeline, cuts_words=cuts_words))
    bounds, moved = (Bounds(condition=condition), 0) if condition is not None else _bounds(pipeline)
    return proof(stages, bounds=bounds, assumptions=assumptions, moved=moved)


def _changed(pipeline: Pipeline) -> int | None:
    """Return the most tokens at the end of a word that more text changes."""
    if not isinstance(pipeline.model, BPE):
        return None
    in_bytes = ends_in_bytes(pipeline.text_stages.pre_tokenizer)
    return changed_by_list(pipeline.model, in_bytes=in_bytes)


def _condition_of_one_word(pipeline: Pipeline) -> str | None:
    """Return what must hold of an appended text, so that it changes only the end of the one word.

    None if a text may be several words, or if an appended text may change its beginning.
    """
    parts = pipeline.text_stages
    if _takes_text(parts.added.tokens) or components_of(parts.pre_tokenizer):
        return None
    components = components_of_normalizer(parts.normalizer)
    try:  # what is put before a text changes its beginning alone
        stages = [stage_of(one) for one in components if not isinstance(one, Prepend)]
    except NotKnownError:
        return None
    joins = any(Meeting.NOT_KNOWN in row for stage in stages for row in stage.relation)
    return NO_MARK_FIRST if joins else ""


def _assumptions(pipeline: Pipeline, *, cuts_words: bool) -> Iterator[str]:
    if isinstance(pipeline.model, Unigram) and not cuts_words:
        yield ROUNDING
    if pipeline.post.truncation is not None:
        most = pipeline.post.truncation.max_length
        yield f"truncation is off: with it, the file keeps at most {most:,} ids of a text"
    if pipeline.post.padding is not None:
        yield "padding is off: with it, the file adds ids to a text"


def _of_normalized_tokens(tokens: Mapping[str, AddedToken]) -> list[Stage]:
    """Return the stage of added tokens that are searched for in normalized text, in this form."""
    pairs = {pair for text in tokens for pair in pairwise(text)}
    if not pairs:
        return []
    if any(token.single_word or token.lstrip or token.rstrip for token in tokens.values()):
        raise NotKnownError("an added token in normalized text takes what is next to it")
    chars = {char for pair in pairs for char in pair}
    partition = Partition.of_sets([spans_of([ord(char)]) for char in sorted(chars)])

    def meeting(last: str, first: str) -> Meeting:
        return Meeting.NOT_KNOWN if (last, first) in pairs else Meeting.JOINED

    return [Stage("added tokens", partition, relation_of(partition, meeting))]


def _of_model(pipeline: Pipeline, *, cuts_words: bool) -> Stage:
    """Return the stage of a model for words that go on over a cut.

    A cut inside a word of a Unigram model changes what the sums of scores are rounded to. It is not
    needed if the pre-tokenizer ``cuts_words``.
    """
    model = pipeline.model
    in_bytes = ends_in_bytes(pipeline.text_stages.pre_tokenizer)
    if isinstance(model, BPE) and not in_bytes and _merges_only_text(model):
        bytes_of_all = model.byte_fallback and not BYTE_TOKENS.difference(model.vocabulary)
        # If only some characters have bytes, these come before a token of unknown ones.
        joins = model.fuse_unknown or model.unknown is None or model.byte_fallback
        known = characters_among(model.vocabulary) if joins and not bytes_of_all else None
        return stage_of_tokens(model.vocabulary, known, "BPE", drops=model.unknown is None)
    if isinstance(model, Unigram) and not cuts_words:
        return stage_of_tokens(model.vocabulary, characters_among(model.vocabulary), "Unigram")
    return uniform(type(model).__name__, Meeting.NOT_KNOWN)


def _merges_only_text(model: BPE) -> bool:
    """Whether the text of each token that is merged is the text that it was made of.

    This is not so if a merge has the token of an unknown character or of a byte, or an id that two
    tokens share.
    """
    if model.prefix or model.suffix or model.ignore_merges:
        return False
    others = {model.unknown} | (BYTE_TOKENS if model.byte_fallback else set())
    ids = model.vocabulary.values()
    return len(set(ids)) == len(ids) and others.isdisjoint(chain.from_iterable(model.merges))


def _bounds(pipeline: Pipeline) -> tuple[Bounds, int | None]:
    """Return what an append may change, and by how many characters the last word may get shorter.

    Nothing is known next to a token that takes text.
    """
    if _takes_text(pipeline.text_stages.added.tokens):
        return Bounds(), None
    condition = NO_MARK_FIRST if pipeline.text_stages.normalizer is not None else ""
    components = components_of(pipeline.text_stages.pre_tokenizer)
    if isinstance(pipeline.model, WordPiece) and _cuts_words(components):
        most = pipeline.model.max_characters
        return Bounds(pretokens=1, tokens=most, condition=condition), None
    automaton = _automaton(components)
    if automaton is None or not automaton.is_total:
        return Bounds(condition=condition), None
    bounds = Bounds(pretokens=automaton.most_undecided, condition=condition)
    return bounds, automaton.most_moved


def _takes_text(tokens: Iterable[AddedToken]) -> bool:
    return any(one.lstrip or one.rstrip or one.single_word for one in tokens)


def _cuts_words(components: Sequence[PreTokenizer]) -> bool:
    return [type(one).__name__ for one in components] in (["Bert"], ["Whitespace"])


def _automaton(components: Sequence[PreTokenizer]) -> PatternAutomaton | None:
    """Return the automaton of the pattern that makes the pre-tokens, if one pattern does."""
    rest = [one for one in components if not (isinstance(one, ByteLevel) and not one.use_regex)]
    if len(rest) != 1 or any(
        isinstance(one, ByteLevel) and one.add_prefix_space for one in components[1:]
    ):
        return None
    try:
        if isinstance(rest[0], ByteLevel):
            return automaton_of_pattern(R50K, rest[0].version)
        if isinstance(rest[0], Split) and rest[0].behavior == "Isolated" and not rest[0].invert:
            matcher = getattr(rest[0].find, "__self__", None)
            if isinstance(matcher, CompiledPattern):
                return automaton_of_matcher(matcher)
    except NoAutomatonError:
        pass
    return None
