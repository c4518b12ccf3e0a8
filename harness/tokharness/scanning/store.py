"""The folder of a scan: a file for each finished shard, so that a killed scan goes on.

The file of a shard is written whole or not at all. It has a digest of its content and a key: what
was read, with its size and time, what was asked of it, and of which target.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import zlib
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import temporary_sibling, write_text
from tokharness.engine.requests import ShardRequest
from tokharness.engine.response_shapes import fits
from tokharness.errors import UsageError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness.results.untrusted import shortened
from tokharness.scanning.summary import is_of_scan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokharness.scanning.plan import Settings, Shard

CORPUS_FILE = "corpus.json"
"""The file with what the scan is of."""

VERSION = 1

MOST_BYTES = 1 << 28


class Store:
    """The finished shards of one scan in a folder."""

    def __init__(self, folder: Path, settings: Settings, target: str) -> None:
        self._folder, self._settings, self._target = folder, settings, target

    @classmethod
    def open(
        cls, folder: Path, shards: Sequence[Shard], settings: Settings, target: dict[str, Any]
    ) -> Store:
        """Open the folder of a scan, or make a new one.

        ``target`` says what the target and its reference are, as plain data.

        Raises:
            UsageError: the folder has something else, or the scan of another corpus or target.

        """
        content: dict[str, Any] = {
            "version": VERSION,
            "target": target,
            "settings": settings.plain(),
            "files": _files(shards),
        }
        path = folder / CORPUS_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if path.exists():
                _compare(folder, parse_json(read_file(path)), content)
            elif any(folder.iterdir()):
                raise UsageError(
                    f"--out {folder} has files and none is {CORPUS_FILE}: name a new folder"
                )
            else:
                write_text(path, json.dumps(content, indent=1))
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or error
            raise UsageError(f"cannot use the folder --out {folder}: {reason}") from error
        digest = hashlib.sha256(json.dumps(target, sort_keys=True).encode()).hexdigest()
        return cls(folder, settings, digest)

    def read(self, shard: Shard) -> tuple[dict[str, Any], list[str]] | None:
        """Return the response to a shard that an earlier scan has finished; None without one.

        With it come the reason and detail of the death of its first worker, if that died.

        Raises:
            UsageError: the file is not what was written.

        """
        path = self._path(shard)
        if not path.exists():
            return None
        try:
            data = read_file(path, MOST_BYTES)
            digest, content = data[:64], data[65:]
            is_whole = hashlib.sha256(content).hexdigest().encode() == digest
            record = _record(content) if is_whole else None
        except OSError as error:
            raise UsageError(f"cannot read {path}: {error.strerror or error}") from error
        except ValueError as error:
            raise UsageError(f"{path} is damaged ({error}): delete it and scan again") from error
        if record is None:
            raise UsageError(f"{path} is damaged (its digest is another): delete it and scan again")
        if record["key"] != self._key(shard):
            raise UsageError(f"{path} is of another scan: name another folder with --out")
        response: dict[str, Any] = record["response"]
        if not fits(ShardRequest((), {}), response) or "tables" not in response:
            raise UsageError(f"{path} is damaged (it has no results): delete it and scan again")
        death = record["death"]
        is_death = isinstance(death, list) and list(map(type, death)) in ([], [str, str])
        if not is_death or not is_of_scan(response):
            raise UsageError(
                f"{path} is damaged (its numbers do not fit together): delete it and scan again"
            )
        return response, death

    def write(self, shard: Shard, response: dict[str, Any], death: Sequence[str] = ()) -> None:
        """Write the response to a shard, and the reason and detail of the first worker's death."""
        record = {"key": self._key(shard), "response": response, "death": list(death)}
        content = gzip.compress(json.dumps(record).encode(), 3, mtime=0)
        digest = hashlib.sha256(content).hexdigest().encode()
        path = self._path(shard)
        try:
            with temporary_sibling(path) as temporary:
                temporary.write_bytes(digest + b"\n" + content)
                temporary.replace(path)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error

    def _path(self, shard: Shard) -> Path:
        return self._folder / f"shard-{shard.number:06}.json.gz"

    def _key(self, shard: Shard) -> str:
        return f"{self._target} {shard.key(self._settings)}"


def _record(content: bytes) -> dict[str, Any]:
    """Unpack a record, which has a bound for its size; raises ValueError for anything else."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError("it is no whole gzip file") from error
    if len(data) > MOST_BYTES:
        raise ValueError(f"it expands to more than {MOST_BYTES >> 20} MB")
    record = parse_json(data)
    if not isinstance(record, dict) or not isinstance(record.get("response"), dict):
        raise ValueError("it has no response")  # noqa: TRY004 - like all errors of a file
    return {"key": None, "death": [], **record}


def _files(shards: Sequence[Shard]) -> dict[str, str]:
    return {part.source.name: part.source.identity for shard in shards for part in shard.parts}


def _compare(folder: Path, before: Any, now: dict[str, Any]) -> None:
    """Raise UsageError, and name what differs, if the folder has the scan of something else."""
    hint = "name another folder with --out, or delete this one"
    if not isinstance(before, dict) or before.get("version") != VERSION:
        raise UsageError(f"--out {folder} is no folder of a scan: {hint}")
    old, new = before.get("files"), now["files"]
    if not isinstance(old, dict) or not {"target", "settings"} <= before.keys():
        raise UsageError(f"{folder / CORPUS_FILE} is damaged: {hint}")
    for name in new:
        if name in old and old[name] != new[name]:
            then = shortened(str(old[name]))
            raise UsageError(
                f"{name} changed since the scan in {folder} began ({then}; now {new[name]}): {hint}"
            )
    if more := next(iter(old.keys() ^ new.keys()), None):
        what = "was not in" if more in new else "is missing that was in"
        raise UsageError(f"{shortened(more)} {what} the corpus of the scan in {folder}: {hint}")
    for key, what in (("target", "another target"), ("settings", "other options")):
        if before[key] != now[key]:
            raise UsageError(f"the scan in {folder} was made with {what}: {hint}")
