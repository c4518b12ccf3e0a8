"""From a GGUF file to its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.reference.gguf import (
    byte_level,
    byte_strings,
    characters,
    metadata,
    sentence_pieces,
    word_pieces,
)
from tokharness_tokenizers.reference.gguf.alterations import alterations
from tokharness_tokenizers.reference.gguf.file import (
    BERT,
    GEMMA4,
    GPT2,
    LLAMA,
    RWKV,
    T5,
    File,
    Settings,
    read_file,
)
from tokharness_tokenizers.reference.gguf.stages import added_tokens
from tokharness_tokenizers.reference.pipeline import Pipeline
from tokharness_tokenizers.reference.post_processors import PostProcessing, Template
from tokharness_tokenizers.reference.text_stages import TextStages
from tokharness_tokenizers.reference.tokenizer_json.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Mapping
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
