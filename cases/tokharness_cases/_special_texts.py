"""Special tokens of well-known vocabularies, and representatives of a target's own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["WELL_KNOWN", "split_representatives"]

WELL_KNOWN = (
    # OpenAI: GPT-2 onwards, fill-in-the-middle, ChatML, Harmony
    *("<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>"),
    *("<|im_start|>", "<|im_end|>", "<|im_sep|>"),
    *("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>", "<|call|>"),
    # SentencePiece, T5, BERT
    *("<s>", "</s>", "<unk>", "<pad>", "<mask>", "<0x0A>", "<extra_id_0>", "<sep>"),
    *("[CLS]", "[SEP]", "[MASK]", "[UNK]", "[PAD]"),
    # Llama 2, 3 and 4, Mistral
    *("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "<|begin_of_text|>", "<|eot_id|>"),
    *("<|start_header_id|>", "<|end_header_id|>", "<|header_start|>", "<|eot|>"),
    *("[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[SYSTEM_PROMPT]"),
    # Gemma, Phi, Command, and others
    *("<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<|turn>", "<|user|>", "<|assistant|>"),
    *("<|system|>", "<|START_OF_TURN_TOKEN|>", "<fim_prefix>", "<tool_call>", "<think>", "[gMASK]"),
    # DeepSeek: fullwidth bars, and U+2581 for the spaces
    *("<\uff5cbegin\u2581of\u2581sentence\uff5c>", "<\uff5cend\u2581of\u2581sentence\uff5c>"),
    *("<\uff5cUser\uff5c>", "<\uff5cAssistant\uff5c>", "<\uff5cfim\u2581hole\uff5c>"),
)
"""Texts that are special tokens of some model: never at a plain-text entry point."""


def split_representatives(tokens: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split tokens into those to disguise, and those that differ from one of them in digits only.

    A vocabulary may reserve a thousand tokens that are one text with a number: disguising each
    would dominate the run and show nothing more. Empty tokens, and those with surrogates, are
    left out.
    """
    chosen: dict[str, str] = {}
    rest: list[str] = []
    for token in dict.fromkeys(tokens):
        if not token or any("\ud800" <= char <= "\udfff" for char in token):
            continue
        if chosen.setdefault(re.sub(r"\d+", "0", token), token) != token:
            rest.append(token)
    return tuple(chosen.values()), tuple(rest)
