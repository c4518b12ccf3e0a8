"""What stands next to a tokenizer file in the folder of its model: chat templates and settings.

Source: ``transformers``. Templates have names; the one without a name is ``default``. They are the
field ``chat_template`` of ``tokenizer_config.json``, a text or a list of objects with ``name`` and
``template``; or ``chat_template.jinja``, which counts instead; and
``additional_chat_templates/NAME.jinja``. ``generation_config.json`` says at which ids a generation
begins and stops. ``auto_map`` names a class of the folder's own, whose code has digests.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tokharness.json_content import parse_json
from tokharness.regular_files import is_there, read_file, require_inside_folder
from tokharness_tokenizers.descriptions.canonical import canonical, is_comment, write_json
from tokharness_tokenizers.reference.token_files.stages import read_config, read_record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokharness.model import Description

__all__ = ["DEFAULT", "model_folder", "of_model", "read_templates", "write_templates"]

DEFAULT: Final = "default"
ROWS: Final = "added_tokens_decoder"
CONFIG: Final = "tokenizer_config.json"
JINJA: Final = "chat_template.jinja"
GENERATION: Final = "generation_config.json"
UNREAD: Final = {
    *("auto_map", "chat_template", "merges_file", "name_or_path", "processor_class"),
    *("special_tokens_map_file", "tokenizer_file", "transformers_version", "vocab_file"),
}
"""Settings that are no options: names of files, releases and models, and templates."""

OWN_CLASS: Final = re.compile(r"(\w+)\.\w+")
"""A class in a module of the folder, in ``auto_map``; a class of another folder has ``--``."""

OF_FOLDER: Final = re.compile(r"^\s*from\s+\.(\w+)\s+import\b", re.MULTILINE)
"""An import of another module of the folder."""

ID: Final = "_token_id"
OF_IDS: Final = frozenset({"begin_suppress_tokens", "stop_strings", "suppress_tokens"})
"""Settings of a generation that are about tokens; the names of others end with :data:`ID`."""

USUAL: Final = {
    "tokenizer.json": "tokenizer.json",
    "tekken.json": "tekken.json",
    "tiktoken": "tokenizer.model",
    "SentencePiece": "tokenizer.model",
}
"""The name that a file of a format has in the folder of a model."""

WHOLE: Final = frozenset({"GGUF"})
"""Formats whose file has the template and the settings itself."""


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


def of_model(description: Description, path: Path) -> Description:
    """Return the description of a file, or of a folder, with what the folder of its model says.

    These are the templates, the settings as ``options``, and the ids of ``generation``. A file that
    is of no model is described alone. Raises OSError or ValueError.
    """
    form = description.format
    folder = path if path.is_dir() else model_folder(path, USUAL.get(form, ""))
    if folder is None or form in WHOLE:
        return description
    stages = dict(description.stages)
    if "template" not in stages:
        stages["template"] = read_templates(folder)
    stages["options"] = canonical({**stages.get("options", {}), **_options(folder)})
    stages["generation"] = canonical(_generation(folder))
    return replace(description, stages=stages)


def _options(folder: Path) -> dict[str, Any]:
    config = read_config(folder)
    record = {**config.fields.record, "added_tokens.json": config.ids or None}
    record[ROWS] = _by_text(record.get(ROWS))
    record |= _code(folder, record.get("auto_map"))
    return {
        name: value
        for name, value in record.items()
        if value is not None and name not in UNREAD and not is_comment(name)
    }


def _code(folder: Path, auto_map: Any) -> dict[str, str]:
    """Return digests of the modules of a folder that its own tokenizer class is made of.

    ``transformers`` runs them with ``trust_remote_code``; nothing of them is run here.
    """
    given = auto_map.get("AutoTokenizer") if isinstance(auto_map, dict) else None
    classes = given if isinstance(given, list) else [given]
    names = [found[1] for one in classes if (found := OWN_CLASS.fullmatch(str(one)))]
    digests: dict[str, str] = {}
    for name in names:  # grows by the modules that a module imports
        path = folder / f"{name}.py"
        key = f"code of {path.name}"
        if key not in digests and is_there(path):
            text = _text(path)
            digests[key] = hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()[:16]
            names += OF_FOLDER.findall(text)
    return digests


def _generation(folder: Path) -> dict[str, Any]:
    """Return the settings of a generation that are about tokens; a list of one id is the id."""
    record = read_record(folder / GENERATION)
    found = {n: one for n, one in record.items() if n.endswith(ID) or n in OF_IDS}
    single = {n: one[0] for n, one in found.items() if isinstance(one, list) and len(one) == 1}
    return {n: one for n, one in {**found, **single}.items() if one is not None}


def _by_text(rows: Any) -> Any:
    """Return added tokens by text with their ids, if these are so; a file has them by id."""
    try:
        found = {row["content"]: {**row, "id": int(number)} for number, row in rows.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return rows
    for row in found.values():
        del row["content"]
    return found if len(found) == len(rows) else rows
