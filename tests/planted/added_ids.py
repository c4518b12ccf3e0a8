"""Ids that are no part of a text and change it: begin and end ids, padding, control tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import SimpleNamespace

BEGIN, END, PADDING = 90_000, 90_001, 90_002
TEXTS = {BEGIN: "<s>", END: "</s>", PADDING: "<pad>"}
MULTIPLE = 8


def _decode(ids: Sequence[int]) -> str:
    """Decode runs of ordinary ids, and write the added ids as their text."""
    parts: list[str] = []
    run: list[int] = []
    for number in ids:
        if number in TEXTS:
            parts += [engine().decode(run), TEXTS[number]]
            run = []
        else:
            run.append(number)
    return "".join([*parts, engine().decode(run)])


@fault("TOK101", cause="begin and end ids: <s> before, </s> after", families=["plain-words"])
def decodes_begin_and_end_ids() -> SimpleNamespace:
    """Adds a begin and an end id to each text, and writes both when it decodes."""
    encode = engine().encode_ordinary
    return tokenizer_with(encode=lambda text: [BEGIN, *encode(text), END], decode=_decode)


@fault("TOK101", cause="padding: <pad>", families=["plain-words"])
def decodes_padding() -> SimpleNamespace:
    """Pads each text to a multiple of eight ids, and writes the padding when it decodes."""
    encode = engine().encode_ordinary

    def padded(text: str) -> list[int]:
        ids = encode(text)
        return [*ids, *[PADDING] * (-len(ids) % MULTIPLE)]

    return tokenizer_with(encode=padded, decode=_decode)


@fault("TOK101", cause="undeclared special token", families=["special-tokens"])
def skips_undeclared_special_tokens() -> SimpleNamespace:
    """Reads the text of a begin token as its id, which decoding skips, and declares none."""
    encode, decode = engine().encode_ordinary, engine().decode

    def with_begin(text: str) -> list[int]:
        first, *others = (encode(part) for part in text.split("<s>"))
        return [*first, *(number for part in others for number in (BEGIN, *part))]

    return tokenizer_with(
        encode=with_begin, decode=lambda ids: decode([one for one in ids if one != BEGIN])
    )
