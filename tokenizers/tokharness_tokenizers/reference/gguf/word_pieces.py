"""The model ``bert`` of a GGUF file: WordPiece (Devlin et al. 2019).

In such a file, pieces that begin a word start with U+2581, and pieces that continue a word have no
prefix, unlike ``##`` in ``vocab.txt``. Texts in brackets, such as ``[CLS]``, are written as they
are. Tokens have the texts of ``vocab.txt`` here. The file has no limit on the length of a word;
here it is 100 characters, as in the published ``tokenizer.json``. llama.cpp has no limit, and when
it decodes, it removes spaces before punctuation.

What llama.cpp does in the place of BERT's stages are alterations of these. llama.cpp removes all
marks (M), whereas BERT removes nonspacing marks (Mn). It decomposes each character only to the
first character of its decomposition, so that a Hangul syllable loses its vowel. It treats U+000B,
U+000C and U+0085, which BERT removes as controls, as spaces. It puts U+2581 before each word and
matches the pieces as the file has them, so that U+2581 in a text begins a word, too. When it
decodes, a text keeps the space for the start of its first word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tokharness.unicode.normalization import normalize
from tokharness_tokenizers.reference.decoders import WordPiece as WordPieceDecoder
from tokharness_tokenizers.reference.decoders import clean_up
from tokharness_tokenizers.reference.decoding import Decoding
from tokharness_tokenizers.reference.gguf.file import CHANGED, Stages, with_form
from tokharness_tokenizers.reference.models.wordpiece import WordPiece
from tokharness_tokenizers.reference.normalizers.forms import BertNormalizer, TableVersions
from tokharness_tokenizers.reference.normalizers.mapping import (
    CharacterMap,
    Replacement,
    of_categories,
)
from tokharness_tokenizers.reference.normalizers.replacing import Sequence
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert
from tokharness_tokenizers.reference.sentencepiece.model_file import PieceKind
from tokharness_tokenizers.reference.sentencepiece.vocabulary import MARK
from tokharness_tokenizers.reference.tokenizer_json.fields import (
    CASE,
    CATEGORIES,
    FORMS,
    PUNCTUATION,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness_tokenizers.reference.components import Normalizer
    from tokharness_tokenizers.reference.gguf.file import File, Settings
    from tokharness_tokenizers.reference.tokenizer_json.fields import Tables

CONTINUES: Final = "##"


def model_of(file: File) -> WordPiece:
    """Return the model."""
    vocabulary = {text: number for number, text in _texts(file).items() if text}
    unknown = "[UNK]" if file.unknown is None else _texts(file)[file.unknown]
    return WordPiece(vocabulary, unknown, CONTINUES)


def stages_of(file: File, model: WordPiece, settings: Settings, tables: Tables) -> Stages:
    """Return the parts of the tokenizer."""
    versions = TableVersions(
        forms=tables.version(FORMS) if settings.strip_accents else None,
        categories=tables.version(CATEGORIES),
        case=tables.version(CASE) if settings.lowercase else None,
    )
    normalizer = BertNormalizer(
        strip_accents=settings.strip_accents, lowercase=settings.lowercase, versions=versions
    )
    whole = with_form(settings, tables, normalizer)
    first = departures(settings.departures, tables.version(CATEGORIES))
    return Stages(
        _altered(model, file, settings),
        _texts(file),
        _decoding(settings),
        Sequence((*first, whole)) if first and whole else whole,
        Bert(tables.version(PUNCTUATION)),
        changes=CHANGED,
    )


def _altered(model: WordPiece, file: File, settings: Settings) -> WordPiece | MarkedWords:
    if settings.reads_mark:
        pieces = {text: number for number, text in enumerate(file.tokens.texts) if text}
        unknown = model.unknown if file.unknown is None else file.tokens.texts[file.unknown]
        return MarkedWords(WordPiece(pieces, unknown, "", settings.longest_word))
    if model.max_characters != settings.longest_word:
        return replace(model, max_characters=settings.longest_word)
    return model


def _decoding(settings: Settings) -> Decoding:
    if settings.keeps_first_space:
        return Decoding(SpacedTexts(CONTINUES), cleans_up=True)
    decoder = WordPieceDecoder(CONTINUES, settings.cleans_up)
    return Decoding(decoder, cleans_up=settings.cleans_up)


def _texts(file: File) -> dict[int, str]:
    rows = zip(file.tokens.texts, file.tokens.kinds, strict=True)
    return {number: _text(text, kind) for number, (text, kind) in enumerate(rows)}


def _text(text: str, kind: PieceKind) -> str:
    if text.startswith(MARK):
        return text[1:]
    is_name = text.startswith("[") and text.endswith("]")
    return text if kind is not PieceKind.NORMAL or is_name or not text else CONTINUES + text


MARKS: Final = "marks of all categories are removed"
FIRST: Final = "of a decomposed Hangul syllable the first letter remains"
SPACES: Final = "U+000B, U+000C and U+0085 are spaces"

DEPARTURES: Final = ((MARKS,), (FIRST,), (SPACES,), (MARKS, FIRST, SPACES))
"""The alterations, one by one and together."""

_SYLLABLES: Final = range(0xAC00, 0xD7A4)


def departures(names: tuple[str, ...], categories: str | None) -> list[Normalizer]:
    """Return the normalizers that change a text before BERT's normalizer."""
    return [_departure(name, categories) for name in names]


def _departure(name: str, categories: str | None) -> Normalizer:
    if name == MARKS:
        return Replacement(of_categories(categories, "Mc", "Me"), "")
    if name == FIRST:
        return CharacterMap(lambda char: normalize("NFD", char)[0], _SYLLABLES)
    return Replacement("\v\f\x85", " ")


@dataclass(frozen=True, slots=True)
class MarkedWords:
    """WordPiece with U+2581 before each word, and no prefix of the pieces that continue it.

    Attributes:
        pieces: The model of the pieces as the file has them, without a prefix.

    """

    pieces: WordPiece

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The id of each piece."""
        return self.pieces.vocabulary

    @property
    def unknown_id(self) -> int | None:
        """The id of the unknown token; None if the vocabulary lacks it."""
        return self.pieces.unknown_id

    def tokens(self, word: str) -> list[tuple[int, int]]:
        """Return the id and the number of characters of each token of a word."""
        (first, length), *others = self.pieces.tokens(MARK + word)
        return [(first, length - len(MARK)), *others]


@dataclass(frozen=True, slots=True)
class SpacedTexts:
    """Put a space before each token that begins a word, including the first token.

    Names in brackets get no space, and spaces before punctuation are removed.
    """

    prefix: str = "##"

    def decode(self, tokens: list[str]) -> list[str]:
        """Return the one text of all tokens."""
        return [clean_up("".join(map(self._text, tokens)))]

    def _text(self, token: str) -> str:
        if token.startswith(self.prefix):
            return token.removeprefix(self.prefix)
        return token if token.startswith("[") and token.endswith("]") else f" {token}"
