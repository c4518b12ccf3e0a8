"""What a campaign keeps in Hypothesis's database, so that one that was ended goes on.

Texts that failed, texts that reached something new, and the number of the next round.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hypothesis.database import ExampleDatabase

__all__ = ["CorpusDatabase"]

MOST_FAILING, MOST_KEPT = 300, 1000
LONGEST = 10_000
"""Characters of a text that is kept: a longer one is made again in no time."""


class CorpusDatabase:
    """The part of a database that campaigns on one target, with one seed, have."""

    def __init__(self, database: ExampleDatabase | None, spec: str, seed: int) -> None:
        self._database = database
        self._key = hashlib.sha256(f"tokharness {spec}".encode("utf-8", "surrogatepass")).digest()
        self._seed = b"%d" % seed
        self._saved: dict[bytes, set[bytes]] = {}

    @classmethod
    def open(cls, folder: Path | None, spec: str, seed: int) -> CorpusDatabase:
        """Open the database of a folder; None keeps nothing.

        Raises:
            UsageError: the folder cannot be written.

        """
        if folder is None:
            return cls(None, spec, seed)
        from hypothesis.database import DirectoryBasedExampleDatabase

        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".tokharness").touch()
        except OSError as error:
            raise UsageError(
                f"cannot keep the database of examples in {folder}: {error.strerror}; name another "
                "folder with --database, or none"
            ) from error
        return cls(DirectoryBasedExampleDatabase(folder), spec, seed)

    def texts(self) -> list[str]:
        """Texts that campaigns have kept, those that failed first."""
        found = [text for part in (b"failing", b"kept") for text in self._fetched(part)]
        return list(dict.fromkeys(filter(None, map(_text, found))))

    def next_round(self) -> int:
        """Give the number of the round with which a campaign of this seed goes on."""
        found = self._fetched(b"round " + self._seed)
        numbers = [int(number) for number in found if number.isdigit()]
        return max(numbers, default=0)

    def add_failing(self, texts: Iterable[str]) -> None:
        """Keep texts that failed."""
        self._keep(b"failing", texts, MOST_FAILING)

    def add(self, texts: Iterable[str]) -> None:
        """Keep texts that reached something new."""
        self._keep(b"kept", texts, MOST_KEPT)

    def save_next_round(self, number: int) -> None:
        """Note that all rounds before this one have been tried."""
        if self._database is None:
            return
        part = b"round " + self._seed
        for before in list(self._fetched(part)):
            if before != b"%d" % number:
                self._database.delete(self._key + part, before)
        self._database.save(self._key + part, b"%d" % number)

    def _keep(self, part: bytes, texts: Iterable[str], most: int) -> None:
        if self._database is None:
            return
        saved = self._saved.setdefault(part, set(self._fetched(part)))
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            if len(text) <= LONGEST and len(saved) < most and data not in saved:
                saved.add(data)
                self._database.save(self._key + part, data)

    def _fetched(self, part: bytes) -> list[bytes]:
        if self._database is None:
            return []
        return sorted(self._database.fetch(self._key + part))


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # a damaged file says nothing
        return ""
