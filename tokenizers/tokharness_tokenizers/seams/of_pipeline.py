"""The seams of a pipeline of stages, such as a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.compiled_pattern import CompiledPattern
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.patterns import R50K
from tokharness_tokenizers.reference.pre_tokenizers.cutting import Split
from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import components_of, ends_in_bytes
from tokharness_tokenizers.seams.certificate import ROUNDING, Bounds, Proof
from tokharness_tokenizers.seams.of_models import characters_among, stage_of_tokens
from tokharness_tokenizers.seams.of_normalizers import stages_of_normalizer
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
    from collections.abc import Sequence

    from tokharness_tokenizers.reference.added_tokens import AddedToken
    from tokharness_tokenizers.reference.components import PreTokenizer
    from tokharness_tokenizers.reference.pipeline import Pipeline

NO_MARK_FIRST = "it does not begin with a character that the normalizer may join to the one before"


def seams_of(pipeline: Pipeline) -> Proof:
    """Return what is proven of the cuts of a pipeline."""
    added = pipeline.text_stages.added.tokens
    encode = pipeline.encode_ordinary
    stages: list[Stage] = []
    try:
        stages += stages_of_normalizer(pipeline.text_stages.normalizer)
        if stages:
            stages += _of_normalized_tokens([token for token in added if token.normalized])
        stages += stages_of_pre_tokenizer(pipeline.text_stages.pre_tokenizer)
        stages.append(_of_model(pipeline))
    except NotKnownError as error:
        return Proof(encode, stages, str(error), added)
    assumptions = [ROUNDING] if isinstance(pipeline.model, Unigram) else []
    return Proof(encode, stages, "", added, _bounds(pipeline), assumptions)


def _of_normalized_tokens(tokens: Sequence[AddedToken]) -> list[Stage]:
    """Return the stage of added tokens that are looked for in normalized text."""
    pairs = {
        (a, b) for token in tokens for a, b in zip(token.content, token.content[1:], strict=False)
    }
    if not pairs:
        return []
    if any(token.single_word or token.lstrip or token.rstrip for token in tokens):
        raise NotKnownError("an added token in normalized text takes what is next to it")
    chars = {char for pair in pairs for char in pair}
    partition = Partition.of_sets([spans_of([ord(char)]) for char in sorted(chars)])

    def meeting(last: str, first: str) -> Meeting:
        return Meeting.NOT_KNOWN if (last, first) in pairs else Meeting.JOINED

    return [Stage("added tokens", partition, relation_of(partition, meeting))]


def _of_model(pipeline: Pipeline) -> Stage:
    """Return the stage of a model for words that go on over a cut."""
    model = pipeline.model
    if isinstance(model, BPE) and not ends_in_bytes(pipeline.text_stages.pre_tokenizer):
        joins = model.fuse_unknown or model.unknown is None
        plain = not (model.prefix or model.suffix or model.ignore_merges)
        has_bytes = model.byte_fallback and all(
            f"<0x{byte:02X}>" in model.vocabulary for byte in range(256)
        )
        if plain:
            known = None if has_bytes or not joins else characters_among(model.vocabulary)
            return stage_of_tokens(model.vocabulary, known, "BPE")
    if isinstance(model, Unigram):
        return stage_of_tokens(model.vocabulary, characters_among(model.vocabulary), "Unigram")
    return uniform(type(model).__name__, Meeting.NOT_KNOWN)


def _bounds(pipeline: Pipeline) -> Bounds:
    """Return what an append may change; nothing is known next to a token that takes text."""
    if any(
        one.lstrip or one.rstrip or one.single_word for one in pipeline.text_stages.added.tokens
    ):
        return Bounds()
    normalizer = pipeline.text_stages.normalizer
    condition = NO_MARK_FIRST if normalizer is not None else ""
    components = components_of(pipeline.text_stages.pre_tokenizer)
    if isinstance(pipeline.model, WordPiece) and _cuts_words(components):
        most = pipeline.model.max_characters
        return Bounds(pretokens=1, tokens=most, condition=condition)
    return Bounds(pretokens=_undecided(components), condition=condition)


def _cuts_words(components: Sequence[PreTokenizer]) -> bool:
    return [type(one).__name__ for one in components] in (["Bert"], ["Whitespace"])


def _undecided(components: Sequence[PreTokenizer]) -> int | None:
    """Return the most pre-tokens that more text changes, if one pattern makes them."""
    rest = [one for one in components if not (isinstance(one, ByteLevel) and not one.use_regex)]
    if len(rest) != 1 or any(
        isinstance(one, ByteLevel) and one.add_prefix_space for one in components[1:]
    ):
        return None
    try:
        if isinstance(rest[0], ByteLevel):
            automaton = automaton_of_pattern(R50K, rest[0].version)
        elif isinstance(rest[0], Split) and rest[0].behavior == "Isolated" and not rest[0].invert:
            matcher = getattr(rest[0].find, "__self__", None)
            if not isinstance(matcher, CompiledPattern):
                return None
            automaton = automaton_of_matcher(matcher)
        else:
            return None
    except NoAutomatonError:
        return None
    return automaton.most_undecided if automaton.is_total else None
