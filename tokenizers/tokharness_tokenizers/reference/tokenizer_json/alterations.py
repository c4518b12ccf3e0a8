r"""Alterations of a ``tokenizer.json``: the same file with one setting of one stage changed.

If a library's ids differ from the ids of the file, the alteration with which the reference gives
the library's ids shows what the library does: it leaves out a normal form, ignores ``invert``,
reads a pattern with ``(?i:`` as a pattern with case, or strips white space next to an added token.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tokharness_tokenizers.reference.pattern_alterations import pattern_alterations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Alteration: TypeAlias = "tuple[str, str, dict[str, Any]]"
"""The stage, the alteration in a few words, and the altered file without its vocabulary."""

STAGES: Final = {
    "added_tokens": "added tokens",
    "normalizer": "normalizer",
    "pre_tokenizer": "pre-tokenizer",
    "model": "model",
    "decoder": "decoder",
    "truncation": "post-processor",
    "padding": "post-processor",
}
"""The name of the stage of each field of the file that is altered."""

FLAGS: Final = ("single_word", "lstrip", "rstrip", "normalized", "special")
"""The settings of an added token."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "behavior": (
        "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous",
    ),
    "prepend_scheme": ("first", "always", "never"),
}  # fmt: skip
FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
ADDED_NORMALIZERS: Final = ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "NFD+StripAccents", "Strip")
MODEL_FLAGS: Final = ("ignore_merges", "byte_fallback", "fuse_unk")
MERGE_GONE: Final = "merge gone"
"""The key of an altered model without a merge that a reader takes for a header or the end."""

PLACES_OF_MERGES: Final[Mapping[str, int]] = {"first": 0, "last": -1}
LISTS: Final = ("normalizers", "pretokenizers", "decoders")
OTHER_DECODERS: Final = ("Fuse", "ByteLevel", "ByteFallback")


def alterations(
    file: Mapping[str, Any], merges: Sequence[tuple[str, str]] = ()
) -> Iterator[Alteration]:
    """Yield the alterations of a file, in the order of their stages.

    The file may be without its tables; ``merges`` has those of its model.
    """
    yield from _of_added_tokens(file)
    for field in ("normalizer", "pre_tokenizer"):
        for what, component in _of_component(file.get(field)):
            yield STAGES[field], what, {**file, field: component}
    yield from _added_normalizers(file)
    for flag in MODEL_FLAGS:
        if flag in file["model"]:
            model = {**file["model"], flag: not file["model"][flag]}
            yield "model", _is(flag, model[flag]), {**file, "model": model}
    for place, at in PLACES_OF_MERGES.items() if merges else ():
        what = f"the {place} merge, of {''.join(merges[at])!a}, is gone"
        yield "model", what, {**file, "model": {**file["model"], MERGE_GONE: place}}
    yield from _of_decoder(file)
    for field in ("truncation", "padding"):
        for what, component in _of_length(field, file.get(field)):
            yield STAGES[field], what, {**file, field: component}


def _of_added_tokens(file: Mapping[str, Any]) -> Iterator[Alteration]:
    tokens = file.get("added_tokens") or []
    stage = STAGES["added_tokens"]
    if tokens:
        yield stage, "none is read", {**file, "added_tokens": []}
    for flag in FLAGS:
        for value in (True, False):
            altered = [{**token, flag: value} for token in tokens]
            if altered != tokens:
                yield stage, _is(flag, value), {**file, "added_tokens": altered}
    for value in (True, False):
        altered = [{**token, "lstrip": value, "rstrip": value} for token in tokens]
        either = ([{**token, flag: value} for token in tokens] for flag in ("lstrip", "rstrip"))
        if altered not in (tokens, *either):
            what = f"{_is('lstrip', value)}, and rstrip, too"
            yield stage, what, {**file, "added_tokens": altered}


def _added_normalizers(file: Mapping[str, Any]) -> Iterator[Alteration]:
    """Yield files with a further normalizer in the last place."""
    known = file.get("normalizer")
    before = [] if known is None else [known]
    model = file.get("model")
    mark = model.get("continuing_subword_prefix") if isinstance(model, dict) else None
    added: dict[str, list[dict[str, Any]]] = {
        f"{names} is applied, too": [{"type": name} for name in names.split("+")]
        for names in ADDED_NORMALIZERS
    }
    if isinstance(mark, str) and mark:
        removal = {"type": "Replace", "pattern": {"String": mark}, "content": ""}
        added[f"{mark} is removed from a text"] = [removal]
    for what, steps in added.items():
        normalizer = {"type": "Sequence", "normalizers": [*before, *steps]}
        yield "normalizer", what, {**file, "normalizer": normalizer}


def _of_length(field: str, component: Any) -> Iterator[tuple[str, Any]]:
    """Yield the alterations of the truncation or the padding."""
    if isinstance(component, dict):
        yield f"{field} is not applied", None
        other = {"Left": "Right", "Right": "Left"}.get(str(component.get("direction")), "Left")
        yield f"{field}: {_is('direction', other)}", {**component, "direction": other}


def _of_component(component: Any) -> Iterator[tuple[str, Any]]:
    """Yield each alteration of a component, and the altered component; None to leave it out."""
    if not isinstance(component, dict):
        return
    kind = str(component.get("type"))
    yield f"{kind} is not applied", None
    for name, value in component.items():
        for what, altered in _of_value(name, value):
            yield f"{kind}: {what}", {**component, name: altered}
    if kind in FORMS:
        yield from ((f"{kind}: it is {form}", {"type": form}) for form in FORMS if form != kind)
    for name in LISTS:
        for at, inner in enumerate(component.get(name) or ()):
            for what, altered in _of_component(inner):
                items = copy.copy(component[name])
                items[at : at + 1] = [] if altered is None else [altered]
                yield what, {**component, name: items}


def _of_decoder(file: Mapping[str, Any]) -> Iterator[Alteration]:
    known = file.get("decoder")
    others = (({"type": kind}, f"it is {kind}") for kind in OTHER_DECODERS)
    left_out, *settings = _of_component(known) if known else [("", None)]
    rows = [*settings, left_out, *((what, one) for one, what in others)]
    for what, decoder in rows:  # the narrowest first, as several may explain few tokens
        if decoder != known:
            yield STAGES["decoder"], what, {**file, "decoder": decoder}


def _of_value(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, bool):
        yield _is(name, not value), not value
    elif value is None and name == "strip_accents":
        yield from ((_is(name, choice), choice) for choice in (True, False))
    elif name in CHOICES:
        yield from ((_is(name, one), one) for one in CHOICES[name] if one != value)
    elif isinstance(value, dict) and "Regex" in value:
        for what, pattern in pattern_alterations(str(value["Regex"])):
            yield what, {"Regex": pattern}


def _is(name: str, value: object) -> str:
    return f"{name} is {str(value).lower() if isinstance(value, bool) else value}"
