"""Common code for the tokenizers of GGUF files: their parts, and added tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.tokenizer_json.fields import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.reference.components import Model, Normalizer, PreTokenizer
    from tokharness_tokenizers.reference.decoding import Decoding
    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables

CHANGED = "GGUF"
"""The name of the changes of a text that a file declares."""

SPECIAL = (PieceKind.CONTROL, PieceKind.UNKNOWN)

_CONTROL: Final = (
    "<|eot_id|> <|im_end|> <|end|> <end_of_turn> <|endoftext|> <|end_of_text|> <EOT> _<EOT> [EOT]"
    " [EOS] <end_of_utterance> <|eom_id|> <|return|> <|call|> </s>"
    " <\uff5cend\u2581of\u2581sentence\uff5c>"
    " <|fim_prefix|> <fim-prefix> <fim_prefix> <PRE> \u2581<PRE> <|code_prefix|> <|prefix|>"
    " <|fim_suffix|> <fim-suffix> <fim_suffix> <SUF> \u2581<SUF> <|code_suffix|> <|suffix|>"
    " <|fim_middle|> <fim-middle> <fim_middle> <MID> \u2581<MID> <|code_middle|> <|middle|>"
    " <\uff5cfim\u2581begin\uff5c> <\uff5cfim\u2581hole\uff5c> <\uff5cfim\u2581end\uff5c>"
    " <|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]"
    " <|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame> <|file_sep|>"
)
CONTROL_TEXTS: Final = frozenset(_CONTROL.split())
"""Texts of control tokens: llama.cpp makes a token with such a text one, whatever the file says."""


@dataclass(frozen=True, slots=True)
class Stages:
    """The parts of a tokenizer.

    Attributes:
        model: The model.
        texts: The text of each token, by id.
        decoding: The decoder.
        normalizer: The normalizer, or None.
        pre_tokenizer: The pre-tokenizer, or None.
        cut: Without a pre-tokenizer, a function that cuts a text at places that no token crosses.
        changes: The name of the declared changes of a text; None without changes.

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

    User-defined tokens are found in any text; control tokens and the unknown token only in trusted
    text. (Of two tokens that overlap, llama.cpp takes the longer token, not the token that begins
    first.)
    """
    tokens = []
    for kind in (*SPECIAL, PieceKind.USER_DEFINED):
        for text, number in file.tokens.ids(kind).items():
            named = settings.knows_control and text in CONTROL_TEXTS
            if kind in SPECIAL or named:
                tokens.append(AddedToken(text, number, special=not settings.reads_control))
            elif settings.reads_user_defined:
                tokens.append(AddedToken(text, number, special=False))
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
