"""Faults in added tokens: their ids, what gives these, what they decode to, the text around them.

Each tokenizer reads ``~name~`` and ``~date~`` from all text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from planted._builders import engine, tokenizer_with
from planted._registry import fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import SimpleNamespace

NAME, DATE = "~name~", "~date~"


def _with_added(
    declared: Mapping[str, int],
    *,
    read: Mapping[str, int] | None = None,
    shown: Mapping[int, str] | None = None,
    eaten: str = "",
) -> SimpleNamespace:
    """Declare added tokens, read those of ``read``, and decode ids to the texts of ``shown``.

    What the expression ``eaten`` matches is lost next to a token.
    """
    healthy = engine()
    found = declared if read is None else read
    texts = {number: text for text, number in sorted(declared.items())} if shown is None else shown
    tokens = re.compile(f"{eaten}({'|'.join(map(re.escape, found))})")

    def encode(text: str) -> list[int]:
        rows = (
            [found[part]] if place % 2 else healthy.encode_ordinary(part)
            for place, part in enumerate(tokens.split(text))
        )
        return [number for row in rows for number in row]

    def decode(numbers: Sequence[int]) -> str:
        data = (
            texts[number].encode() if number in texts else healthy.decode_single_token_bytes(number)
            for number in numbers
        )
        return b"".join(data).decode("utf-8", "replace")

    return tokenizer_with(
        encode=encode,
        decode=decode,
        added_tokens=dict(declared),
        n_vocab=healthy.n_vocab + len(declared),
    )


def _own_ids() -> dict[str, int]:
    return {NAME: engine().n_vocab, DATE: engine().n_vocab + 1}


@fault("TOK115", cause="text around an added token: split differently")
def pattern_sees_the_added_token() -> SimpleNamespace:
    """Keeps the last space of a run before an added token apart, as before a word."""
    healthy, ids = engine(), _own_ids()

    def encode(text: str) -> list[int]:
        parts = re.split(f"({NAME}|{DATE})", text)
        rows = [
            [ids[part]] if place % 2 else healthy.encode_ordinary(part)
            for place, part in enumerate(parts)
        ]
        for place, part in enumerate(parts[:-2]):
            if not place % 2 and part.endswith("  "):
                rows[place] = [*healthy.encode_ordinary(part[:-1]), *healthy.encode_ordinary(" ")]
        return [number for row in rows for number in row]

    return tokenizer_with(
        encode=encode,
        decode=_with_added(ids).decode,
        added_tokens=ids,
        n_vocab=healthy.n_vocab + len(ids),
    )


@fault("TOK407", cause="shared added id: another added token")
def added_tokens_share_an_id() -> SimpleNamespace:
    """Gives two added tokens one id, so that one of them comes back as the other."""
    return _with_added(dict.fromkeys((NAME, DATE), engine().n_vocab))


@fault("TOK115", cause="added token: read as text")
def added_token_is_never_read() -> SimpleNamespace:
    """Declares an added token and reads its text as any other text."""
    return _with_added(_own_ids(), read={NAME: _own_ids()[NAME]})


@fault("TOK115", cause="added token: read as another")
def added_token_is_read_as_another() -> SimpleNamespace:
    """Reads the text of one added token as the id of the other."""
    return _with_added(_own_ids(), read=dict.fromkeys((NAME, DATE), _own_ids()[NAME]))


@fault("TOK115", cause="added token: decode gives another text", families=["special-tokens"])
def added_id_decodes_without_its_last_sign() -> SimpleNamespace:
    """Decodes the id of one added token to its text without the last character."""
    ids = _own_ids()
    return _with_added(ids, shown={ids[NAME]: NAME, ids[DATE]: DATE[:-1]})


@fault(
    "TOK115",
    cause="text around an added token: lost",
    families=["special-tokens"],
    longest=12,
)
def added_token_takes_the_space_before_it() -> SimpleNamespace:
    """Takes the space before each added token, which none of them declares."""
    return _with_added(_own_ids(), eaten=" ?")
