"""BPE of subword-nmt (Sennrich et al. 2016): a file of codes, and words cut with ``@@``."""

from __future__ import annotations

from tokharness_tokenizers.reference.subword_nmt.files import load
from tokharness_tokenizers.reference.subword_nmt.tokenizer import SubwordNMT
from tokharness_tokenizers.reference.subword_nmt.vocabulary import vocabulary_of

__all__ = ["SubwordNMT", "load", "vocabulary_of"]
