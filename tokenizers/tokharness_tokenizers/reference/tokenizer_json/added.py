"""Added tokens of a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields


def read_added_tokens(fields: Fields, vocabulary: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Read the added tokens.

    A token that the model also has gets the model's id. Of two tokens with the same text, the later
    token counts, with the id of the first; it is special if either is. An empty token is left out.

    Other tokens have the id in the file. (The library ignores it: from the size of the model's
    vocabulary on, 0.20 to 0.23 number these tokens in their order in the file, 1.0 in the order of
    their ids. These numbers are the ids of the file if no id is left out.)

    Raises:
        ValueError: an added token is damaged.

    """
    tokens: dict[str, AddedToken] = {}
    for one in fields.children("added_tokens", []):
        content, number = one.get("content", str), one.natural("id")
        before = tokens.get(content)
        special = one.get("special", bool, False) or (before is not None and before.special)
        if content:
            tokens[content] = AddedToken(
                content,
                vocabulary.get(content, number if before is None else before.number),
                single_word=one.get("single_word", bool, False),
                lstrip=one.get("lstrip", bool, False),
                rstrip=one.get("rstrip", bool, False),
                normalized=one.get("normalized", bool, not special),
                special=special,
            )
    return tuple(tokens.values())


def make_added_tokens(
    tokens: Iterable[AddedToken],
    normalize: Callable[[str], str],
    is_word: Callable[[str], bool],
) -> AddedTokens:
    """Make the added tokens; ``normalize`` gives the text that is searched for in normalized text.

    If two tokens have the same normalized text, the later token counts. (The library chooses one at
    random, each time that it reads the file.) A token whose normalized text is empty is not found.
    (The library finds it between all characters, and thus splits the text into characters.)
    """
    tokens = tuple(tokens)
    before = {one.content: one for one in tokens if not one.normalized}
    after = {text: one for one in tokens if one.normalized and (text := normalize(one.content))}
    return AddedTokens(tokens, Cutter(before, is_word), Cutter(after, is_word))


def normalized_texts(
    tokens: Iterable[AddedToken], normalize: Callable[[str], str]
) -> dict[int, str]:
    """Return the texts of tokens in decoding, by id, if they differ from the tokens' own texts.

    A token that is searched for in normalized text is decoded to its normalized text, as in
    releases 0.23 and 1.0. (0.20 decodes it to its own text.)
    """
    return {
        one.number: text
        for one in tokens
        if one.normalized and (text := normalize(one.content)) != one.content
    }
