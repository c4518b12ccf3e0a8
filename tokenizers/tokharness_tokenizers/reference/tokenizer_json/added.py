"""Added tokens of a ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields


def read_added_tokens(fields: Fields, vocabulary: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Read the added tokens.

    A token that the model has, too, has the model's id. Of two with one text the later one counts,
    with the id of the first one; it is special if one of the two is. An empty one is left out.

    Other tokens have the id that the file says. (The library ignores it: 0.20 to 0.23 number these
    tokens in their order in the file, 1.0 in that of their ids, from the size of the model's
    vocabulary on. These are the ids of the file if no id is left out.)

    Raises:
        ValueError: one of them is damaged.

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
    """Make the added tokens; ``normalize`` says what text is looked for in normalized text.

    If this is one text for two tokens, the later one counts. (In the library it is one or the other
    at random, each time that the file is read.) A token of which nothing is left is not found. (The
    library finds it between all characters, and so splits the text into them.)
    """
    tokens = tuple(tokens)
    before = {one.content: one for one in tokens if not one.normalized}
    after = {text: one for one in tokens if one.normalized and (text := normalize(one.content))}
    return AddedTokens(tokens, Cutter(before, is_word), Cutter(after, is_word))


def normalized_texts(
    tokens: Iterable[AddedToken], normalize: Callable[[str], str]
) -> dict[int, str]:
    """Return the texts that stand for tokens in decoding, by id, where they are not their own.

    A token that is looked for in normalized text is decoded as the normalizer leaves it, as in
    releases 0.23 and 1.0. (0.20 decodes it as its own text.)
    """
    return {
        one.number: text
        for one in tokens
        if one.normalized and (text := normalize(one.content)) != one.content
    }
