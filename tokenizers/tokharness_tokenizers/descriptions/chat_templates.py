"""The chat templates next to a tokenizer file, by name; the one without a name is ``default``.

Source: ``transformers``: the field ``chat_template`` of ``tokenizer_config.json``, a text or a list
of objects with ``name`` and ``template``; ``chat_template.jinja``, which counts instead; and
``additional_chat_templates/NAME.jinja``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.descriptions.canonical import write_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["DEFAULT", "model_folder", "read_templates", "write_templates"]

DEFAULT: Final = "default"
CONFIG: Final = "tokenizer_config.json"
JINJA: Final = "chat_template.jinja"


def model_folder(path: Path, usual_name: str) -> Path | None:
    """Return the folder of the model that a tokenizer file is of; None if nothing says that it is.

    The name of the file says it, or another file of the model next to it.
    """
    others = (path.parent / name for name in (CONFIG, JINJA))
    is_of_model = path.name == usual_name or any(other.is_file() for other in others)
    return path.parent if is_of_model else None


def read_templates(folder: Path) -> dict[str, str] | None:
    """Return the templates in a folder; None if it has none. Raises OSError or ValueError."""
    found = _of_config(folder / CONFIG)
    if (path := folder / JINJA).is_file():
        found = {DEFAULT: _text(path)}
        others = sorted((folder / "additional_chat_templates").glob("*.jinja"))
        found |= {path.stem: _text(path) for path in others}
    return dict(sorted(found.items())) or None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from error


def _of_config(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        record = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
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
