"""What stands next to a tokenizer file in the folder of its model: chat templates and settings.

Source: ``transformers``. Templates have names; the one without a name is ``default``. They are the
field ``chat_template`` of ``tokenizer_config.json``, a text or a list of objects with ``name`` and
``template``; or ``chat_template.jinja``, which counts instead; and
``additional_chat_templates/NAME.jinja``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import is_there, read_file, require_inside_folder
from tokharness_tokenizers.descriptions.canonical import canonical, is_comment, write_json
from tokharness_tokenizers.file_errors import named_file_errors
from tokharness_tokenizers.reference.token_files.stages import read_config

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["DEFAULT", "model_folder", "read_templates", "with_options", "write_templates"]

DEFAULT: Final = "default"
ROWS: Final = "added_tokens_decoder"
CONFIG: Final = "tokenizer_config.json"
JINJA: Final = "chat_template.jinja"
UNREAD: Final = {
    *("auto_map", "chat_template", "merges_file", "name_or_path", "processor_class"),
    *("special_tokens_map_file", "tokenizer_file", "transformers_version", "vocab_file"),
}
"""Settings that are no options: names of files, releases and models, and templates."""


def model_folder(path: Path, usual_name: str) -> Path | None:
    """Return the folder of the model that a tokenizer file is of; None if nothing says that it is.

    The name of the file says it, or another file of the model next to it.
    """
    others = (path.parent / name for name in (CONFIG, JINJA))
    is_of_model = path.name == usual_name or any(map(is_there, others))
    return path.parent if is_of_model else None


def read_templates(folder: Path) -> dict[str, str] | None:
    """Return the templates in a folder; None if it has none. Raises OSError or ValueError."""
    found = _of_config(folder / CONFIG)
    if is_there(path := folder / JINJA):
        found = {DEFAULT: _text(path)}
        others = sorted((folder / "additional_chat_templates").glob("*.jinja"))
        found |= {path.stem: _text(path) for path in others}
    return dict(sorted(found.items())) or None


def _text(path: Path) -> str:
    require_inside_folder(path.parent, [path])
    try:
        return read_file(path).decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error


def _of_config(path: Path) -> dict[str, str]:
    if not is_there(path):
        return {}
    require_inside_folder(path.parent, [path])
    try:
        record = parse_json(read_file(path))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    given: Any = record.get("chat_template") if isinstance(record, dict) else None
    if given is None:
        return {}
    rows = [{"name": DEFAULT, "template": given}] if isinstance(given, str) else given
    try:
        found = {row["name"]: row["template"] for row in rows}
    except (TypeError, KeyError) as error:
        raise ValueError(f"{path}: chat_template is neither a text nor a list of them") from error
    if not all(isinstance(text, str) for pair in found.items() for text in pair):
        raise ValueError(f"{path}: chat_template has a name or a template that is not a text")
    return found


def write_templates(templates: Mapping[str, str] | None, folder: Path) -> None:
    """Write templates where :func:`read_templates` reads them; raises OSError."""
    if templates:
        rows = [{"name": name, "template": text} for name, text in templates.items()]
        write_json(folder / CONFIG, {"chat_template": rows})


def with_options(description: Description, folder: Path) -> Description:
    """Return a description with the settings as ``options``; raises VocabularyError."""
    with named_file_errors(folder):
        config = read_config(folder)
    record = {**config.fields.record, "added_tokens.json": config.ids or None}
    record[ROWS] = _by_text(record.get(ROWS))
    options = {
        name: value
        for name, value in record.items()
        if value is not None and name not in UNREAD and not is_comment(name)
    }
    return replace(description, stages={**description.stages, "options": canonical(options)})


def _by_text(rows: Any) -> Any:
    """Return added tokens by text with their ids, if these are so; a file has them by id."""
    try:
        found = {row["content"]: {**row, "id": int(number)} for number, row in rows.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return rows
    for row in found.values():
        del row["content"]
    return found if len(found) == len(rows) else rows
