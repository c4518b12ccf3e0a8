r"""What ``tokenizer.ggml.pre`` stands for: the patterns by which a text is cut before BPE.

A GGUF file has the name of a pre-tokenizer in the place of its pattern. The names, and which of
them mean the same, are those of llama.cpp (``llama-vocab.cpp``). The patterns are those of the
published ``tokenizer.json`` that each name is for, which llama.cpp quotes where it has another form
of them. Several patterns are applied one after the other, each to the pieces of the one before it.

llama.cpp departs from the published patterns where it replaces ``(?i:'s)`` by ``'[sS]``, which does
not match U+017F, and the classes of cased letters and marks in those of ``tekken`` and ``gpt-4o``
by "a letter that is not a to z". In the patterns of DeepSeek that name ranges of code points, its
white space that is not ASCII is in no range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.gguf import deepseek
from tokharness_tokenizers.reference.pre_tokenizers.byte_level import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import Sequence
from tokharness_tokenizers.reference.pre_tokenizers.split import Split
from tokharness_tokenizers.reference.searching import find_pattern, pieces_of_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.components import PreTokenizer

__all__ = ["DEFAULT", "NAMES", "PreTokenization", "pre_tokenization"]

DEFAULT: Final = "default"
"""What a file without a name has."""


@dataclass(frozen=True, slots=True)
class PreTokenization:
    """Patterns, and what else the name of a pre-tokenizer says.

    Attributes:
        patterns: The patterns before that of GPT-2, or all of them.
        gpt2: Whether GPT-2's pattern is the last one, or the one before ``digits``.
        digits: The patterns after that of GPT-2.
        ignore_merges: Whether a word that is a token is this token, even if no merges lead to it.
        add_bos: Whether texts begin with a token unless the file says something else.

    """

    patterns: tuple[str, ...] = ()
    gpt2: bool = False
    digits: tuple[str, ...] = ()
    ignore_merges: bool = False
    add_bos: bool = False

    def component(self, version: str) -> PreTokenizer:
        """Return the pre-tokenizer with the classes of a Unicode version."""
        before, after = (
            tuple(_split(pattern, version) for pattern in patterns)
            for patterns in (self.patterns, self.digits)
        )
        if not before and not after:
            return ByteLevel(add_prefix_space=False, version=version)
        if not self.gpt2:
            return Sequence((*before, ByteLevel(add_prefix_space=False, use_regex=False)))
        if not after:
            return Sequence((*before, ByteLevel(add_prefix_space=False, version=version)))
        written = ByteLevel(add_prefix_space=False, use_regex=False)
        return Sequence((*before, _split(_GPT2, version), *after, written))


def _split(pattern: str, version: str) -> Split:
    return Split(find_pattern(pattern, version), isolated=pieces_of_pattern(pattern, version))


_CONTRACTION: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST: Final = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_WORD: Final = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_UPPER: Final = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER: Final = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_CASED: Final = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+",
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*",
)
_CASED_REST: Final = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_GPT2: Final = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""That of ``patterns.R50K``, in the dialect of Oniguruma."""

_LLAMA3: Final = (rf"{_CONTRACTION}|{_WORD}|\p{{N}}{{1,3}}|{_REST}",)
_QWEN2: Final = (rf"{_CONTRACTION}|{_WORD}|\p{{N}}|{_REST}",)
_QWEN35: Final = (
    (
        rf"{_CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
        r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
)
_SEED: Final = (
    rf"{_CONTRACTION}|{_WORD}|\p{{N}}{{1}}| ?[^\s\p{{L}}\p{{N}}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+",
)
_BAILING: Final = (
    (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
        r"|\s*[\r\n]|\s+(?!\S)|\s+"
    ),
)
_TEKKEN: Final = (rf"{_CASED[0]}|{_CASED[1]}|\p{{N}}|{_CASED_REST}",)
_GPT4O: Final = (
    rf"{_CASED[0]}{_CONTRACTION}?|{_CASED[1]}{_CONTRACTION}?|\p{{N}}{{1,3}}|{_CASED_REST}",
)
_BLOOM: Final = " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+"
_THREES: Final = "[0-9][0-9][0-9]"

_PRE_TOKENIZATIONS: Final = (
    (
        (
            "gpt-2 phi-2 mpt olmo jais trillion granite-docling exaone4 jina-es jina-de jina-v1-en"
            " jina-v2-es jina-v2-de jina-v2-code roberta-bpe gigachat a.x-4.0 mellum modern-bert"
        ),
        PreTokenization(gpt2=True),
    ),
    (
        "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
        PreTokenization(_LLAMA3, ignore_merges=True, add_bos=True),
    ),
    ("dbrx smaug-bpe glm4 chatglm-bpe", PreTokenization(_LLAMA3)),
    (
        "qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
        PreTokenization(_QWEN2),
    ),
    ("qwen35", PreTokenization(_QWEN35)),
    ("seed-coder", PreTokenization(_SEED)),
    ("bailingmoe bailingmoe2 llada-moe", PreTokenization(_BAILING)),
    ("tekken", PreTokenization(_TEKKEN, ignore_merges=True, add_bos=True)),
    ("gpt-4o llama4 kanana2 talkie minimax-m2", PreTokenization(_GPT4O)),
    (
        "starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
        PreTokenization((r"\p{N}",), gpt2=True),
    ),
    ("falcon", PreTokenization((r"[\p{P}$+<=>\^~|`]+",), gpt2=True, digits=(_THREES,))),
    (
        DEFAULT,
        PreTokenization((r"[\p{P}$+<=>\^~|]+",), gpt2=True, digits=(r"\p{N}+", _THREES)),
    ),
    ("deepseek-llm", PreTokenization(deepseek.LLM)),
    ("deepseek-coder", PreTokenization(deepseek.CODER)),
    ("deepseek-v3 hunyuan-dense joyai-llm hy_v4", PreTokenization(deepseek.V3)),
    ("bloom poro-chat gpt3-finnish", PreTokenization((_BLOOM,))),
    ("viking", PreTokenization((_BLOOM, r"\p{N}"))),
)

NAMES: Final[Mapping[str, PreTokenization]] = {
    name: one for names, one in _PRE_TOKENIZATIONS for name in names.split()
}
"""What each name that is known means."""


def pre_tokenization(name: str) -> PreTokenization:
    """Return what a name means; raises ValueError if it is not known."""
    try:
        return NAMES[name]
    except KeyError:
        known = ", ".join(sorted(NAMES))
        raise ValueError(
            f"the pre-tokenizer {name!r:.60} (tokenizer.ggml.pre) is not known; known are {known}"
        ) from None
