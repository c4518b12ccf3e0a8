r"""What ``tokenizer.ggml.pre`` stands for: the patterns by which a text is cut before BPE.

A GGUF file has the name of a pre-tokenizer in place of its pattern. The names and their synonyms
come from llama.cpp (``llama-vocab.cpp``). The patterns come from the published ``tokenizer.json``
for each name, which llama.cpp quotes if its own pattern has a different form. Several patterns are
applied one after the other, each to the pieces of the previous pattern.

What llama.cpp does in the place of the published patterns are alterations of these. llama.cpp
matches patterns with ``std::regex``, which has neither classes of Unicode nor ``(?i:)``. Before it
matches a pattern that has no class of Unicode, it replaces all white space outside ASCII by U+000B,
so that ranges of code points do not have this white space. (Where the pattern has a class, it
replaces each character by a letter for its class.) It writes ``'[sS]`` for ``(?i:'s)``, which does
not match U+017F. In the patterns of ``tekken`` and ``gpt-4o`` it has one class of letters for all
cases: each letter outside ASCII is uppercase and lowercase, and marks are neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.pre_tokenizers.metaspace import ByteLevel
from tokharness_tokenizers.reference.pre_tokenizers.sequence import Sequence, Split
from tokharness_tokenizers.reference.searching import find_pattern, pieces_of_pattern
from tokharness_tokenizers.reference.white_space import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.reference.components import PreTokenizer

SPACES_IN_NO_RANGE: Final = "white space outside ASCII is in no range of code points"
LONG_S: Final = "U+017F is no letter of a contraction"
ONE_CASE: Final = "letters outside ASCII have no case, and marks are no part of words"

_SPACES: Final = "".join(char for char in WHITE_SPACE if not char.isascii())
_RANGES: Final = re.compile(r"(?<!\\)\[(?!\^)(?:\\.|[^\]\\])*\]")
_ANY_CASE: Final = re.compile(r"\(\?i:([^()]*)\)")
_LETTERS: Final = re.compile(r"\[([a-z]+)\]|[a-z]")
_UPPER_LETTERS: Final = re.compile(r"\[\\p\{Lu\}[^\]]*\]")
_LOWER_LETTERS: Final = re.compile(r"\[\\p\{Ll\}[^\]]*\]")


def _without_spaces(pattern: str) -> str:
    return pattern if r"\p{" in pattern else _RANGES.sub(_without_spaces_in, pattern)


def _without_spaces_in(ranges: re.Match[str]) -> str:
    has_spaces = re.search(ranges[0], _SPACES)
    return f"(?:(?![{_SPACES}]){ranges[0]})" if has_spaces else ranges[0]


def _without_long_s(pattern: str) -> str:
    return _ANY_CASE.sub(lambda group: f"(?:{_LETTERS.sub(_in_both_cases, group[1])})", pattern)


def _in_both_cases(letters: re.Match[str]) -> str:
    either = letters[1] or letters[0]
    return f"[{either}{either.upper()}]"


def _without_case(pattern: str) -> str:
    upper = _UPPER_LETTERS.sub(r"(?:(?=\\p{L})[^a-z])", pattern)
    return _LOWER_LETTERS.sub(r"(?:(?=\\p{L})[^A-Z])", upper)


DEPARTURES: Final[Mapping[str, Callable[[str], str]]] = {
    SPACES_IN_NO_RANGE: _without_spaces,
    LONG_S: _without_long_s,
    ONE_CASE: _without_case,
}
"""The change of a pattern, by the name of the alteration."""


def departing(pattern: str, departure: str | None) -> str:
    """Return a pattern with a departure; the pattern itself if the departure does not change it."""
    return pattern if departure is None else DEPARTURES[departure](pattern)


# The patterns of DeepSeek's tokenizers, which name ranges of code points.
#
# Source: the ``tokenizer.json`` of DeepSeek LLM, Coder and V3, as quoted by llama.cpp. The letters
# of the first pattern are the letters of Latin, Greek, Cyrillic and other scripts with case in
# Unicode 15.

_DEEPSEEK_CASED: Final = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af"
    "\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1"
    "\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5"
    "\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a"
    "\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d"
    "\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3"
    "\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115"
    "\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149"
    "\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d"
    "\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06"
    "\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    "\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    "\U0001e900-\U0001e943"
)
_IDEOGRAPHS: Final = "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"

DEEPSEEK_LLM: Final = (
    "[\r\n]",
    rf"\s?[{_DEEPSEEK_CASED}]+",
    "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
    r"\s+$",
    _IDEOGRAPHS,
    r"\p{N}+",
)
DEEPSEEK_CODER: Final = ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", _IDEOGRAPHS, r"\p{N}")
DEEPSEEK_V3: Final = (
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    (
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
        r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
)

DEFAULT: Final = "default"
"""The name for a file without a name."""


@dataclass(frozen=True, slots=True)
class PreTokenization:
    """Patterns and further settings that the name of a pre-tokenizer implies.

    Attributes:
        patterns: The patterns before GPT-2's pattern, or all patterns.
        gpt2: Whether GPT-2's pattern follows, as the last pattern or before ``digits``.
        digits: The patterns after GPT-2's pattern.
        ignore_merges: Whether a word that is a token is this token, even if no merges lead to it.
        add_bos: Whether texts begin with a BOS token, unless the file has a setting for it.

    """

    patterns: tuple[str, ...] = ()
    gpt2: bool = False
    digits: tuple[str, ...] = ()
    ignore_merges: bool = False
    add_bos: bool = False

    def component(self, version: str, departure: str | None = None) -> PreTokenizer:
        """Return the pre-tokenizer with the classes of a Unicode version, and with a departure."""
        before, after = (
            tuple(split(departing(pattern, departure), version) for pattern in patterns)
            for patterns in (self.patterns, self.digits)
        )
        if not before and not after:
            return ByteLevel(add_prefix_space=False, version=version)
        if not self.gpt2:
            return Sequence((*before, ByteLevel(add_prefix_space=False, use_regex=False)))
        if not after:
            return Sequence((*before, ByteLevel(add_prefix_space=False, version=version)))
        written = ByteLevel(add_prefix_space=False, use_regex=False)
        return Sequence((*before, split(_GPT2, version), *after, written))


def split(pattern: str, version: str) -> Split:
    """Return what cuts a text at the matches of a pattern, at a Unicode version."""
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
"""The pattern ``patterns.R50K`` in the dialect of Oniguruma."""

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
    ("deepseek-llm", PreTokenization(DEEPSEEK_LLM)),
    ("deepseek-coder", PreTokenization(DEEPSEEK_CODER)),
    ("deepseek-v3 hunyuan-dense joyai-llm hy_v4", PreTokenization(DEEPSEEK_V3)),
    ("bloom poro-chat gpt3-finnish", PreTokenization((_BLOOM,))),
    ("viking", PreTokenization((_BLOOM, r"\p{N}"))),
)

NAMES: Final[Mapping[str, PreTokenization]] = {
    name: one for names, one in _PRE_TOKENIZATIONS for name in names.split()
}
"""The meaning of each known name."""


def pre_tokenization(name: str) -> PreTokenization:
    """Return the meaning of a name; raises ValueError for an unknown name."""
    try:
        return NAMES[name]
    except KeyError:
        known = ", ".join(sorted(NAMES))
        raise ValueError(
            f"the pre-tokenizer {name!r:.60} (tokenizer.ggml.pre) is not known; known are {known}"
        ) from None
