"""The tokenizer in the metadata of a GGUF file: tokens, settings, defaults, and common stages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.added_tokens import AddedToken, AddedTokens, Cutter
from tokharness_tokenizers.reference.gguf.patterns import DEFAULT, pre_tokenization
from tokharness_tokenizers.reference.normalizers.forms import NormalForm
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.tokenizer_json.fields import FORMS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokharness_tokenizers.reference.components import Model, Normalizer, PreTokenizer
    from tokharness_tokenizers.reference.decoding import Decoding
    from tokharness_tokenizers.reference.gguf.metadata import Metadata
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables


# The tokens of a GGUF file: the text, score and type of each, and the ids of special tokens.
#
# The types are the types of SentencePiece's pieces. A file without types has only normal tokens. An
# unknown type, such as 0 (undefined), means that no text becomes the token.

PREFIX = "tokenizer.ggml."
"""Start of the keys of a tokenizer."""

Kind = TypeVar("Kind", bool, str)


@dataclass(frozen=True)
class Tokens:
    """The tokens, whose ids are their places."""

    texts: tuple[str, ...] = field(repr=False)
    scores: tuple[float, ...] = field(repr=False)
    kinds: tuple[PieceKind, ...] = field(repr=False)

    def ids(self, *kinds: PieceKind) -> dict[str, int]:
        """Return the ids of the tokens of some types, by text; the later id of a repeated text."""
        rows = enumerate(zip(self.texts, self.kinds, strict=True))
        return {text: number for number, (text, kind) in rows if text and kind in kinds}


def read_tokens(metadata: Metadata) -> Tokens:
    """Read the tokens.

    Raises:
        ValueError: there are no tokens, fewer scores or types than tokens, or a score is not a
            number.

    """
    texts = array_of(metadata, "tokens", str)
    if texts is None:
        raise ValueError(f"the file has no {PREFIX}tokens: it has no tokenizer")
    scores = _column(metadata, "scores", len(texts), 0.0)
    kinds = _column(metadata, "token_type", len(texts), PieceKind.NORMAL)
    known = {int(kind): kind for kind in PieceKind}
    if any(map(math.isnan, scores)):
        raise ValueError(f"{PREFIX}scores has a NaN, which is no score")
    types = tuple(known.get(kind, PieceKind.UNUSED) for kind in kinds)
    return Tokens(texts, tuple(map(float, scores)), types)


def _column(metadata: Metadata, name: str, size: int, default: Any) -> tuple[Any, ...]:
    values = array_of(metadata, name, (int, float))
    if values is None:
        return (default,) * size
    if len(values) < size:
        raise ValueError(f"{PREFIX}{name} has {len(values):,} values for {size:,} tokens")
    return values[:size]


def array_of(metadata: Metadata, name: str, kind: Any) -> tuple[Any, ...] | None:
    """Return an array; None if it is missing. Raises ValueError if it has another type."""
    values = metadata.get(PREFIX + name)
    if values is None:
        return None
    if not isinstance(values, tuple) or not all(isinstance(one, kind) for one in values):
        raise ValueError(f"{PREFIX}{name} is no array of the type that it needs")
    return values


def setting(metadata: Metadata, name: str, default: Kind) -> Kind:
    """Return a setting; raises ValueError if it has another type than its default."""
    value = metadata.get(PREFIX + name, default)
    if type(value) is not type(default):
        raise ValueError(f"{PREFIX}{name} is {start_of(value):.60}, not a {type(default).__name__}")
    return value


def number_of(metadata: Metadata, name: str, size: int, default: int | None) -> int | None:
    """Return the id of a token, or the default; None if no token has it."""
    value = metadata.get(f"{PREFIX}{name}_token_id", default)
    if value is None:
        return None
    if type(value) is not int:
        raise ValueError(f"{PREFIX}{name}_token_id is {start_of(value):.60}, not an id")
    return value if 0 <= value < size else None


# The settings of the tokenizer in a GGUF file, and the defaults for missing settings.
#
# The defaults of a model come from llama.cpp. They describe the usual tokenizer of such a model:
# Llama puts a space and ``<s>`` before a text, BERT puts a text between ``[CLS]`` and ``[SEP]``.

GPT2, LLAMA, BERT, T5, RWKV, GEMMA4 = "gpt2", "llama", "bert", "t5", "rwkv", "gemma4"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that encoding and decoding depend on.

    Attributes:
        model: The kind of model, ``tokenizer.ggml.model``.
        pre: The name of the pre-tokenizer of ``gpt2``.
        add_space_prefix: Whether a space is put before a text (after it, if spaces end words).
        remove_extra_whitespaces: Whether spaces at both ends, and repeated spaces, are removed.
        treat_whitespace_as_suffix: Whether the mark of a space ends words.
        lowercase: Whether text becomes lower case, in ``bert``.
        strip_accents: Whether text loses marks, in ``bert``.
        ignore_merges: Whether a word that is a token is this token, in ``gpt2``.
        before: The ids that ``encode`` puts before a text.
        after: The ids that ``encode`` puts after a text.
        reads_control: Whether plain text has control tokens. No file has this setting.
        reads_user_defined: Whether a text has user-defined tokens.
        knows_control: Whether tokens are control tokens by their texts (:mod:`.stages`). No file
            has this setting.
        reads_bytes: Whether an unknown character becomes the tokens of its bytes.
        applies_charsmap: Whether the rules of ``precompiled_charsmap`` are applied.
        longest_word: Characters of the longest word that ``bert`` cuts. No file has this setting.
        form: A normal form that is applied first. No file has this setting.
        writes_unused: Whether decoding writes the text of an unused token. No file has this.
        cleans_up: Whether decoding removes spaces before punctuation.
        departures: Departures of ``bert`` (:mod:`.word_pieces`). No file has this setting.
        reads_mark: Whether U+2581 in a text begins a word, in ``bert``. No file has this setting.
        keeps_first_space: Whether text that ``bert`` decodes has a space before its first word.
        pattern_departure: A departure of patterns (:mod:`.patterns`). No file has this.

    """

    model: str
    pre: str = DEFAULT
    add_space_prefix: bool = False
    remove_extra_whitespaces: bool = False
    treat_whitespace_as_suffix: bool = False
    lowercase: bool = True
    strip_accents: bool = True
    ignore_merges: bool = False
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    reads_control: bool = False
    reads_user_defined: bool = True
    knows_control: bool = False
    reads_bytes: bool = True
    applies_charsmap: bool = True
    longest_word: int = 100
    form: str | None = None
    writes_unused: bool = True
    cleans_up: bool = False
    departures: tuple[str, ...] = ()
    reads_mark: bool = False
    keeps_first_space: bool = False
    pattern_departure: str | None = None


@dataclass(frozen=True, slots=True)
class _Defaults:
    """The defaults of a model: whether ids are added, and which ids."""

    begins: bool = False
    ends: bool = False
    bos: int | None = None
    eos: int | None = None
    add_space_prefix: bool = False


_DEFAULTS: Final[Mapping[str, _Defaults]] = {
    GPT2: _Defaults(bos=11, eos=11),
    LLAMA: _Defaults(begins=True, bos=1, eos=2, add_space_prefix=True),
    BERT: _Defaults(begins=True, ends=True, bos=101, eos=102),
    T5: _Defaults(ends=True, eos=1),
    RWKV: _Defaults(),
    GEMMA4: _Defaults(begins=True),
}


def read_settings(metadata: Metadata, size: int) -> Settings:
    """Read the settings of a tokenizer with so many tokens.

    Raises:
        ValueError: the model or the pre-tokenizer is unknown, a setting has a wrong type, or a
            token that has to be added is missing.

    """
    model = setting(metadata, "model", "")
    if model not in _DEFAULTS:
        known = ", ".join(_DEFAULTS)
        raise ValueError(f"the model {model!r:.60} ({PREFIX}model) is not known; known are {known}")
    defaults = _DEFAULTS[model]
    pre = setting(metadata, "pre", DEFAULT) if model == GPT2 else DEFAULT
    cutting = pre_tokenization(pre)
    lowercase = setting(metadata, "normalizer.lowercase", default=True)
    begins = defaults.begins or (model == GPT2 and cutting.add_bos)
    return Settings(
        model,
        pre,
        setting(metadata, "add_space_prefix", defaults.add_space_prefix),
        setting(metadata, "remove_extra_whitespaces", default=False),
        setting(metadata, "treat_whitespace_as_suffix", default=False),
        lowercase,
        setting(metadata, "normalizer.strip_accents", lowercase),
        cutting.ignore_merges,
        _added(metadata, "bos", begins, ("bos", "cls"), defaults.bos, size),
        _added(metadata, "eos", defaults.ends, _ends(model), defaults.eos, size),
    )


def _ends(model: str) -> tuple[str, ...]:
    return ("seperator",) if model == BERT else ("eos",)  # the key has this spelling


def _added(
    metadata: Metadata,
    name: str,
    is_added: bool,
    tokens: tuple[str, ...],
    default: int | None,
    size: int,
) -> tuple[int, ...]:
    """Return the id that is added at one end; empty if no id is added."""
    key = f"add_{name}_token"
    if not setting(metadata, key, is_added):
        return ()
    numbers = [number_of(metadata, token, size, None) for token in tokens]
    found = next((one for one in (*numbers, default) if one is not None and one < size), None)
    if found is None:
        if f"{PREFIX}{key}" in metadata:
            raise ValueError(f"{PREFIX}{key} is true, and no token has the id of {tokens[0]}")
        return ()
    return (found,)


_UNKNOWN: Final[Mapping[str, int]] = {LLAMA: 0, BERT: 100, T5: 2}
"""The id of the unknown token if the file does not have it."""


@dataclass(frozen=True)
class File:
    """The tokenizer in a file.

    Attributes:
        name: The name of the file.
        tokens: The tokens.
        settings: The settings.
        merges: The pairs of tokens that BPE merges, in order.
        charsmap: The rules that replace text before Unigram; empty without rules.
        unknown: The id of the unknown token, or None.

    """

    name: str
    tokens: Tokens
    settings: Settings
    merges: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    charsmap: bytes = field(default=b"", repr=False)
    unknown: int | None = None


def read_file(metadata: Metadata, name: str) -> File:
    """Read the tokenizer of metadata.

    Raises:
        ValueError: the metadata is damaged, or has an unknown part; the message names it.

    """
    tokens = read_tokens(metadata)
    settings = read_settings(metadata, len(tokens.texts))
    charsmap = array_of(metadata, "precompiled_charsmap", int) or ()
    return File(
        name,
        tokens,
        settings,
        tuple(map(_pair, array_of(metadata, "merges", str) or ())),
        bytes(byte & 0xFF for byte in charsmap),
        _unknown(metadata, tokens, settings.model),
    )


def _pair(merge: str) -> tuple[str, str]:
    at = merge.find(" ", 1)  # a token may be a space
    if at < 0:
        raise ValueError(f"{PREFIX}merges has {merge!r:.60}, which is no pair of tokens")
    return merge[:at], merge[at + 1 :]


def _unknown(metadata: Metadata, tokens: Tokens, model: str) -> int | None:
    marked = next(iter(tokens.ids(PieceKind.UNKNOWN).values()), _UNKNOWN.get(model))
    return number_of(metadata, "unknown", len(tokens.texts), marked)


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
