"""A cache of what references gave: digests of texts with ids, and answers, in the user's folder.

An entry of the cache only says something about a reference: it gives these ids for these texts, or
this answer to a question (:mod:`tokharness.targets.comparison`). The target runs on every text; if
its ids equal the ids of the cache, the reference need not compute them again. Therefore an entry
holds for any target, even if the harness cannot see its code, and the cache is never the source of
a finding. A file of the cache belongs to a reference, with the content of its files, its Unicode
versions and our own code (:mod:`tokharness.targets.comparison`), and to the options that choose the
texts. No result depends on the cache: a file that is damaged, cannot be read or is of another user,
who could hide a finding, is not used, and a file that cannot be written is left out.
``TOKHARNESS_CACHE_DIR`` names another folder; if the variable is empty, there is no cache.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokharness.atomic_write import temporary_sibling
from tokharness.engine.events import AnswersGiven, TargetFinished, TargetStarted, UnitFinished
from tokharness.engine.requests import KnownResults
from tokharness.home import expand_user, user_cache
from tokharness.regular_files import open_file
from tokharness.results.untrusted import refuse_deep
from tokharness.targets.comparison import check_answers, comparison_key
from tokharness.targets.packed_digests import pack, unpack
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from tokharness.config import Options
    from tokharness.engine.events import Event
    from tokharness.engine.requests import Digests

FOLDER = "TOKHARNESS_CACHE_DIR"
"""The environment variable that names the folder."""

MAX_BYTES = 32 << 20
"""Largest size of all files together; the oldest files are removed."""

MAX_FILE = 4 << 20

MOST_ANSWERS = 16
"""Most answers in a file, from the latest runs: each target with other questions adds answers."""

SUFFIX = ".compared.json"


def cache_folder() -> Path | None:
    """Return the folder of the cache, None for no cache."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return expand_user(named) if named else None
    return user_cache()


@dataclass(frozen=True, slots=True)
class ComparisonCache:
    """The cache of runs with these options in a folder; without a folder it is always empty."""

    folder: Path | None
    options: Options

    def read(self, comparison: str) -> KnownResults:
        """Return the known results for a comparison's digest; nothing if the file is damaged."""
        path, nothing = self._path(comparison), KnownResults()
        if path is None:
            return nothing
        try:
            checksum, _, content = _own_text(path).partition("\n")
            if checksum != _checksum(content):
                return nothing
            record = from_ascii_line(content)
            refuse_deep(record)
            units, asked = record
            digests = {(str(family), int(number)): packed for family, number, packed in units}
            answers = {str(question): packed for question, packed in asked}
            for packed in digests.values():
                unpack(packed)
            check_answers(answers)
        except (OSError, ValueError, TypeError, RecursionError):
            return nothing
        return KnownResults(compared=digests, answers=answers)

    def watched(self, events: Generator[Event]) -> Generator[Event]:
        """Yield events, and keep the reference's results for each target that ran to the end."""
        comparison = ""
        units: dict[tuple[str, int], str] = {}
        answers: Mapping[str, str] = {}
        with contextlib.closing(events):
            for event in events:
                if isinstance(event, TargetStarted):
                    comparison, units, answers = event.comparison, {}, {}
                elif isinstance(event, UnitFinished) and event.digest and not event.guarded:
                    units[event.family, event.number] = event.digest
                elif isinstance(event, AnswersGiven):
                    answers = event.answers
                elif isinstance(event, TargetFinished):
                    self._write(comparison, units, answers)
                yield event

    def _path(self, comparison: str) -> Path | None:
        key = comparison_key(comparison)
        if self.folder is None or not key:
            return None
        run = (self.options.profile, self.options.seed, self.options.examples)
        return self.folder / f"{hashlib.sha256(f'{key} {run}'.encode()).hexdigest()[:32]}{SUFFIX}"

    def _write(self, comparison: str, units: Digests, answers: Mapping[str, str]) -> None:
        """Add units and answers to the file, which another run may have written since."""
        path = self._path(comparison)
        if path is None:
            return
        before = self.read(comparison)
        unpacked = {unit: unpack(packed) for unit, packed in units.items()}
        agreed = {
            unit: pack(digest, 1)  # only whole blocks are compared with it
            for unit, digest in unpacked.items()
            if any(block.agreed for block in digest.blocks)
        }
        digests = {**before.compared, **agreed}
        older = [row for row in before.answers.items() if row[0] not in answers]
        asked = dict([*older, *answers.items()][-MOST_ANSWERS:])
        with contextlib.suppress(OSError):
            if digests == before.compared and [*asked] == [*before.answers]:
                path.touch()  # make it the newest file
                return
            rows = [[*unit, packed] for unit, packed in sorted(digests.items())]
            content = to_ascii_line([rows, [*asked.items()]])
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with temporary_sibling(path) as temporary:
                temporary.write_text(f"{_checksum(content)}\n{content}", encoding="ascii")
                temporary.replace(path)
            _remove_oldest(path.parent)


def _own_text(path: Path) -> str:
    """Return the content of a file that this user has made; raises OSError or ValueError."""
    with open_file(path) as file:
        status = os.fstat(file.fileno())
        if status.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "it is of another user", str(path))
        if status.st_size > MAX_FILE:
            raise OSError(errno.EFBIG, "it is too large", str(path))
        return file.read(MAX_FILE).decode("ascii")


def _checksum(content: str) -> str:
    return hashlib.sha256(content.encode("ascii")).hexdigest()


def _remove_oldest(folder: Path) -> None:
    found = [(path.stat(), path) for path in folder.glob(f"*{SUFFIX}")]
    total = 0
    for status, path in sorted(found, key=lambda one: one[0].st_mtime_ns, reverse=True):
        total += status.st_size
        if total > MAX_BYTES:
            path.unlink(missing_ok=True)
