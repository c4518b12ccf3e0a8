"""What becomes of a character that a vocabulary lacks, by algorithm.

Sources: Devlin et al. 2019, ``tokenization.py`` (WordPiece); Sennrich et al. 2016 (BPE over
characters); Kudo 2018 (Unigram); Touvron et al. 2023, "LLaMA", section 2.1 (byte fallback);
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2 (bytes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference.byte_bpe import ByteBPE
from tokharness_tokenizers.reference.models.bpe import BPE
from tokharness_tokenizers.reference.models.unigram import Unigram
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.patterns import R50K

if TYPE_CHECKING:
    from collections.abc import Callable

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
NAMES = ["[UNK]", "c", "a", "f", "s", "##a", "##f", "##s", *BYTES]
IDS = {name: number for number, name in enumerate(NAMES)}
PIECES = [(name, -1.0) for name in NAMES]
UTF8 = ["<0xC3>", "<0xA9>"]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (WordPiece(IDS).tokens, ["[UNK]"]),
        (BPE(IDS, [], unknown="[UNK]").tokens, ["c", "a", "f", "[UNK]", "s"]),
        (BPE(IDS, [], "[UNK]", byte_fallback=True).tokens, ["c", "a", "f", *UTF8, "s"]),
        (Unigram(PIECES, 0).tokens, ["c", "a", "f", "[UNK]", "s"]),
        (Unigram(PIECES, 0, byte_fallback=True).tokens, ["c", "a", "f", *UTF8, "s"]),
    ],
    ids=["WordPiece", "BPE", "BPE with bytes", "Unigram", "Unigram with bytes"],
)
def test_an_unknown_character_costs_the_word_or_itself_or_nothing(
    tokens: Callable[[str], list[tuple[int, int]]], expected: list[str]
) -> None:
    assert [NAMES[number] for number, _ in tokens("caf\u00e9s")] == expected


def test_byte_level_bpe_has_no_unknown_characters() -> None:
    tokenizer = ByteBPE("bytes", R50K, {bytes([byte]): byte for byte in range(256)}, {})
    assert tokenizer.encode("caf\u00e9s") == list(b"caf\xc3\xa9s")
