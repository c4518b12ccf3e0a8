"""Typed access to the parts of a ``tokenizer.json``, with errors that say where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness_tokenizers.file_errors import start_of
from tokharness_tokenizers.reference.growth import MOST_COMPONENTS
from tokharness_tokenizers.reference.pattern_size import LargeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
WORDS = {str: "a text", int: "an integer", bool: "true or false", list: "a list", dict: "an object"}


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
            raise ValueError(f"{self._of(name)} is {start_of(value):.60}, not {WORDS[kind]}")
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
