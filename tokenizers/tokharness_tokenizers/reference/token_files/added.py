"""The added tokens of a list of tokens, as a ``tokenizer.json`` has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokharness_tokenizers.reference.token_files.config import FLAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.token_files.config import TokenizerConfig

__all__ = ["added_tokens"]


def added_tokens(
    vocabulary: Mapping[str, int],
    config: TokenizerConfig,
    defaults: Mapping[str, str],
    *,
    with_missing: bool,
) -> list[dict[str, Any]]:
    """Return the added tokens by id, the special ones among them.

    ``defaults`` are the special tokens of the class by name. Those that the vocabulary lacks get
    the next ids if ``with_missing``, as in ``transformers``; else they are left out. A token that
    the vocabulary has, has this id, and one of ``added_tokens_decoder`` the id that is given there.
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
"""The flags of a token of which only the text and the id are known."""

NAMES = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""The names of special tokens, in the order in which ``transformers`` gives them ids."""
