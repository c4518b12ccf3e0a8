"""A ``tokenizer.json``, and a list of tokens such as ``vocab.txt``, which stands for one.

The chat template is described if the file has the usual name, or the settings or the template of a
model stand next to it. Comments, and parts of the file that have no stage, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from tokharness.model import Description, TokenEntry
from tokharness_tokenizers.descriptions.canonical import (
    canonical,
    check_places,
    is_comment,
    unique,
    write_json,
)
from tokharness_tokenizers.descriptions.model_folder import (
    model_folder,
    read_templates,
    write_templates,
)
from tokharness_tokenizers.reference.tokenizer_json.fields import Fields
from tokharness_tokenizers.reference.tokenizer_json.file import (
    model_of,
    read_added_tokens,
    read_record,
)
from tokharness_tokenizers.reference.tokenizer_json.models import (
    MODELS,
    kind_of,
    read_merges,
    read_pieces,
    read_vocabulary,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from pathlib import Path

    from tokharness_tokenizers.reference.added_tokens import AddedToken

__all__ = [
    "DECODER",
    "FORMAT",
    "NORMALIZER",
    "PADDING",
    "POST_PROCESSOR",
    "PRE_TOKENIZER",
    "TRUNCATION",
    "Place",
    "component",
    "describe",
    "describe_list",
    "describe_record",
    "record_of",
    "settings",
    "write",
    "written",
]


# The components of a ``tokenizer.json`` in one form: defaults written out, and nothing unread.
#
# A field that a component of this name is not known to have is kept, as a later release may read
# it.

Defaults = dict[str, Any]

MARK: Final = "\u2581"


@dataclass(frozen=True)
class Place:
    """A stage that is made of components.

    Attributes:
        inner: The field of a ``Sequence`` with its components.
        defaults: The defaults of the fields of each component that has any, by its type.
        unread: The fields of a component that have no effect in this place, each with the value to
            write, as the library asks for it, or None.

    """

    inner: str
    defaults: Mapping[str, Defaults] = field(default_factory=dict)
    unread: Mapping[str, Defaults] = field(default_factory=dict)


NORMALIZER: Final = Place(
    "normalizers",
    {
        "BertNormalizer": {
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "Strip": {"strip_left": True, "strip_right": True},
    },
)
PRE_TOKENIZER: Final = Place(
    "pretokenizers",
    {
        "ByteLevel": {"add_prefix_space": True, "use_regex": True},
        "Digits": {"individual_digits": False},
        "FixedLength": {"length": 5},
        "Metaspace": {"prepend_scheme": "always", "split": True},
        "Punctuation": {"behavior": "Isolated"},
        "Split": {"behavior": "Isolated", "invert": False},
    },
    {"ByteLevel": {"trim_offsets": True}, "Metaspace": {"str_rep": None}},
)
POST_PROCESSOR: Final = Place(
    "processors",
    {
        "ByteLevel": {"add_prefix_space": True, "trim_offsets": True},
        "RobertaProcessing": {"add_prefix_space": True, "trim_offsets": True},
        "TemplateProcessing": {"special_tokens": {}},
    },
    {"ByteLevel": {"use_regex": True}},
)
DECODER: Final = Place(
    "decoders",
    {
        "BPEDecoder": {"suffix": "</w>"},
        "CTC": {"pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
        "Metaspace": {"replacement": MARK, "prepend_scheme": "always"},
        "WordPiece": {"prefix": "##", "cleanup": True},
    },
    {
        "ByteLevel": {"add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "Metaspace": {"split": True, "str_rep": None},
    },
)
TRUNCATION: Final = {"direction": "Right", "strategy": "LongestFirst", "stride": 0}
PADDING: Final = {
    "direction": "Right",
    "strategy": "BatchLongest",
    "pad_id": 0,
    "pad_to_multiple_of": None,
    "pad_token": "[PAD]",
    "pad_type_id": 0,
}


def component(fields: Fields | None, place: Place) -> dict[str, Any] | None:
    """Return a component in its form; None for none. Raises ValueError if it is damaged."""
    if fields is None:
        return None
    kind = fields.component
    if kind == "Sequence":
        inner = [component(one, place) for one in fields.children(place.inner)]
        return {place.inner: inner, "type": kind}
    found = settings(fields, place.defaults.get(kind, {}), place.unread.get(kind, {}))
    if kind == "Metaspace":
        return _metaspace(found)
    if isinstance(found.get("pattern"), str):  # as in old files
        found["pattern"] = {"String": found["pattern"]}
    return found


def written(stage: Mapping[str, Any] | None, place: Place) -> dict[str, Any] | None:
    """Return a component as a file has it, with the fields that only the library asks for."""
    if stage is None:
        return None
    if stage["type"] == "Sequence":
        return {**stage, place.inner: [written(one, place) for one in stage[place.inner]]}
    unread = place.unread.get(stage["type"], {})
    return {**{name: one for name, one in unread.items() if one is not None}, **stage}


def settings(
    fields: Fields, defaults: Mapping[str, Any], unread: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fields of an object by name, with the defaults of those that are missing."""
    given = {
        name: one
        for name, one in fields.record.items()
        if one is not None and name not in unread and not is_comment(name)
    }
    found: dict[str, Any] = canonical({**defaults, **given})
    return found


def _metaspace(found: dict[str, Any]) -> dict[str, Any]:
    """Return the settings without ``add_prefix_space``, which files before 0.15 have."""
    if found.pop("add_prefix_space", True) is False:
        found["prepend_scheme"] = "never"
    return found


FORMAT: Final = "tokenizer.json"
FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")


def describe(path: Path) -> Description:
    """Describe a file; raises OSError, or ValueError if it is damaged."""
    record = read_record(path)
    return describe_list(lambda _: record, path, FORMAT, model_folder(path, FORMAT))


def describe_list(
    read: Callable[[Path], Any], path: Path, form: str, folder: Path | None = None
) -> Description:
    """Describe what a function reads of a path as a ``tokenizer.json``.

    ``folder`` is the folder of the model, in which chat templates may be. Raises OSError, or
    ValueError if the file is damaged.
    """
    try:
        description = describe_record(read(path), form)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if folder is None:
        return description
    stages = {**description.stages, "template": read_templates(folder)}
    return replace(description, stages=stages)


def describe_record(record: Any, form: str) -> Description:
    """Describe the parsed JSON, or what another format stands for; raises ValueError."""
    fields, file = model_of(record), Fields("", record)
    kind = kind_of(fields)
    if kind not in MODELS:
        raise fields.unknown("model")
    if kind == "Unigram":
        pieces = read_pieces(fields)
        tokens = [TokenEntry(at, text, score) for at, (text, score) in enumerate(pieces)]
        ids = {text: at for at, (text, _) in enumerate(pieces)}
    else:
        ids = read_vocabulary(fields)
        rows = sorted(((number, text) for text, number in ids.items()), key=itemgetter(0, 1))
        tokens = list(starmap(TokenEntry, rows))
    merges = tuple(read_merges(fields).values()) if kind == "BPE" else None
    defaults = {**MODELS[kind], "type": kind}
    model = settings(fields, defaults, unread=("vocab", "merges"))
    stages = {
        "added tokens": [_added_row(one) for one in read_added_tokens(file, ids)],
        "normalizer": component(file.child("normalizer"), NORMALIZER),
        "pre-tokenizer": component(file.child("pre_tokenizer"), PRE_TOKENIZER),
        "model": {**model, "dropout": model["dropout"] or None} if kind == "BPE" else model,
        "post-processor": component(file.child("post_processor"), POST_PROCESSOR),
        "decoder": component(file.child("decoder"), DECODER),
        "truncation": _length(file.child("truncation"), TRUNCATION),
        "padding": _length(file.child("padding"), PADDING),
    }
    return Description(form, stages, tuple(tokens), merges)


def _added_row(token: AddedToken) -> dict[str, Any]:
    flags = {flag: getattr(token, flag) for flag in FLAGS}
    return canonical({"id": token.number, "text": token.content, **flags})  # type: ignore[no-any-return]


def _length(fields: Fields | None, defaults: dict[str, Any]) -> dict[str, Any] | None:
    return None if fields is None else settings(fields, defaults)


def write(description: Description, folder: Path) -> Path:
    """Write a file and the templates next to it into a folder, and return the path of the file.

    Raises:
        OSError: it cannot be written.
        ValueError: the format cannot have this content.

    """
    write_json(folder / FORMAT, record_of(description))
    write_templates(description.stages.get("template"), folder)
    return folder / FORMAT


def record_of(description: Description) -> dict[str, Any]:
    """Return the JSON that a description is of; raises ValueError if there is none."""
    stages = description.stages
    rows = [dict(row) for row in stages["added tokens"]]
    return {
        "version": "1.0",
        "truncation": stages["truncation"],
        "padding": stages["padding"],
        "added_tokens": [{"id": row.pop("id"), "content": row.pop("text"), **row} for row in rows],
        "normalizer": written(stages["normalizer"], NORMALIZER),
        "pre_tokenizer": written(stages["pre-tokenizer"], PRE_TOKENIZER),
        "post_processor": written(stages["post-processor"], POST_PROCESSOR),
        "decoder": written(stages["decoder"], DECODER),
        "model": {**stages["model"], **_tables(description)},
    }


def _tables(description: Description) -> dict[str, Any]:
    """Return the vocabulary and the merges as the model has them."""
    tokens = description.tokens
    if description.stages["model"]["type"] == "Unigram":
        check_places(tokens)
        return {"vocab": [[row.token, row.score] for row in tokens]}
    vocabulary = unique(((row.token, row.id) for row in tokens), "text")
    merges = description.merges
    return {"vocab": vocabulary} if merges is None else {"vocab": vocabulary, "merges": merges}
