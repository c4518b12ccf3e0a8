"""Declarations of a tokenizer, read once, as exact values of a bounded size."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokharness.boundary.exceptions import bounded, observed, type_name
from tokharness.boundary.values import plain, text_or_bytes
from tokharness.errors import TargetError

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_VOCABULARY = 1 << 21
MOST_TOKENS, LONGEST_TOKEN = 1 << 16, 10_000
"""Number of special, or conflicting, tokens, and characters or bytes of a token."""

LONGEST_NAME, MOST_NAMES = 100, 100
WORDS = {str: "texts", int: "ids", bytes: "bytes"}


@dataclass(frozen=True, slots=True)
class Attributes:
    """The declarations of a tokenizer.

    ``beyond_bounds`` has the name of each attribute that exceeds a bound, and what that means.
    """

    special_tokens: Mapping[str, int] = field(default_factory=dict)
    added_tokens: Mapping[str, int] = field(default_factory=dict)
    n_vocab: int | None = None
    algorithm: str | None = None
    unknown_id: int | None = None
    normalizer: str | None = None
    unicode_version: str | None = None
    plain_setting: str | None = None
    trims_offsets: bool = False
    stage_versions: Mapping[str, str] = field(default_factory=dict)
    conflicting_tokens: Mapping[int, bytes] = field(default_factory=dict)
    read_from_file: tuple[str, ...] = ()
    tokens_alone: bool = False
    beyond_bounds: tuple[tuple[str, str], ...] = ()


def read_attributes(spec: str, tokenizer: Any) -> Attributes:
    """Read the attributes of a tokenizer.

    Raises:
        TargetError: an attribute has the wrong type, or raises.

    """
    values = {}
    for name, read in READERS.items():
        try:
            values[name] = observed(read, tokenizer, name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            what = f"{type(error).__name__}: {error}"
            raise TargetError(f"cannot read the attributes of {spec}: {name}: {what}") from None
    beyond: dict[str, str] = {}
    return Attributes(
        special_tokens=_mapping(spec, "special_tokens", (str, int), values, beyond),
        added_tokens=_mapping(spec, "added_tokens", (str, int), values, beyond),
        n_vocab=_n_vocab(spec, values["n_vocab"], beyond),
        algorithm=values["algorithm"],
        unknown_id=_id(spec, "unknown_id", values["unknown_id"]),
        normalizer=values["normalizer"],
        unicode_version=values["unicode_version"],
        plain_setting=values["plain_setting"],
        trims_offsets=values["trims_offsets"],
        stage_versions=_mapping(spec, "stage_versions", (str, str), values, beyond),
        conflicting_tokens=_mapping(spec, "conflicting_tokens", (int, bytes), values, beyond),
        read_from_file=values["read_from_file"],
        tokens_alone=values["tokens_alone"],
        beyond_bounds=tuple(beyond.items()),
    )


def _value(tokenizer: Any, name: str) -> Any:
    value: Any = getattr(tokenizer, name, None)
    is_integer = issubclass(type(value), int) and type(value) is not bool
    return int.__index__(value) if is_integer else plain(value, 0)


def _items(tokenizer: Any, name: str) -> list[Any] | None:
    """Return the entries of a mapping, at most one more than allowed; None without a mapping."""
    value = getattr(tokenizer, name, None)
    if value is None or not value:
        return []
    items = getattr(value, "items", None)
    if not callable(items):
        return None
    return [list(map(_exact, entry)) for entry in islice(items(), MOST_TOKENS + 1)]


def _exact(part: Any) -> Any:
    data = text_or_bytes(part)  # of any length, which is checked later
    return plain(part, 0) if data is None else data


def _name(tokenizer: Any, name: str) -> str | None:
    value = getattr(tokenizer, name, None)
    return None if value is None else bounded(str.__str__(str(value)), LONGEST_NAME)


def _names(tokenizer: Any, name: str) -> tuple[str, ...]:
    values = getattr(tokenizer, name, None) or ()
    return tuple(bounded(str(value), LONGEST_NAME) for value in islice(values, MOST_NAMES))


def _flag(tokenizer: Any, name: str) -> bool:
    return getattr(tokenizer, name, None) is True


READERS = {
    "special_tokens": _items,
    "added_tokens": _items,
    "n_vocab": _value,
    "algorithm": _name,
    "unknown_id": _value,
    "normalizer": _name,
    "unicode_version": _name,
    "plain_setting": _name,
    "trims_offsets": _flag,
    "stage_versions": _items,
    "conflicting_tokens": _items,
    "read_from_file": _names,
    "tokens_alone": _flag,
}


def _n_vocab(spec: str, value: Any, beyond: dict[str, str]) -> int | None:
    size = _id(spec, "n_vocab", value)
    if size is None or abs(size) <= LARGEST_VOCABULARY:
        return size
    beyond["n_vocab"] = f"it is larger than {LARGEST_VOCABULARY:,}, so it counts as unknown"
    return None


def _id(spec: str, name: str, value: Any) -> int | None:
    if value is None or type(value) is int:
        return value
    raise TargetError(f"{name} of {spec} is {type_name(value)}; make it an int")


def _mapping(
    spec: str,
    name: str,
    kinds: tuple[type, type],
    values: Mapping[str, Any],
    beyond: dict[str, str],
) -> dict[Any, Any]:
    """Return entries as a mapping, without those that exceed a bound."""
    entries = values[name]
    if entries is None or any(tuple(map(type, entry)) != kinds for entry in entries):
        key, item = kinds
        raise TargetError(
            f"{name} of {spec} does not map {WORDS[key]} to {WORDS[item]}; make it a dict of "
            f"{key.__name__} to {item.__name__}"
        )
    used = [entry for entry in entries if _length(entry) <= LONGEST_TOKEN]
    if len(used) < len(entries):
        beyond[name] = f"a token is longer than {LONGEST_TOKEN:,} characters, and is not used"
    if len(used) > MOST_TOKENS:
        beyond[name] = f"there are more than {MOST_TOKENS:,} of them; the others are not used"
    return dict(used[:MOST_TOKENS])


def _length(entry: list[Any]) -> int:
    return max((len(part) for part in entry if not isinstance(part, int)), default=0)
