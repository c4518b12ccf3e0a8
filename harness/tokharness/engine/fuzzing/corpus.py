"""The corpus of a campaign in Hypothesis's example database, so that a campaign can be resumed.

It has texts that failed, texts with new features, and the number of the next round.
"""

from __future__ import annotations

import hashlib
import stat
from collections import Counter
from typing import TYPE_CHECKING

from tokharness.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hypothesis.database import ExampleDatabase

MAX_FAILING, MAX_TEXTS = 300, 1000
MAX_LENGTH = 10_000
"""Most characters of a saved text; longer texts are quickly generated again."""

MAX_DIGITS = 16
"""Digits that no number of a round has."""


MOST_BYTES, MOST_BYTES_OF_FOLDER = 1 << 22, 1 << 26
"""Most bytes of a file of the database, and of a target; runs write 40 MB at most."""


class CorpusDatabase:
    """The part of an example database for one target; the number of rounds is also for one seed."""

    def __init__(self, database: ExampleDatabase | None, spec: str, seed: int) -> None:
        self._database = database
        self._key = hashlib.sha256(f"tokharness {spec}".encode("utf-8", "surrogatepass")).digest()
        self._seed = b"%d" % seed
        self._saved: dict[bytes, set[bytes]] = {}
        self.is_lost = False
        """Whether the last round was not saved: Hypothesis does not say that it cannot write."""

    @classmethod
    def open(cls, folder: Path | None, spec: str, seed: int) -> CorpusDatabase:
        """Open the database in a folder; with None nothing is saved.

        Raises:
            UsageError: the folder is not writable, or has what no run writes: Hypothesis reads all
                files of a target whole, waits for the writer of a pipe, and follows links.

        """
        if folder is None:
            return cls(None, spec, seed)
        from hypothesis.database import DirectoryBasedExampleDatabase

        try:
            for path, what in _foreign(folder):
                raise UsageError(
                    f"the example database {folder} has {what}, which no run writes: "
                    f"remove {path.relative_to(folder)}"
                )
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".tokharness").touch()
        except OSError as error:
            raise UsageError(
                f"cannot write the example database {folder}: {error.strerror}; use another folder "
                "with --database, or none"
            ) from error
        return cls(DirectoryBasedExampleDatabase(folder), spec, seed)

    @property
    def is_saved(self) -> bool:
        """Whether there is a database, which has the campaign."""
        return self._database is not None and not self.is_lost

    def texts(self) -> list[str]:
        """Return the saved texts, failing ones first."""
        saved = [data for part in (b"failing", b"kept") for data in self._fetch(part)]
        texts = dict.fromkeys(filter(None, map(_decode, saved)))
        return [text for text in texts if len(text) <= MAX_LENGTH]

    def next_round(self) -> int:
        """Return the number of the round with which a campaign of this seed continues."""
        saved = self._fetch(b"round " + self._seed)
        numbers = [int(number) for number in saved if number.isdigit() and len(number) < MAX_DIGITS]
        return max(numbers, default=0)

    def add_failing(self, texts: Iterable[str]) -> None:
        """Save failing texts."""
        self._save(b"failing", texts, MAX_FAILING)

    def add(self, texts: Iterable[str]) -> None:
        """Save texts that have new features."""
        self._save(b"kept", texts, MAX_TEXTS)

    def save_next_round(self, number: int) -> None:
        """Save that all rounds before this one are done."""
        if self._database is None:
            return
        part = b"round " + self._seed
        for earlier in self._fetch(part):
            if earlier != b"%d" % number:
                self._database.delete(self._key + part, earlier)
        self._database.save(self._key + part, b"%d" % number)
        self.is_lost = b"%d" % number not in self._fetch(part)

    def _save(self, part: bytes, texts: Iterable[str], limit: int) -> None:
        if self._database is None:
            return
        saved = self._saved.setdefault(part, set(self._fetch(part)))
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            if len(text) <= MAX_LENGTH and len(saved) < limit and data not in saved:
                saved.add(data)
                self._database.save(self._key + part, data)

    def _fetch(self, part: bytes) -> list[bytes]:
        if self._database is None:
            return []
        return sorted(self._database.fetch(self._key + part))


def _foreign(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each path in a database that no run writes, and what is there."""
    sizes: Counter[Path] = Counter()
    for path in folder.rglob("*"):
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            continue
        sizes[path.parent] += status.st_size
        if not stat.S_ISREG(status.st_mode):
            yield path, "a link, a pipe or a device"
        elif status.st_size > MOST_BYTES:
            yield path, f"a file of more than {MOST_BYTES >> 20} MB"
        elif sizes[path.parent] > MOST_BYTES_OF_FOLDER:
            yield path.parent, f"a folder of more than {MOST_BYTES_OF_FOLDER >> 20} MB"


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # a damaged file
        return ""
