"""What the kinds of tokenizers of GGUF files have in common: their parts, and added tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.tokenizer_json.tables import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.reference.components import Model, Normalizer, PreTokenizer
    from tokharness_tokenizers.reference.decoding import Decoding
    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.tables import Tables

CHANGED = "GGUF"
"""The name of what a file declares to change in a text."""

SPECIAL = (PieceKind.CONTROL, PieceKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Stages:
    """The parts of a tokenizer.

    Attributes:
        model: The model.
        texts: The text of each token, by id.
        decoding: The decoder.
        normalizer: The normalizer, or None.
        pre_tokenizer: The pre-tokenizer, or None.
        cut: Without a pre-tokenizer, a function that cuts a text where no token can cross.
        changes: The name of what is declared to change in a text; None if nothing.

    """

    model: Model
    texts: Mapping[int, str]
    decoding: Decoding
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    cut: Callable[[str], list[str]] | None = None
    changes: str | None = None


def added_tokens(file: File, settings: Settings) -> AddedTokens:
    """Return the tokens that are found before all others.

    Text has the user-defined ones. Only trusted text has control tokens and the unknown one. (Of
    two that overlap, llama.cpp takes the longer one, and not the one that begins first.)
    """
    tokens = []
    for kind in (*SPECIAL, PieceKind.USER_DEFINED):
        special = kind in SPECIAL
        if special or settings.reads_user_defined:
            is_special = special and not settings.reads_control
            rows = file.tokens.ids(kind).items()
            tokens += [AddedToken(text, number, special=is_special) for text, number in rows]
    found = {token.content: token for token in tokens}
    return AddedTokens(tuple(tokens), Cutter(found, _never), Cutter({}, _never))


def _never(character: str) -> bool:  # noqa: ARG001 - no token asks for words of its own
    return False


def with_form(
    settings: Settings, tables: Tables, normalizer: Normalizer | None
) -> Normalizer | None:
    """Return the normalizer after the normal form of the settings, if there is one."""
    if settings.form is None:
        return normalizer
    form = NormalForm(settings.form, tables.version(FORMS))
    return form if normalizer is None else Sequence((form, normalizer))
