"""Special tokens of well-known vocabularies, and which of a target's own stand for the others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["USUAL", "representatives"]

USUAL = (
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
"""Text that is a special token for somebody: never one at a plain-text entry point."""


def representatives(tokens: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tokens to disguise in every way, and the rest, which differ from one of them in digits only.

    A vocabulary may reserve a thousand tokens that are one text with a number in it: disguising
    each would drown the run and show nothing more. Tokens that are no text of scalar values are
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
