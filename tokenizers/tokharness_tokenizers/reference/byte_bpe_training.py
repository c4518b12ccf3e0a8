"""Train byte-level BPE: count pre-tokens, then learn the ranks of tokens."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.counting import count_pretokens
from tokharness_tokenizers.reference.learning import MAX_TOKENS, merges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness_tokenizers.reference.learning import Ties

__all__ = ["learn_ranks", "make_vocabulary", "train"]


def train(
    texts: Iterable[str],
    *,
    vocab_size: int,
    pattern: str,
    special_tokens: Sequence[str] = (),
    unicode_version: str | None = None,
    name: str = "trained",
) -> ByteBPE:
    """Train a tokenizer of ``vocab_size`` ordinary tokens; special tokens get the ids after them.

    It has fewer tokens if no pair occurs at least twice. The result does not depend on the order of
    the texts. ``unicode_version`` applies to the pre-tokens of the training and of the result.

    Raises:
        ValueError: ``vocab_size`` is below 256, or ByteBPE refuses the vocabulary.

    """
    unicode_version = unicode_version or versions.REGEX_VERSION
    counts = count_pretokens(texts, pattern, unicode_version)
    ranks = learn_ranks(counts, vocab_size)
    return make_vocabulary(name, pattern, ranks, special_tokens, unicode_version)


def make_vocabulary(
    name: str,
    pattern: str,
    ranks: Mapping[bytes, int],
    special_tokens: Sequence[str],
    unicode_version: str,
) -> ByteBPE:
    """Return the tokenizer of learned ranks; raises ValueError as ByteBPE does."""
    specials = {text: len(ranks) + index for index, text in enumerate(special_tokens)}
    return ByteBPE(name, pattern, ranks, specials, unicode_version)


def learn_ranks(
    counts: Mapping[str, int],
    vocab_size: int,
    *,
    ties: Ties = "bytes",
    progress: Callable[[int], object] | None = None,
) -> dict[bytes, int]:
    """Learn the ranks of tokens from pre-tokens and their counts.

    Ids 0 to 255 are the bytes by value; then come the tokens in the order of their merges. The
    most frequent pair is merged; ``ties`` decides between equally frequent pairs. ``progress`` is
    called with the number of tokens after each merge.

    Raises:
        ValueError: ``vocab_size`` is below 256 or above ``MAX_TOKENS``.

    """
    if vocab_size < 256:
        raise ValueError(f"a vocabulary of {vocab_size} tokens is too small for the 256 bytes")
    if vocab_size > MAX_TOKENS:
        raise ValueError(f"a vocabulary of {vocab_size} tokens is too large: at most {MAX_TOKENS}")
    ranks = {bytes([byte]): byte for byte in range(256)}
    for left, right in takewhile(lambda _: len(ranks) < vocab_size, merges(counts, ties)):
        ranks[left + right] = len(ranks)
        if progress is not None:
            progress(len(ranks))
    return ranks
