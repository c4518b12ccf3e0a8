"""The components of a ``tokenizer.json`` in one form: defaults written out, and nothing unread.

A field that a component of this name is not known to have is kept, as a later release may read it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tokharness_tokenizers.descriptions.canonical import canonical, is_comment

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tokharness_tokenizers.reference.tokenizer_json.fields import Fields

__all__ = [
    "DECODER",
    "NORMALIZER",
    "PADDING",
    "POST_PROCESSOR",
    "PRE_TOKENIZER",
    "TRUNCATION",
    "Place",
    "component",
    "settings",
    "written",
]

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
