"""What else ``transformers`` reads of a folder: the settings of ``tokenizer_config.json``.

Names of files, releases and models, and templates, which have a stage of their own, are left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tokharness.errors import VocabularyError
from tokharness_tokenizers.descriptions.canonical import canonical, is_comment
from tokharness_tokenizers.reference.token_files.config import read_config

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["with_options"]

UNREAD: Final = {
    *("auto_map", "chat_template", "merges_file", "name_or_path", "processor_class"),
    *("special_tokens_map_file", "tokenizer_file", "transformers_version", "vocab_file"),
}


def with_options(description: Description, folder: Path) -> Description:
    """Return a description with the settings as ``options``; raises VocabularyError."""
    try:
        config = read_config(folder)
    except (ValueError, OSError) as error:
        raise VocabularyError(str(error)) from error
    record = {**config.fields.record, "added_tokens.json": config.ids or None}
    options = {
        name: value
        for name, value in record.items()
        if value is not None and name not in UNREAD and not is_comment(name)
    }
    return replace(description, stages={**description.stages, "options": canonical(options)})
