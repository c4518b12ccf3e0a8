"""The seams of a SentencePiece model: its rules, the spaces that it adds and removes, its pieces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.normalizers.longest_rules import LongestRules
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK
from tokharness_tokenizers.seams.certificate import ROUNDING, Proof
from tokharness_tokenizers.seams.of_models import stage_of_tokens
from tokharness_tokenizers.seams.partition import Partition, spans_of
from tokharness_tokenizers.seams.stages import Image, Meeting, NotKnownError, Stage, relation_of

if TYPE_CHECKING:
    from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece


def seams_of(tokenizer: SentencePiece) -> dict[str, Any]:
    """Return what is proven of the cuts of a model."""
    assumptions = []
    try:
        if isinstance(tokenizer.model, SentencePieceUnigram):
            name = "Unigram"
            assumptions.append(ROUNDING)
        elif isinstance(tokenizer.model, SentencePieceBPE):
            name = "BPE"
        else:
            raise NotKnownError(f"nothing is proven of {type(tokenizer.model).__name__}")
        vocabulary = tokenizer.vocabulary
        joins = tokenizer.joins_unknown and not vocabulary.byte_fallback
        known = vocabulary.of_text.__contains__ if joins else None
        stages = [_of_normalizing(tokenizer.normalizing)]
        stages.append(stage_of_tokens(vocabulary.texts, known, name))
    except NotKnownError as error:
        return Proof(tokenizer.encode, (), str(error)).data()
    return Proof(tokenizer.encode, stages, assumptions=assumptions).data()


def _of_normalizing(normalizing: Normalizing) -> Stage:
    """Return the stage of a normalizer.

    A cut before a space is neutral where the space that each text gets replaces it.
    """
    spec, rules = normalizing.spec, normalizing.rules
    if not isinstance(rules, LongestRules):
        raise NotKnownError("nothing is proven of the rules of the normalizer")
    removes, adds = spec.remove_extra_whitespaces, spec.add_dummy_prefix
    if adds and normalizing.space_is_suffix:
        raise NotKnownError("each text gets a space behind it")
    if adds and not removes:
        raise NotKnownError(f"each text gets {normalizing.mark!r} before it")
    charsmap = rules.charsmap
    singles = {} if charsmap is None else charsmap.singles
    later, firsts = _in_keys(normalizing)
    spaces = (" ", normalizing.mark, MARK)

    def text_of(char: str) -> str:
        return singles.get(char, char)

    def is_solid(char: str) -> bool:
        """Whether a character stays as something that is no space, wherever it is."""
        new = text_of(char)
        ends = bool(new) and new[-1] not in spaces and new[0] not in spaces
        return char not in later and ends

    def is_space(char: str) -> bool:
        return char not in later and char not in firsts and text_of(char) == " "

    def meeting(last: str, first: str) -> Meeting:
        if first in later:
            return Meeting.NOT_KNOWN
        if adds:
            fits = is_solid(last) and is_space(first)
        else:
            fits = not removes or (is_solid(last) and is_solid(first))
        return Meeting.JOINED if fits else Meeting.NOT_KNOWN

    images = {char: Image.of(_marked(new, normalizing)) for char, new in singles.items()}
    images[" "] = Image.of(_marked(text_of(" "), normalizing))
    for char in later:  # it may be the last of a key
        images[char] = Image(None, None)
    for char in firsts:  # it may be the first of a longer key
        images[char] = Image(images[char].last if char in images else frozenset(char), None)
    points = [*range(0xD800), *range(0xE000, 0x33480)]
    interesting = {*singles, *later, *firsts, *spaces, *map(chr, points)}
    sets = [
        spans_of(ord(char) for char in interesting if is_solid(char)),
        spans_of(ord(char) for char in interesting if is_space(char)),
        spans_of(map(ord, later)),
        spans_of([*points, *map(ord, interesting)]),
    ]
    partition = Partition.of_sets(sets)
    return Stage("SentencePiece's normalizer", partition, relation_of(partition, meeting), images)


def _marked(text: str, normalizing: Normalizing) -> str:
    return text.replace(" ", normalizing.mark)


def _in_keys(normalizing: Normalizing) -> tuple[frozenset[str], frozenset[str]]:
    """Return the characters in keys and kept pieces of several, behind the first, and first."""
    rules: Any = normalizing.rules
    keys: Iterable[str] = [piece for piece in rules.verbatim if len(piece) > 1]
    later = {char for piece in keys for char in piece[1:]}
    firsts = {piece[0] for piece in keys}
    if rules.charsmap is not None:
        later |= rules.charsmap.later_characters()
        firsts |= {pair[0] for pair in rules.charsmap.pairs()}
    return frozenset(later), frozenset(firsts)
