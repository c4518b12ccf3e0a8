"""Typed access to the parts of a ``tokenizer.json``, and the Unicode version of each table.

Errors say where in the file. A table is what a stage looks up in Unicode's data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tokharness.unicode.versions import VERSIONS, canonical
from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.components import MOST_COMPONENTS
from tokharness_tokenizers.reference.normalizers.replacing import Replace
from tokharness_tokenizers.reference.searching import (
    find_pattern,
    find_text,
    pieces_of_pattern,
    pieces_of_text,
    substitute_pattern,
    substitute_text,
)
from tokharness_tokenizers.reference.splitting import LargeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness_tokenizers.reference.searching import Find, Pieces


T = TypeVar("T")
REQUIRED: Any = object()
LARGEST = (1 << 32) - 1
MOST_CHARACTERS = 1 << 12
"""Most characters of a text that a stage adds; texts in use have one."""
MOST_LEVELS = 62
"""Most nested sequences; the library reads 128 levels of JSON, two for each sequence."""
FLAGS = {
    "ByteLevel": ("add_prefix_space", "trim_offsets", "use_regex"),
    "Metaspace": ("add_prefix_space", "split"),
    "RobertaProcessing": ("add_prefix_space", "trim_offsets"),
    "WordPiece": ("cleanup",),
    "CTC": ("cleanup",),
}
"""Flags of a component, by its name; some have no effect on the ids."""
TYPES = {
    str: "a text",
    int: "an integer",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True, slots=True)
class Fields:
    """An object of the file, and its place in it, such as ``pre_tokenizer.pretokenizers[0]``."""

    where: str
    record: Mapping[str, Any]

    @property
    def component(self) -> str:
        """The name of the component.

        Raises:
            ValueError: it is nested too deeply, or has a flag that is neither true nor false, which
                the library refuses also where the flag has no effect.

        """
        if self.where.count(".") > MOST_LEVELS:
            raise ValueError(f"{self.where:.60}... is nested too deep")
        component = self.get("type", str)
        for name in FLAGS.get(component, ()):
            self.get(name, bool, False)
        return component

    def get(self, name: str, kind: type[T], default: Any = REQUIRED) -> T:
        """Return a field; raises ValueError if it is missing or has another type.

        A field that is null is missing.
        """
        value = self.record.get(name)
        if value is None:
            if default is REQUIRED:
                raise ValueError(f"{self._of(name)} is missing")
            return default  # type: ignore[no-any-return]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ValueError(f"{self._of(name)} is {start_of(value):.60}, not {TYPES[kind]}")
        return value

    def natural(
        self, name: str, default: Any = REQUIRED, *, least: int = 0, most: int = LARGEST
    ) -> Any:
        """Return a field that is an integer of 32 bits, as ids are, or within other bounds."""
        value = self.get(name, int, default)
        if value is not default and not least <= value <= most:
            kind = LargeError if value > most else ValueError
            raise kind(f"{self._of(name)} is {value}, not from {least} to {most}")
        return value

    def short(self, name: str, default: Any = REQUIRED) -> Any:
        """Return a field that is a text of few characters, as stages put it into each text."""
        text = self.get(name, str, default)
        if text is not default and len(text) > MOST_CHARACTERS:
            raise LargeError(
                f"{self._of(name)} has {len(text):,} characters, more than {MOST_CHARACTERS:,}"
            )
        return text

    def character(self, name: str, default: Any = REQUIRED) -> str:
        """Return a field that is one character."""
        text = self.get(name, str, default)
        if len(text) != 1:
            raise ValueError(f"{self._of(name)} is {text!r:.60}, not one character")
        return text

    def choice(self, name: str, choices: tuple[str, ...], default: Any = REQUIRED) -> str:
        """Return a field that has one of some values."""
        value = self.get(name, str, default)
        if value not in choices:
            raise ValueError(f"{self._of(name)} is {value!r}; known: {', '.join(choices)}")
        return value

    def child(self, name: str) -> Fields | None:
        """Return an object in a field; None if it is missing."""
        record = self.get(name, dict, {})
        return Fields(self._of(name), record) if self.record.get(name) is not None else None

    def children(self, name: str, default: Any = REQUIRED) -> Iterator[Fields]:
        """Yield the objects of a list in a field."""
        for at, record in enumerate(self.get(name, list, default)):
            if not isinstance(record, dict):
                raise ValueError(f"{self._of(name)}[{at}] is not an object")  # noqa: TRY004
            yield Fields(f"{self._of(name)}[{at}]", record)

    def leaves(self, kind: str) -> list[Fields]:
        """Return the components of a stage in their order, without the sequences around them.

        ``kind`` is the name of the field with the components of a sequence.

        Raises:
            ValueError: a sequence is damaged, or (LargeError) the stage has too many components.

        """
        if self.component != "Sequence":
            return [self]
        found: list[Fields] = []
        for inner in self.children(kind):
            found += inner.leaves(kind)
            if len(found) > MOST_COMPONENTS:
                raise LargeError(f"{self.where} has more than {MOST_COMPONENTS:,} components")
        return found

    def unknown(self, kind: str) -> ValueError:
        """Return the error of a component that is not known."""
        return ValueError(f"{self.where} is the {kind} {self.component!r}, which is not known")

    def _of(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name


FORMS: Final = "normalizer"
"""Normal forms."""

MARKS: Final = "normalizer, marks"
"""The marks that StripAccents removes."""

CATEGORIES: Final = "normalizer, categories"
"""The controls and marks that BertNormalizer removes."""

CLUSTERS: Final = "normalizer, grapheme clusters"
"""The grapheme clusters that Precompiled examines."""

CASE: Final = "case mapping"

SPLIT: Final = "split"
"""The patterns by which text is cut into pre-tokens."""

WHITESPACE: Final = "split, words"
"""The word characters of Whitespace."""

PUNCTUATION: Final = "split, punctuation"
"""The punctuation of BertPreTokenizer and Punctuation."""

NUMBERS: Final = "split, numbers"
"""The numbers of Digits."""

SCRIPTS: Final = "split, scripts"
"""The scripts of UnicodeScripts."""

WORDS: Final = "added tokens"
"""The word characters of added tokens that are words of their own."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The Unicode version of each table; a table that is not among them has the newest.

    ``used`` has the tables whose version was read.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def version(self, name: str) -> str:
        """Return the version of a table, and note that it is used; raises ValueError."""
        self.used[name] = canonical(self.versions.get(name, VERSIONS[-1]))
        return self.used[name]


def read_pattern(fields: Fields, tables: Tables) -> tuple[Find, Pieces]:
    """Return functions that find a pattern in a text, and that cut a text at its matches.

    Raises:
        ValueError: the pattern is missing, or cannot be read as Oniguruma reads it.

    """
    text, pattern = _text_or_pattern(fields)
    if pattern is None:
        return find_text(text), pieces_of_text(text)
    version = tables.version(SPLIT)
    try:
        return find_pattern(pattern, version), pieces_of_pattern(pattern, version)
    except ValueError as error:
        raise ValueError(f"{fields.where}.pattern: {error}") from error


def read_replacement(fields: Fields, tables: Tables) -> Replace:
    """Return the replacement of a pattern by a text; raises ValueError."""
    text, pattern = _text_or_pattern(fields)
    content = fields.short("content")
    if pattern is None:
        return Replace(find_text(text), content, substitute_text(text, content), literal=text)
    version = tables.version(SPLIT)
    try:
        substitute = substitute_pattern(pattern, content, version)
        return Replace(find_pattern(pattern, version), content, substitute)
    except ValueError as error:
        raise ValueError(f"{fields.where}.pattern: {error}") from error


def _text_or_pattern(fields: Fields) -> tuple[str, str | None]:
    """Return the text to find, and the pattern, if it is a pattern; old files only have a text."""
    value = fields.record.get("pattern")
    if isinstance(value, str):
        return value, None
    pattern = fields.child("pattern")
    if pattern is None:
        raise ValueError(f"{fields.where}.pattern is missing")
    if "Regex" in pattern.record:
        return "", pattern.get("Regex", str)
    return pattern.get("String", str), None
