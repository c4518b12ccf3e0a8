"""Faults in the normalizer of a SentencePiece model: rules and spaces."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from planted._registry import fault
from planted._replaced_pieces import with_normalizing
from planted._sentencepiece_models import RULES, against, altered, healthy
from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.normalizers.precompiled import Precompiled
from tokharness_tokenizers.reference.sentencepiece.generate_nmt_nfkc import charsmap_bytes
from tokharness_tokenizers.reference.sentencepiece.normalizing import Normalizing
from tokharness_tokenizers.reference.sentencepiece.other_rules import Function, ShortestRules

if TYPE_CHECKING:
    from collections.abc import Callable

NORMALIZER = "normalizer"


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: add_dummy_prefix is false",
    families=["plain-words"],
    against=against("sp_bpe"),
)
def the_dummy_prefix_is_lost() -> Any:
    """Adds no space before the text, as a reader that ignores add_dummy_prefix."""
    return altered("sp_bpe", "normalizer", add_dummy_prefix=False)


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: remove_extra_whitespaces is false",
    families=["white-space"],
    against=against("sp_bpe"),
)
def extra_spaces_are_kept() -> Any:
    """Keeps all spaces, as a reader that ignores remove_extra_whitespaces."""
    return altered("sp_bpe", "normalizer", remove_extra_whitespaces=False)


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: remove_extra_whitespaces is true",
    families=["white-space"],
    against=against("sp_bytes"),
)
def extra_spaces_are_removed() -> Any:
    """Removes spaces that the model keeps."""
    return altered("sp_bytes", "normalizer", remove_extra_whitespaces=True)


class _AddsToNothing(Normalizing):
    """A normalizer that adds the space before it looks whether text is left."""

    def normalize(self, text: str) -> str:
        return self.with_starts(text)[0]

    def with_starts(self, text: str) -> tuple[str, list[int]]:
        normalized, starts = super().with_starts(text)
        return (normalized, starts) if normalized or not text else (self.mark, [0, len(text)])


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: a text of spaces gets the added space",
    families=["white-space"],
    against=against("sp_bpe"),
)
def the_space_is_added_to_nothing() -> Any:
    """Adds the space to a text that is nothing but spaces, which the model removes."""
    tokenizer = healthy("sp_bpe")
    normalizing = tokenizer.normalizing
    added = _AddsToNothing(normalizing.spec, normalizing.rules)
    return replace(tokenizer, normalizing=added, altered=None)


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: the shortest rule counts",
    families=["hangul"],
    against=against("sp_bpe"),
)
def the_shortest_rule_counts() -> Any:
    """Replaces the shortest text that has a rule, as Hugging Face's Precompiled does."""
    tokenizer = healthy("sp_bpe")
    rules: Any = tokenizer.normalizing.rules
    return with_normalizing("sp_bpe", rules=ShortestRules(rules.charsmap))


@fault("TOK201", cause=NORMALIZER, families=["normal-forms"], against=against("sp_bpe"))
def the_charsmap_is_an_older_one() -> Any:
    """Has rules of an earlier release, without ligatures and marks."""
    kept = {key: new for key, new in RULES.items() if key not in ("\ufb01", "e\u0301")}
    return altered("sp_bpe", "normalizer", precompiled_charsmap=charsmap_bytes(kept))


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: the charsmap is not applied",
    families=["normal-forms"],
    against=against("sp_unigram"),
)
def the_charsmap_is_not_read() -> Any:
    """Does not read the charsmap, as if the model were an identity one."""
    return altered("sp_unigram", "normalizer", precompiled_charsmap=b"")


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: NFKC is applied instead of the charsmap",
    families=["normal-forms"],
    against=against("sp_bpe"),
)
def a_normal_form_replaces_the_charsmap() -> Any:
    """Applies NFKC of its own Unicode data where the model has rules of its own."""
    return with_normalizing("sp_bpe", rules=Function(partial(normalize, "NFKC")))


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: treat_whitespace_as_suffix is false",
    families=["plain-words"],
    against=against("sp_suffix"),
)
def the_space_is_put_first() -> Any:
    """Puts the space before the text where the model puts it behind."""
    return altered("sp_suffix", "trainer", treat_whitespace_as_suffix=False)


def _with_rules(change: Callable[[str], str]) -> Any:
    """Change a text in the place of the rules of the charsmap, or after them."""
    return with_normalizing("sp_unigram", rules=Function(change))


def _replaced(text: str) -> str:
    return healthy("sp_unigram").normalizing.rules.normalize(text)


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: the charsmap is applied to grapheme clusters",
    families=["combining-stacks", "normal-forms"],
    against=against("sp_unigram"),
)
def the_charsmap_is_applied_to_clusters() -> Any:
    """Replaces whole clusters by a rule of their start, as Hugging Face's Precompiled does."""
    charsmap = healthy("sp_unigram").normalizing.spec.precompiled_charsmap
    return _with_rules(Precompiled(b64encode(charsmap).decode()).normalize)


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: white space at both ends is stripped, not spaces alone",
    families=["white-space"],
    against=against("sp_unigram"),
)
def white_space_at_the_ends_is_stripped() -> Any:
    """Strips U+0085 and U+2028 at the ends, too, as a conversion with the component Strip."""
    ends = "\x0b\x0c\x85\u1680\u2028\u2029" + "".join(map(chr, range(0x2000, 0x200B)))
    ends += "\u202f\u205f "
    return _with_rules(lambda text: _replaced(text).strip(ends))


@fault(
    "TOK201",
    cause=f"{NORMALIZER}: letters are lowercased after it",
    families=["letter-case"],
    against=against("sp_unigram"),
)
def letters_are_lowercased() -> Any:
    """Lowercases what the rules give, as a conversion with the component Lowercase."""
    return _with_rules(lambda text: _replaced(text).lower())
