"""The methods that a tokenizer has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Tokenizer(Protocol):
    """The methods that every tokenizer has; see ``boundary/entry_points.py`` for the others.

    Optional attributes:

    - ``special_tokens``: text to id.
    - ``added_tokens``: text to id, of tokens that are not special and are looked for in all text
      before the model reads it.
    - ``n_vocab``: one more than the largest id.
    - ``algorithm``: the name of its algorithm, such as ``WordPiece``.
    - ``unknown_id``: the id that text gets for which it has no token.
    - ``normalizer``: the name of the normal form that it declares.
    - ``unicode_version``: the version that its pre-tokenizer is pinned to.
    - ``stage_versions``: the Unicode version of each stage that has one: ``normalizer``,
      ``case mapping`` and ``split``.
    - ``read_from_file``: the names of those methods that the library does not have, and that are
      answered from its file. A finding names the library's own method in their place.
    - ``plain_setting``: the setting of its library that ``encode_ordinary`` uses, such as
      ``"encode_special_tokens=True"``, if ``encode`` reads special tokens from text.
    - ``conflicting_tokens``: id to bytes, for ids about which the vocabulary file contradicts
      itself: a second id of a token, or an id that a special token also has. The tokenizer decodes
      such an id differently or not at all.
    """

    def encode(self, text: str, /) -> Sequence[int]:
        """Return the token ids of a text."""
        ...

    def decode(self, ids: Sequence[int], /) -> str | bytes:
        """Return the text, or its UTF-8 bytes, of token ids."""
        ...
