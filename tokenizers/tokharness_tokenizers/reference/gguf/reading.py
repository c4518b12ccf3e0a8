"""From a GGUF file to its tokenizer, and to tokenizers with one setting changed.

If a program gives different ids than the file asks for, the alteration with which the reference
gives the program's ids shows what the program does: it ignores ``add_space_prefix``, cuts with the
pattern of another name, or reads control tokens from plain text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness_tokenizers.reference.gguf import (
    byte_level,
    byte_strings,
    characters,
    metadata,
    sentence_pieces,
    word_pieces,
)
from tokharness_tokenizers.reference.gguf.file import (
    BERT,
    GEMMA4,
    GPT2,
    LLAMA,
    RWKV,
    T5,
    File,
    Settings,
    added_tokens,
    read_file,
)
from tokharness_tokenizers.reference.gguf.patterns import DEPARTURES as OF_PATTERNS
from tokharness_tokenizers.reference.gguf.patterns import NAMES, departing, pre_tokenization
from tokharness_tokenizers.reference.gguf.word_pieces import DEPARTURES
from tokharness_tokenizers.reference.pipeline import Pipeline
from tokharness_tokenizers.reference.post_processors import PostProcessing, Template
from tokharness_tokenizers.reference.tokenizer_json.fields import Tables
from tokharness_tokenizers.reference.word_ids import TextStages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tokharness_tokenizers.reference.gguf.metadata import Metadata


_KINDS: Final[Mapping[str, Any]] = {
    GPT2: byte_level,
    LLAMA: sentence_pieces,
    BERT: word_pieces,
    T5: sentence_pieces,
    RWKV: byte_strings,
    GEMMA4: characters,
}
"""The module of each model: ``model_of`` makes the model, ``stages_of`` the other stages."""


def load(path: Path) -> Pipeline:
    """Read a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is damaged, or has a part that is not known; the message says which.

    """
    try:
        return read(metadata.load(path), str(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read(found: Metadata, name: str) -> Pipeline:
    """Make the tokenizer of metadata.

    Raises:
        ValueError: it is damaged, or has a part that is not known; the message says which.

    """
    file = read_file(found, name)
    model = _KINDS[file.settings.model].model_of(file)
    return _Tokenizer(file, model, file.settings).pipeline({})


@dataclass(frozen=True, eq=False)
class _Tokenizer:
    """A file and its model, which stay the same, and settings, which may be altered."""

    file: File
    model: Any = field(repr=False)
    settings: Settings

    def pipeline(self, versions: Mapping[str, str]) -> Pipeline:
        file, settings, tables = self.file, self.settings, Tables(versions)
        parts = _KINDS[settings.model].stages_of(file, self.model, settings, tables)
        added = added_tokens(file, settings)
        template = Template((settings.before, None, settings.after))
        return Pipeline(
            file.name,
            TextStages(added, parts.normalizer, parts.pre_tokenizer, parts.cut),
            parts.model,
            parts.texts,
            parts.decoding,
            PostProcessing(template),
            normalizer=parts.changes,
            stage_versions=tables.used,
            at_versions=self.pipeline,
            altered=self.altered,
        )

    def altered(self, versions: Mapping[str, str]) -> list[tuple[str, str, Pipeline]]:
        """Return the tokenizer with each alteration, at these versions."""
        return [
            (stage, what, _Tokenizer(self.file, self.model, settings).pipeline(versions))
            for stage, what, settings in alterations(self.settings)
        ]


Alteration: TypeAlias = "tuple[str, str, Settings]"
"""The stage, the alteration in a few words, and the altered settings."""

ADDED, NORMALIZER, PRE_TOKENIZER = "added tokens", "normalizer", "pre-tokenizer"
MODEL, DECODER = "model", "decoder"

FLAGS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    GPT2: (
        (NORMALIZER, "add_space_prefix"),
        (MODEL, "ignore_merges"),
    ),
    LLAMA: (
        (NORMALIZER, "add_space_prefix"),
        (NORMALIZER, "remove_extra_whitespaces"),
        (NORMALIZER, "treat_whitespace_as_suffix"),
        (NORMALIZER, "applies_charsmap"),
        (MODEL, "reads_bytes"),
    ),
    GEMMA4: ((MODEL, "reads_bytes"),),
    BERT: (
        (NORMALIZER, "lowercase"),
        (NORMALIZER, "strip_accents"),
    ),
}
"""The Boolean settings of each model, with the stage of each setting."""

WORDS: Final = {
    "applies_charsmap": "precompiled_charsmap is not applied",
    "reads_bytes": "the tokens of bytes are not used",
    "writes_unused": "unused tokens have no text",
}
"""The description of an altered setting that no file has."""

NAMED: Final = "user-defined tokens with the text of a usual control token are control tokens"
FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
KEPT: Final = "the space at the start is kept, and those before punctuation are removed"
ANY_LENGTH: Final = "words of any length are cut"
LONGEST: Final = 1 << 30


def alterations(settings: Settings) -> Iterator[Alteration]:
    """Yield the alterations of settings, in the order of their stages."""
    yield ADDED, "control tokens are read", replace(settings, reads_control=True)
    yield ADDED, NAMED, replace(settings, knows_control=True)
    yield ADDED, "user-defined tokens are not read", replace(settings, reads_user_defined=False)
    model = settings.model
    for stage, name in FLAGS.get(LLAMA if model == T5 else model, ()):
        yield stage, *_flag(settings, name)
    for form in FORMS:
        yield NORMALIZER, f"{form} is applied, too", replace(settings, form=form)
    if model == GPT2:
        # A departure of the pattern of the file says less than the pattern of another file.
        yield from _departing_patterns(settings)
        yield from _other_names(settings)
    if model == BERT:
        longest = replace(settings, longest_word=LONGEST)
        yield MODEL, ANY_LENGTH, longest
        yield MODEL, "U+2581 in a text begins a word", replace(settings, reads_mark=True)
        for names in DEPARTURES:
            yield NORMALIZER, "; ".join(names), replace(settings, departures=names)
        together = "; ".join((*names, ANY_LENGTH))
        yield NORMALIZER, together, replace(longest, departures=names)
        yield DECODER, KEPT, replace(settings, keeps_first_space=True)
    if model in {GPT2, BERT, GEMMA4}:
        yield _clean_up(settings)
    if model in {LLAMA, T5}:
        yield DECODER, *_flag(settings, "add_space_prefix")
        yield DECODER, *_flag(settings, "writes_unused")


def _flag(settings: Settings, name: str) -> tuple[str, Settings]:
    value = not getattr(settings, name)
    changes: dict[str, Any] = {name: value}
    return WORDS.get(name, f"{name} is {str(value).lower()}"), replace(settings, **changes)


def _clean_up(settings: Settings) -> Alteration:
    cleans_up = not settings.cleans_up
    not_ = "" if cleans_up else "not "
    what = f"spaces before punctuation are {not_}removed"
    return DECODER, what, replace(settings, cleans_up=cleans_up)


def _departing_patterns(settings: Settings) -> Iterator[Alteration]:
    """Yield settings with each departure that changes one of the patterns."""
    known = pre_tokenization(settings.pre)
    for what in OF_PATTERNS:
        if any(departing(one, what) != one for one in (*known.patterns, *known.digits)):
            yield PRE_TOKENIZER, what, replace(settings, pattern_departure=what)


def _other_names(settings: Settings) -> Iterator[Alteration]:
    """Yield settings with the patterns of other names, each with the first name of its patterns."""
    known = pre_tokenization(settings.pre)
    seen = {(known.patterns, known.gpt2, known.digits)}
    for name, other in NAMES.items():
        patterns = (other.patterns, other.gpt2, other.digits)
        if patterns not in seen:
            seen.add(patterns)
            yield PRE_TOKENIZER, f"pre is {name}", replace(settings, pre=name)
