"""The seams of a SentencePiece model: its rules, the spaces it adds and removes, its pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.models.sentencepiece_bpe import SentencePieceBPE
from tokharness_tokenizers.reference.models.sentencepiece_unigram import SentencePieceUnigram
from tokharness_tokenizers.reference.normalizers.charsmap import LongestRules
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK
from tokharness_tokenizers.seams.certificate import NO_MARK_FIRST, ROUNDING, Bounds, Proof
from tokharness_tokenizers.seams.of_merges import changed_by_scores
from tokharness_tokenizers.seams.of_models import characters_among, stage_of_tokens
from tokharness_tokenizers.seams.partition import Partition, spans_of
from tokharness_tokenizers.seams.stages import Image, Meeting, NotKnownError, Stage, relation_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
    from tokharness_tokenizers.reference.sentencepiece.tokenizer import SentencePiece


def seams_of(tokenizer: SentencePiece) -> Proof:
    """Return what is proven of the cuts of a model."""
    is_unigram = isinstance(tokenizer.model, SentencePieceUnigram)
    proof = partial(
        Proof,
        tokenizer.encode,
        changed=partial(_changed, tokenizer),
        moved=0 if _is_one_word(tokenizer) else None,
    )
    rules = tokenizer.normalizing.rules
    joins = not isinstance(rules, LongestRules) or bool(_in_keys(rules)[0])
    bounds = Bounds(condition=NO_MARK_FIRST if joins else "")
    try:
        normalizing = _of_normalizing(tokenizer.normalizing)
        stages = [normalizing, _of_pieces(tokenizer, "Unigram" if is_unigram else "BPE")]
    except NotKnownError as error:
        return proof((), str(error), bounds=bounds)
    return proof(stages, bounds=bounds, assumptions=[ROUNDING] if is_unigram else [])


def _changed(tokenizer: SentencePiece) -> int | None:
    """Return the most tokens at the end of a word that more text changes."""
    model = tokenizer.model
    return changed_by_scores(model) if isinstance(model, SentencePieceBPE) else None


def _is_one_word(tokenizer: SentencePiece) -> bool:
    """Whether a longer text only changes the end of what is merged, which is the whole text."""
    normalizing = tokenizer.normalizing
    return isinstance(normalizing.rules, LongestRules) and not normalizing.space_is_suffix


def _of_pieces(tokenizer: SentencePiece, name: str) -> Stage:
    if not isinstance(tokenizer.model, SentencePieceUnigram | SentencePieceBPE):
        raise NotKnownError(f"nothing is proven of {type(tokenizer.model).__name__}")
    vocabulary = tokenizer.vocabulary
    joins = tokenizer.joins_unknown and not vocabulary.byte_fallback
    # An unused piece may end as the unknown piece.
    unused = frozenset("".join(vocabulary.texts[number] for number in vocabulary.unused))
    known = characters_among(vocabulary.of_text) - unused if joins else None
    return stage_of_tokens(vocabulary.texts, known, name)


@dataclass(frozen=True)
class _Spaces:
    """What a normalizer does with a character, and with the space that each text gets.

    Attributes:
        normalizing: The normalizer.
        singles: The replacement of each character that has a rule of its own.
        later: Characters in the keys of several, behind the first.
        firsts: The first characters of these keys.

    """

    normalizing: Normalizing
    singles: Mapping[str, str]
    later: frozenset[str]
    firsts: frozenset[str]

    def text_of(self, char: str) -> str:
        """Return what a character becomes if no key of several has it."""
        return self.singles.get(char, char)

    def is_solid(self, char: str) -> bool:
        """Whether a character stays as something without a space at its ends, wherever it is."""
        new = self.text_of(char)
        spaces = (" ", self.normalizing.mark, MARK)
        ends = bool(new) and new[0] not in spaces and new[-1] not in spaces
        return char not in self.later and ends

    def is_space(self, char: str) -> bool:
        """Whether a character becomes a space, whatever is behind it."""
        return char not in self.later | self.firsts and self.text_of(char) == " "

    def meeting(self, last: str, first: str) -> Meeting:
        """Return what happens between two characters.

        A cut before a space is neutral where the space that each text gets replaces it.
        """
        spec = self.normalizing.spec
        if spec.add_dummy_prefix:
            fits = self.is_solid(last) and self.is_space(first)
        else:
            both = self.is_solid(last) and self.is_solid(first)
            fits = both or not spec.remove_extra_whitespaces
        return Meeting.JOINED if fits and first not in self.later else Meeting.NOT_KNOWN

    def images(self) -> dict[str, Image]:
        """Return what becomes of the characters that do not stay."""
        mark = self.normalizing.mark
        images = {char: Image.of(new.replace(" ", mark)) for char, new in self.singles.items()}
        images[" "] = Image.of(self.text_of(" ").replace(" ", mark))
        for char in self.later:  # it may be the last of a key
            images[char] = Image(None, None)
        for char in self.firsts:  # it may be the first of a longer key
            images[char] = Image(images[char].last if char in images else frozenset(char), None)
        return images


def _of_normalizing(normalizing: Normalizing) -> Stage:
    """Return the stage of a normalizer; raises NotKnownError."""
    spec, rules = normalizing.spec, normalizing.rules
    if not isinstance(rules, LongestRules):
        raise NotKnownError("nothing is proven of the rules of the normalizer")
    if spec.add_dummy_prefix and normalizing.space_is_suffix:
        raise NotKnownError("each text gets a space behind it")
    if spec.add_dummy_prefix and not spec.remove_extra_whitespaces:
        raise NotKnownError(f"each text gets {normalizing.mark!r} before it")
    charsmap = {} if rules.charsmap is None else rules.charsmap.singles
    singles = {char: new for char, new in charsmap.items() if char not in rules.verbatim}
    spaces = _Spaces(normalizing, singles, *_in_keys(rules))
    chars = {*singles, *spaces.later, *spaces.firsts, " ", normalizing.mark, MARK}
    not_solid = [char for char in chars if not spaces.is_solid(char)]
    white = [char for char in chars if spaces.is_space(char)]
    sets = (not_solid, white, spaces.later, spaces.firsts)
    partition = Partition.of_sets([spans_of(map(ord, one)) for one in sets])
    relation = relation_of(partition, spaces.meeting)
    return Stage("SentencePiece's normalizer", partition, relation, spaces.images())


def _in_keys(rules: LongestRules) -> tuple[frozenset[str], frozenset[str]]:
    """Return the characters in keys and kept pieces of several, behind the first, and first."""
    keys = [piece for piece in rules.verbatim if len(piece) > 1]
    later = {char for piece in keys for char in piece[1:]}
    firsts = {piece[0] for piece in keys}
    if rules.charsmap is not None:
        later |= rules.charsmap.later_characters()
        firsts |= {pair[0] for pair in rules.charsmap.pairs()}
    return frozenset(later), frozenset(firsts)
