"""What the library shows of its stages: the text after each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["stages", "token_text"]


def token_text(tokenizer: Any, number: int) -> str:
    """Return the text of a token; raises KeyError if no token has the id."""
    try:
        if hasattr(tokenizer, "id_to_token"):
            text = tokenizer.id_to_token(number)
        else:
            text = next(iter(tokenizer.decode_tokens([number])), None)
    except OverflowError:  # more than 32 bits, or negative
        text = None
    if text is None:
        raise KeyError(f"no token has the id {number!r}")
    return str(text)


def stages(
    tokenizer: Any,
    text: str,
    encode: Callable[[str], Sequence[int]],
    encode_with_others: Callable[[str], Sequence[int]],
    added: Sequence[str],
) -> list[tuple[str, list[str]]]:
    """Return a plain text after each stage that the library shows, with the name of the stage.

    The normalizer and the pre-tokenizer are called alone, on a text without added tokens.
    """
    ids, with_others = encode(text), encode_with_others(text)
    shown = []
    if hasattr(tokenizer, "normalizer") and not any(token in text for token in added):
        normalizer, pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
        normalized = text if normalizer is None else normalizer.normalize_str(text)
        shown.append(("normalizer", [normalized]))
        words = [normalized] if normalized else []
        if pre_tokenizer is not None:
            words = [word for word, _ in pre_tokenizer.pre_tokenize_str(normalized)]
        shown.append(("pre-tokenizer", words))
    shown.append(("model", [token_text(tokenizer, number) for number in ids]))
    shown.append(("post-processor", [token_text(tokenizer, number) for number in with_others]))
    shown.append(("decoder", [tokenizer.decode(list(ids), skip_special_tokens=False)]))
    return shown
