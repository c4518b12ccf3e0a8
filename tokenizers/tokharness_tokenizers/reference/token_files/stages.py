"""Parts of a ``tokenizer.json`` that the models of lists of tokens have, and added tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.token_files.config import FLAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokharness_tokenizers.reference.token_files.config import TokenizerConfig

# The added tokens of a list of tokens, as a ``tokenizer.json`` has them.


def added_tokens(
    vocabulary: Mapping[str, int],
    config: TokenizerConfig,
    defaults: Mapping[str, str],
    *,
    with_missing: bool,
) -> list[dict[str, Any]]:
    """Return the added tokens by id, the special ones among them.

    ``defaults`` are the special tokens of the class by name. Special tokens that the vocabulary
    lacks get the next ids if ``with_missing``, as in ``transformers``; otherwise they are left out.
    A token of the vocabulary has its id there, and a token of ``added_tokens_decoder`` the id given
    there.
    """
    tokens: dict[str, dict[str, Any]] = {}
    for name in NAMES:
        token = config.token(name, defaults.get(name))
        if token and (
            with_missing or name in config.fields.record or token["content"] in vocabulary
        ):
            tokens.setdefault(token["content"], token)
    for token in config.further():
        before = tokens.get(token["content"], PLAIN)
        special = before["special"] or token.get("special", False)
        tokens[token["content"]] = {**before, **token, "special": special}
    next_id = max(vocabulary.values(), default=-1) + 1
    for token in sorted(tokens.values(), key=lambda one: one.get("id", next_id)):
        token["id"] = vocabulary.get(token["content"], token.get("id", next_id))
        next_id = max(next_id, token["id"] + 1)
    return sorted(tokens.values(), key=lambda one: one["id"])


PLAIN = {**dict.fromkeys(FLAGS, False), "normalized": True}
"""The flags of a token whose text and id are all that is known."""

NAMES = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""The names of special tokens, in the order in which ``transformers`` gives them ids."""

Record = dict[str, Any]
END_OF_WORD: Final = "</w>"
BYTE_LEVEL: Final[Record] = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
CLIP_PATTERN: Final = (
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d"
    r"|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
)
"""The pattern of CLIP's words in lower case text (Radford et al. 2021, ``simple_tokenizer.py``)."""


def without_stages(added: Iterable[Record]) -> Record:
    """Return a file without stages and model."""
    empty = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    return {"version": "1.0", **dict.fromkeys(empty), "added_tokens": list(added)}


def pair_of_ends(
    kind: str, ids: Mapping[str, int], start: str | None, end: str | None, **settings: Any
) -> Record | None:
    """Return the post-processor that puts a token at each end; None if a token is missing."""
    if start is None or end is None or not ids.keys() >= {start, end}:
        return None
    return {"type": kind, "sep": [end, ids[end]], "cls": [start, ids[start]], **settings}


def byte_level(*, add_prefix_space: bool) -> Record:
    """Return the stages of GPT-2 (Radford et al. 2019, ``encoder.py``)."""
    spaces = {**BYTE_LEVEL, "add_prefix_space": add_prefix_space}
    return {"pre_tokenizer": spaces, "decoder": BYTE_LEVEL}


def clip() -> Record:
    """Return the stages of CLIP, as ``transformers`` has them.

    They depart from CLIP's own code (``simple_tokenizer.py``):

    - the text is normalized to NFC; CLIP repairs it with ``ftfy`` and replaces HTML entities twice,
    - each character is made lower case alone, so that U+03A3 at the end of a word is U+03C3,
    - U+017F after an apostrophe is not a ``'s``; CLIP's pattern ignores case,
    - ``<|endoftext|>`` in plain text is text; in CLIP it is always the special token,
    - the space after the last word is removed in decoding; CLIP keeps it.

    No text is cut to 77 tokens.
    """
    space = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    split = {"pattern": {"Regex": CLIP_PATTERN}, "behavior": "Removed", "invert": True}
    last = {"type": "Replace", "pattern": {"Regex": END_OF_WORD + r"\z"}, "content": ""}
    ends = {"type": "Replace", "pattern": {"String": END_OF_WORD}, "content": " "}
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [{"type": "NFC"}, space, {"type": "Lowercase"}],
        },
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [{"type": "Split", **split}, BYTE_LEVEL],
        },
        "decoder": {"type": "Sequence", "decoders": [BYTE_LEVEL, last, ends]},
    }


def words() -> Record:
    """Return the stages of OpenAI's first GPT (Radford et al. 2018), as ``transformers`` has them.

    It is the normalizer and the pre-tokenizer of BERT. (GPT's own code repairs the text with
    ``ftfy`` and cuts it with spaCy.)
    """
    return {
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "BPEDecoder", "suffix": END_OF_WORD},
    }
