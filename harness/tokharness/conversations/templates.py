"""Where the chat template of a model is, and which one a loader takes.

A folder may have templates in several places. ``transformers`` takes ``chat_template.jinja`` and
the files of ``additional_chat_templates`` if there are any, else ``chat_template`` of
``tokenizer_config.json``, which is one text or a list of named ones. Of several named ones it takes
``tool_use`` for a conversation with tools, if there is one, and else ``default``. A GGUF file has
its template in its metadata, and llama.cpp takes that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tokharness.errors import UnknownNameError, UsageError
from tokharness.json_content import parse_json
from tokharness.regular_files import is_there, read_file, require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

CONFIG, FILE, FURTHER = "tokenizer_config.json", "chat_template.jinja", "additional_chat_templates"
PROCESSOR = "chat_template.json"
GENERATION = "generation_config.json"
DEFAULT, WITH_TOOLS = "default", "tool_use"
"""Of several templates a loader takes the second if there are tools, and else the first."""

MOST_BYTES = 1 << 22
"""Bytes of a template or a configuration; the longest template in use has some 30,000."""

TOKENS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token")
"""Special tokens of a configuration; the names of some settings end like theirs."""

SUFFIXES = (".jinja", ".jinja2", ".j2", ".txt")
"""Names of files that are a template themselves."""


class NoTemplateError(UsageError):
    """The target has no chat template."""


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template, its name, and the file that it is in.

    ``shadowed`` has the other templates of the name, which a loader does not take, and ``siblings``
    the names of those that it takes in other cases.
    """

    name: str
    source: str
    place: str
    shadowed: tuple[ChatTemplate, ...] = ()
    siblings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """The templates of a model, with what its folder says besides.

    Attributes:
        templates: The templates that a loader takes, by name.
        variables: The special tokens that a template may use as variables, such as ``bos_token``.
        stop_ids: The ids that end a generation; None if no file says so.
        adds_begin: Whether the configuration says that the tokenizer adds a begin token.

    """

    templates: Mapping[str, ChatTemplate]
    variables: Mapping[str, str] = field(default_factory=dict)
    stop_ids: tuple[int, ...] | None = None
    adds_begin: bool = False


def find_templates(
    path: Path | None, template: str | None, inside: Mapping[str, str] = MappingProxyType({})
) -> Found:
    """Return the templates in a folder, in a tokenizer's file or next to it, or in a file.

    Args:
        path: The folder or the file of the tokenizer, or a template; None without any.
        template: A file with a template, or the name of one of the folder; None for all.
        inside: The templates in the file of the tokenizer itself, by name.

    Raises:
        NoTemplateError: there is no template.
        UsageError: a file cannot be read.

    """
    if path is not None and path.is_file() and path.suffix in SUFFIXES:
        if template is not None:
            raise UsageError(f"{path} is a template itself: omit --template, or name a tokenizer")
        return Found({DEFAULT: ChatTemplate(DEFAULT, _text(path), str(path))})
    if template is not None and (Path(template).suffix in SUFFIXES or Path(template).is_file()):
        found = _of_folder(_folder(path)) if path is not None else Found({})
        one = ChatTemplate(DEFAULT, _text(Path(template)), template)
        return replace(found, templates={DEFAULT: one})
    found = Found({}) if path is None else _of_folder(_folder(path))
    if inside:
        rows = {name: ChatTemplate(name, text, str(path)) for name, text in inside.items()}
        found = replace(found, templates=rows)
    if not found.templates:
        raise NoTemplateError(
            f"{path or 'the target'} has no chat template: it is in {FILE} or {CONFIG} of the "
            "tokenizer's folder; name another with --template FILE"
        )
    names = frozenset(found.templates)
    known = {n: replace(one, siblings=names - {n}) for n, one in found.templates.items()}
    found = replace(found, templates=known)
    if template is None:
        return found
    if template not in found.templates:
        raise UnknownNameError("template of the folder", template, found.templates)
    return replace(found, templates={template: found.templates[template]})


def _folder(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _of_folder(folder: Path) -> Found:
    config = _json(folder / CONFIG)
    in_config = dict(_in_config(config.get("chat_template"), str(folder / CONFIG)))
    in_files = {one.name: one for one in _in_files(folder)}
    place = str(folder / PROCESSOR)
    in_processor = dict(_in_config(_json(folder / PROCESSOR).get("chat_template"), place))
    taken = in_files or in_config or in_processor
    others = [
        one for rows in (in_config, in_processor) if rows is not taken for one in rows.values()
    ]
    return Found(
        {name: _with_shadowed(one, others) for name, one in taken.items()},
        dict(_variables(config, folder / CONFIG)),
        _stop_ids(folder / GENERATION),
        config.get("add_bos_token") is True,
    )


def _stop_ids(path: Path) -> tuple[int, ...] | None:
    stop = _json(path).get("eos_token_id")
    stops = stop if isinstance(stop, list) else [] if stop is None else [stop]
    if not all(type(one) is int for one in stops):
        raise UsageError(f"{path}: eos_token_id is neither an id nor a list of ids")
    return tuple(stops) or None


def _with_shadowed(taken: ChatTemplate, others: Sequence[ChatTemplate]) -> ChatTemplate:
    differ = [one for one in others if one.name == taken.name and one.source != taken.source]
    return replace(taken, shadowed=tuple(differ))


def _in_config(value: Any, place: str) -> list[tuple[str, ChatTemplate]]:
    """Return the templates in a value, which is a text, a list of named ones, or an object."""
    if value is None:
        return []
    rows = [(DEFAULT, value)] if isinstance(value, str) else value
    if isinstance(value, dict):
        rows = list(value.items())
    elif isinstance(value, list):
        rows = [(one.get("name"), one.get("template")) for one in value if isinstance(one, dict)]
    is_whole = isinstance(rows, list) and (isinstance(value, str) or len(rows) == len(value))
    if not is_whole or not all(isinstance(text, str) for row in rows for text in row):
        raise UsageError(f"{place}: chat_template is neither a text nor named texts")
    return [(name, ChatTemplate(name, source, place)) for name, source in rows]


def _in_files(folder: Path) -> list[ChatTemplate]:
    paths = [folder / FILE, *sorted((folder / FURTHER).glob("*.jinja"))]
    files = [path for path in paths if is_there(path)]
    try:
        require_inside_folder(folder, files)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error
    names = [DEFAULT if path.name == FILE else path.stem for path in files]
    return [
        ChatTemplate(name, _text(path), str(path)) for name, path in zip(names, files, strict=True)
    ]


def _variables(config: Mapping[str, Any], path: Path) -> Iterator[tuple[str, str]]:
    """Yield the special tokens of a configuration, which templates get as variables."""
    for key, value in config.items():
        text = value.get("content") if isinstance(value, dict) else value
        if key.endswith("_token") and isinstance(text, str):
            yield key, text
        elif key in TOKENS and value is not None:
            raise UsageError(f"{path}: {key} is not a token")


def _text(path: Path) -> str:
    try:
        return read_file(path, MOST_BYTES).decode()
    except OSError as error:
        raise UsageError(f"cannot read the template {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"the template {path} is not UTF-8: {error.reason} at byte {error.start}"
        ) from error


def _json(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one if there is no such file."""
    if not is_there(path):
        return {}
    try:
        require_inside_folder(path.parent, [path])
        value = parse_json(read_file(path, MOST_BYTES))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON that can be read: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} is not a JSON object")
    return value
