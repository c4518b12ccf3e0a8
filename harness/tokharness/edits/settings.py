"""Edits of the settings of a stage: its canonical JSON value before and after."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from tokharness.edits.alignment import aligned
from tokharness.edits.long_texts import MAX_SHOWN, parts_that_differ, places_that_differ, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TEMPLATE_PROCESSING = "TemplateProcessing"
"""The component that puts special tokens around single texts and around pairs of texts."""

SINGLE, PAIR, SPECIAL = "single", "pair", "special_tokens"
"""Its keys: the two templates, and the special tokens with their ids."""

CHARSMAP = "precompiled_charsmap"
"""Key of SentencePiece's rules, in base64."""

TEMPLATE = "template"
"""Stage whose keys are the names of chat templates."""

WORDS = {
    "add_prefix_space": "prefix space",
    "add_dummy_prefix": "prefix space",
    "prepend_scheme": "prefix space",
    "pat_str": "pattern",
    "pattern": "pattern",
    "Regex": "pattern",
    "String": "text",
}
"""Names for keys of settings for which the field has a better word."""

PATTERN = "pattern"
"""Key of a component that splits or replaces; its value has a single key, Regex or String."""

NO_WORD = frozenset("<>[]|.")
"""Characters of keys that are tokens or files, which are not written in another way."""

MOST_IDS = 8
"""Most ids of a special token that a sentence shows."""

LISTS = ("normalizers", "pretokenizers", "decoders", "processors")
"""Keys whose value is a sequence of components."""


@dataclass(frozen=True, slots=True)
class SettingEdit:
    """A value of a stage that differs: the path of keys and places to it, and a sentence.

    An edit of several values has them as ``parts``, and no path and value of its own.
    """

    path: tuple[str | int, ...]
    value: Any
    what: str
    parts: tuple[SettingEdit, ...] = ()

    @property
    def content(self) -> str:
        """The whole value and its path; the sentence may show only a part."""
        if self.parts:
            return "\n".join(part.content for part in self.parts)
        return f"{self.path} {_text(self.value)}"

    def apply(self, stage: Any) -> Any:
        """Return the value of the stage after this edit."""
        for part in self.parts:
            stage = part.apply(stage)
        return stage if self.parts else _with(stage, self.path, self.value)


def _with(whole: Any, path: Sequence[str | int], value: Any) -> Any:
    if not path:
        return value
    if isinstance(whole, list):
        return [_with(item, path[1:], value) if at == path[0] else item for at, item in _at(whole)]
    if not isinstance(whole, dict):  # an earlier edit has replaced what holds the value
        return whole
    changed = {**whole, path[0]: _with(whole.get(path[0]), path[1:], value)}
    return {key: item for key, item in changed.items() if item is not ABSENT}


def _at(items: list[Any]) -> Iterator[tuple[int, Any]]:
    return iter(enumerate(items))


class _Absent:
    """The value of a key that one side does not have."""


ABSENT = _Absent()


def setting_edits(stage: str, old: Any, new: Any) -> Iterator[SettingEdit]:
    """Yield the edits that turn the value ``old`` of a stage into ``new``, each with a sentence."""
    yield from _edits(old, new, (), stage)


def _edits(old: Any, new: Any, path: tuple[str | int, ...], name: str) -> Iterator[SettingEdit]:
    if _text(old) == _text(new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and _type(old) == _type(new):
        found = _edits_of_keys(old, new, path, name)
        is_template = _type(old) == TEMPLATE_PROCESSING
        yield from _by_token(list(found), old, new, len(path)) if is_template else found
    elif isinstance(old, list) and isinstance(new, list):
        yield from _edits_of_list(old, new, path, name)
    elif (gone := _components(old)) and (added := _components(new)):
        yield SettingEdit(path, new, f"{name}: {_components_that_differ(gone, added)}")
    else:
        yield SettingEdit(path, new, f"{name}: {_shown(new)}, was {_shown(old)}")


def _edits_of_keys(
    old: dict[str, Any], new: dict[str, Any], path: tuple[str | int, ...], name: str
) -> Iterator[SettingEdit]:
    inner = _type(old) or (name if path or name == TEMPLATE else "")
    for key in sorted(old.keys() | new.keys()):
        before, now = old.get(key, ABSENT), new.get(key, ABSENT)
        place = (*path, key)
        if key == PATTERN and _kind_of_pattern(before) != _kind_of_pattern(now):
            shown = f"{_pattern(now)}, was {_pattern(before)}"
            yield SettingEdit(place, now, f"{_of(PATTERN, inner)}: {shown}")
        elif _is_leaf(before, now):
            if _text(before) != _text(now):
                yield SettingEdit(place, now, _changed(key, inner, path, before, now))
        else:
            yield from _edits(before, now, place, _name_inside(key, inner, name))


def _by_token(
    found: Sequence[SettingEdit], old: dict[str, Any], new: dict[str, Any], depth: int
) -> list[SettingEdit]:
    """Return the edits of a template; what one special token changes in its parts is one edit.

    The token stands in the template of single texts, in the one of pairs, and in a list with ids.
    """
    tokens = {key: _uses_that_differ(old.get(key), new.get(key)) for key in (SINGLE, PAIR)}
    both = [SINGLE, PAIR]
    left = list(found)
    joined = []
    for keys in [both] if tokens[SINGLE] & tokens[PAIR] else [[key] for key in both]:
        about = sorted({token for key in keys for token in tokens[key]})
        parts = [edit for key in keys for edit in left if edit.path[depth] == key]
        entries = [(*edit.path[:depth], SPECIAL, token) for edit in parts[:1] for token in about]
        listed = [edit for edit in left if edit.path in entries]
        if about and parts:
            numbers = ", ".join(f"{token} is {_ids_of(token, old, new)}" for token in about)
            what = f"{'; '.join(edit.what for edit in parts)} ({numbers})"
            joined.append(SettingEdit((), None, what, (*parts, *listed)))
            left = [edit for edit in left if edit not in joined[-1].parts]
    return [*joined, *left]


def _uses_that_differ(old: Any, new: Any) -> set[str]:
    """Return the special tokens that stand more often in one of two templates."""
    before, now = (
        Counter(
            str(piece["SpecialToken"].get("id"))
            for piece in (one if isinstance(one, list) else ())
            if isinstance(piece, dict) and isinstance(piece.get("SpecialToken"), dict)
        )
        for one in (old, new)
    )
    return {*((before - now) + (now - before))}


def _ids_of(token: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return the ids that a template gives a special token, as "id 1"."""
    lists = (one[SPECIAL] for one in (new, old) if isinstance(one.get(SPECIAL), dict))
    rows = (listed[token] for listed in lists if isinstance(listed.get(token), dict))
    ids: list[Any] = next((row["ids"] for row in rows if isinstance(row.get("ids"), list)), [])
    if not ids:
        return "not listed"
    return f"id{'s' * (len(ids) > 1)} {', '.join(map(str, ids[:MOST_IDS]))}"


def _name_inside(key: str, inner: str, name: str) -> str:
    """Return the name of what a key holds: "ids of <s> of special tokens of TemplateProcessing".

    A component is named by its type, and a pattern by its component.
    """
    if key in LISTS:
        return name
    return inner if key == PATTERN else _of(_word(key), inner)


def _of(word: str, name: str) -> str:
    """Return a setting of a component; one of the stage itself, which stands in front, alone."""
    return f"{word} of {name}" if name else word


def _kind_of_pattern(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def _pattern(value: Any) -> str:
    """Return a pattern with what it is, as "the text b"."""
    kind = {"Regex": "regular expression", "String": "text"}.get("".join(_kind_of_pattern(value)))
    return f"the {kind} {_shown(value)}" if kind else _shown(value)


def _word(key: str) -> str:
    return WORDS.get(key, key if NO_WORD & set(key) else key.replace("_", " "))


def _components(value: Any) -> list[Any]:
    """Return the components of a sequence, or the single component without a sequence."""
    if _type(value) is None:
        return []
    lists = (value[key] for key in LISTS if isinstance(value.get(key), list))
    return next(lists, [value])


def _is_leaf(before: Any, now: Any) -> bool:
    kinds = (dict, list)
    return not (isinstance(before, kinds) and isinstance(now, kinds))


def _edits_of_list(
    old: list[Any], new: list[Any], path: tuple[str | int, ...], name: str
) -> Iterator[SettingEdit]:
    """Yield the edits of components at the same places, or one edit of the whole list."""
    is_order = sorted(map(_text, old)) == sorted(map(_text, new))
    if not is_order and list(map(_kind, old)) == list(map(_kind, new)):
        for place, (before, now) in enumerate(zip(old, new, strict=True)):
            yield from _edits(before, now, (*path, place), name)
        return
    yield SettingEdit(path, new, f"{name}: {_components_that_differ(old, new)}")


def _components_that_differ(old: list[Any], new: list[Any]) -> str:
    if old != new and sorted(map(_text, old)) == sorted(map(_text, new)):
        now, was = (" before ".join(map(_shown, items)) for items in (new, old))
        return f"the order has changed: {now}, was {was}"
    matcher = SequenceMatcher(None, list(map(_text, old)), list(map(_text, new)), autojunk=False)
    parts = []
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            pairs = _paired(old[start:end], new[first:last])
            parts += [_replaced(*pair) for pair in pairs if ABSENT not in pair]
            gone = [_shown(one) for one, other in pairs if other is ABSENT]
            added = [_shown(other) for one, other in pairs if one is ABSENT]
            for shown, state in ((gone, "gone"), (added, "new")):
                verb = "is" if len(shown) == 1 else "are"
                parts += [f"{', '.join(shown)} {verb} {state}"] if shown else []
    return "; ".join(parts) or "the same components, nested in another way"


def _paired(old: list[Any], new: list[Any]) -> list[tuple[Any, Any]]:
    """Return pairs of an old component and the new component in its place; ABSENT for none."""
    pairs = aligned(*([(str(_kind(one)), _text(one)) for one in side] for side in (old, new)))
    return [
        (ABSENT if at is None else old[at], ABSENT if to is None else new[to]) for at, to in pairs
    ]


def _replaced(old: Any, new: Any) -> str:
    """Describe the settings of a component that differ, or the component that replaced it."""
    if _type(old) is not None and _type(old) == _type(new):
        return "; ".join(edit.what for edit in _edits(old, new, (), ""))
    gone, added = (", ".join(map(_shown, one)) for one in _without_shared(old, new))
    return f"{added}, was {gone}"


def _without_shared(old: Any, new: Any) -> tuple[list[Any], list[Any]]:
    """Return two components without the settings that both have, if their types differ."""
    if None in (_type(old), _type(new)) or _type(old) == _type(new):
        return [old], [new]
    shared = {key for key in old.keys() & new.keys() if _text(old[key]) == _text(new[key])}
    old, new = ({key: one[key] for key in one if key not in shared} for one in (old, new))
    return [old], [new]


def _changed(key: str, name: str, path: tuple[str | int, ...], before: Any, now: Any) -> str:
    """Describe how the value of a key changed: "byte fallback of BPE: on, was off"."""
    if key == CHARSMAP:
        return f"{_of('charsmap', name)}: another one ({_size_of(now)}, was {_size_of(before)})"
    word = _word(key)
    if key in ("Regex", "String") and path and path[-1] == PATTERN:
        word = PATTERN
    subject = f"{name} {key!r}" if name == TEMPLATE else _of(word, name)
    if isinstance(before, str) and isinstance(now, str):
        is_long = name == TEMPLATE and max(len(before), len(now)) > MAX_SHOWN
        if is_long and (places := places_that_differ(before, now)):
            return f"{subject}: {places}"
        before, now = parts_that_differ(before, now)
        return f"{subject}: {now}, was {before}"
    return f"{subject}: {_shown(now)}, was {_shown(before)}"


def _kind(value: Any) -> Any:
    """Return what a component is: its type; of a part of a template, which has none, its key."""
    return _type(value) or (sorted(value) if isinstance(value, dict) else None)


def _type(value: Any) -> str | None:
    kind = value.get("type") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else None


def _shown(value: Any) -> str:
    if value is ABSENT or value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return quoted(value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}...")
    if isinstance(value, dict) and value.keys() in ({"Regex"}, {"String"}):
        return _shown(next(iter(value.values())))
    kind = _type(value)
    text = _text(value)
    if isinstance(value, dict) and value and kind is None:
        text = _pairs(value)
        return text if len(text) <= 2 * MAX_SHOWN else f"{text[: 2 * MAX_SHOWN]}..."
    if kind is not None:
        rest = {key: item for key, item in value.items() if key != "type"}
        if not rest:
            return kind
        inner = ", ".join(
            ", ".join(map(_shown, item))
            if key in LISTS and isinstance(item, list)
            else _named(key, item)
            for key, item in rest.items()
        )
        short = f"{kind}({inner})"
        return short if len(short) <= 2 * MAX_SHOWN else kind
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def _pairs(value: dict[str, Any]) -> str:
    """Return the keys that have a value; a single key names what it holds: ``Fixed(16)``."""
    if len(value) == 1:
        ((key, only),) = value.items()
        return f"{key}({_pairs(only) if isinstance(only, dict) else _shown(only)})"
    return ", ".join(_named(key, item) for key, item in value.items() if item is not None)


def _named(key: str, value: Any) -> str:
    if key == CHARSMAP and isinstance(value, str):
        return f"charsmap={_size_of(value)}"
    return f"{key}={_shown(value)}"


def _size_of(charsmap: Any) -> str:
    return f"{len(charsmap) * 3 // 4:,} bytes" if charsmap else "none"


def _text(value: Any) -> str:
    """Return canonical JSON, in which 1 and true differ, for comparison."""
    if value is ABSENT:
        return ""
    return json.dumps(value, sort_keys=True, ensure_ascii=True)
