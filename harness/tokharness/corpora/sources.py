"""The files of a corpus that is scanned: which there are, how each is read, and its identity.

A corpus is named by files, glob patterns, folders, and addresses with ``://``, which fsspec opens.
"""

from __future__ import annotations

import glob
import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, cast, get_args

from tokharness.corpora.streams import BrokenFileError
from tokharness.errors import TokharnessError, UnreachableError, UsageError
from tokharness.extras import what_installs
from tokharness.regular_files import open_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

Format: TypeAlias = Literal["text", "jsonl", "csv", "tsv", "parquet", "arrow"]
FORMATS: tuple[Format, ...] = get_args(Format)

_SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}
COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zstd")
"""How the names of compressed files end; the content decides how a file is read."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a corpus.

    ``identity`` says which state of the file it is: its size, and its time of modification or its
    etag. ``seekable`` files can be read from any byte.
    """

    name: str
    format: Format
    size: int
    identity: str
    seekable: bool = True

    @property
    def is_divisible(self) -> bool:
        """Whether parts of the file can be read alone: lines, or the row groups of a Parquet."""
        can_start_anywhere = self.format in ("text", "jsonl", "parquet")
        return can_start_anywhere and self.seekable and not self.name.lower().endswith(COMPRESSED)


class ChangedError(TokharnessError):
    """A file of the corpus is no longer the one that was listed."""


LOCAL = ("file://", "local://")
"""How the addresses of files of this machine begin, which are opened as what they are: paths."""


def is_remote(name: str) -> bool:
    """Whether a name is an address that fsspec opens."""
    return "://" in name and not name.startswith(LOCAL)


def _path_of(name: str) -> str:
    """Return the path of an address of this machine, and any other name as it is."""
    scheme = next(filter(name.startswith, LOCAL), "")
    return name.removeprefix(scheme)


def find_sources(
    names: Iterable[str], forced: Format | None = None
) -> tuple[list[Source], list[tuple[str, str]]]:
    """Return the files of a corpus in the order of their names, each once, and what is left out.

    What is left out are the paths in folders that are no files of the corpus, each with the reason:
    links that lead out of the folder or to a file that is there anyway, pipes, and files that
    cannot be read.

    Raises:
        UsageError: a name or pattern matches nothing, or is no file or folder.

    """
    found: dict[object, Source] = {}
    left_out: list[tuple[str, str]] = []
    for name in names:
        if is_remote(name):
            for source in _remote_sources(name, forced):
                found.setdefault(source.name, source)
            continue
        for path in _expand(_path_of(name)):
            if path.is_dir():
                for inside in _walk(path, left_out):
                    _add(inside, found, forced, left_out)
            else:
                _add(path, found, forced, None)
    if not found:
        reasons = "".join(f" ({path}: {reason})" for path, reason in left_out[:1])
        raise UsageError(f"there is no file to scan in {' '.join(names)}{reasons}")
    return sorted(found.values(), key=lambda source: source.name), left_out


def _expand(pattern: str) -> list[Path]:
    name = os.path.expanduser(pattern)  # noqa: PTH111 - a Path drops "./"
    if Path(name).exists() or Path(name).is_symlink():
        return [Path(name)]
    names = sorted(glob.glob(name, recursive=True))  # noqa: PTH207 - "**/"
    if not names:
        raise UsageError(f"no file matches {pattern!r}: check the path")
    return [Path(one) for one in names if not Path(one).is_dir()]


def _walk(folder: Path, left_out: list[tuple[str, str]]) -> Iterator[Path]:
    """Yield the files in a folder and its folders, without hidden ones."""
    root = Path(os.path.realpath(folder))
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for linked in [one for one in folders if Path(where, one).is_symlink()]:
            folders.remove(linked)
            left_out.append((str(Path(where, linked)), "it is a link to a folder"))
        for name in sorted(files):
            path = Path(where, name)
            if name.startswith("."):
                continue
            # realpath, unlike resolve, takes a link to itself
            if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
                left_out.append((str(path), "it is a link that leads out of the folder"))
                continue
            yield path


def _add(
    path: Path,
    found: dict[object, Source],
    forced: Format | None,
    left_out: list[tuple[str, str]] | None,
) -> None:
    try:
        with open_file(path) as file:
            status = os.fstat(file.fileno())
    except OSError as error:
        if left_out is None:
            raise UsageError(f"cannot read {path}: {error.strerror}") from error
        left_out.append((str(path), str(error.strerror)))
        return
    source = Source(str(path), forced or format_of(path.name), status.st_size, _identity(status))
    same = found.setdefault((status.st_dev, status.st_ino), source)
    if left_out is not None and same.name != source.name:
        left_out.append((str(path), f"it is the same file as {same.name}"))


def _identity(status: os.stat_result) -> str:
    return f"{status.st_size} bytes, modified at {status.st_mtime_ns} ns"


def format_of(name: str) -> Format:
    """Return the format that the end of a name stands for; other files are plain text."""
    name = name.lower()
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return _SUFFIXES.get(os.path.splitext(name)[1], "text")  # noqa: PTH122 - an address is no path


# Addresses, through fsspec.


def _filesystem(name: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise UsageError(
            f"{name} is an address, which needs fsspec: {what_installs('scan')}"
        ) from error
    try:
        for one in name.split("::")[1:]:  # as in "zip://a.txt::a.zip", which fsspec opens
            if not is_remote(one):
                open_file(_path_of(one)).close()
        options = _patience(fsspec) if name.startswith(ON_SERVERS) and "::" not in name else {}
        filesystem, path = fsspec.core.url_to_fs(name, **options)
    except Exception as error:  # of the library of a store, or of a damaged archive
        raise UsageError(f"cannot open {name}: {_words(error)}") from error
    return filesystem, path


WAIT = 60
"""Seconds for which a web server may send nothing; a transfer that goes on has no limit, which
aiohttp else ends after five minutes."""


def _patience(fsspec: Any) -> dict[str, Any]:
    """Return options for a web server, with what the user's configuration of fsspec has."""
    from aiohttp import ClientTimeout

    configured = fsspec.config.conf.get("http", {}).get("client_kwargs", {})
    timeout = ClientTimeout(total=None, sock_connect=WAIT, sock_read=WAIT)
    return {"client_kwargs": {"timeout": timeout, **configured}}


def _remote_sources(name: str, forced: Format | None) -> list[Source]:
    filesystem, path = _filesystem(name)
    protocol = name.partition("://")[0]
    first, *chain = name.split("::")  # as in "zip://a.txt::a.zip"
    rest = "".join(f"::{one}" for one in chain) if "://" in first else ""
    try:
        paths = [path]
        if any(sign in path for sign in "*[") and protocol not in ("http", "https"):
            paths = sorted(filesystem.glob(path))
        elif protocol not in ("http", "https") and filesystem.isdir(path):
            paths = sorted(filesystem.find(path))
        infos = [filesystem.info(one) for one in paths]
    except Exception as error:
        raise UsageError(f"cannot read {name}: {_words(error)}") from error
    if not infos:
        raise UsageError(f"no file matches {name!r}: check the address")
    return [
        Source(
            f"{filesystem.unstrip_protocol(one)}{rest}",
            forced or format_of(one.partition("?")[0]),
            int(info.get("size") or 0),
            _remote_identity(info),
            seekable=_is_seekable(filesystem, one, info),
        )
        for one, info in zip(paths, infos, strict=True)
    ]


PROBED_BYTES = 1 << 20
"""Bytes of a file on a web server from which on it is asked for the last one, alone."""

ON_SERVERS = ("http://", "https://")


def _is_seekable(filesystem: Any, path: str, info: dict[str, Any]) -> bool:
    """Whether a store gives parts of a file; a web server may say nothing of it, and not do it."""
    size = info.get("size") or 0
    if not size or info.get("partial", True) is False:
        return False
    if size < PROBED_BYTES or not path.startswith(ON_SERVERS):
        return True
    try:
        with _Remote(filesystem, path) as file:
            file.seek(size - 1)
            return len(file.read(1)) == 1
    except UnreachableError:  # reading it says why
        return False


_STATES = (
    *("ETag", "etag", "md5Hash", "Content-MD5", "content_md5", "Digest", "blob_id", "sha", "CRC"),
    *("mtime", "LastModified", "Last-Modified", "last_modified", "updated", "modified", "created"),
)
"""What stores call the state of a file: a digest of its content, or when it was written."""


def _remote_identity(info: dict[str, Any]) -> str:
    states = (f"{key} {info[key]}" for key in _STATES if info.get(key))
    state = next(states, "time unknown")
    return f"{info.get('size')} bytes, {state}"


def _words(error: BaseException) -> str:
    if type(error).__name__.endswith("TimeoutError"):  # its text is empty, or a number
        return "it does not answer in time"
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


# Open a source again, and make sure that it is the same file.


@contextmanager
def open_source(source: Source) -> Iterator[BinaryIO]:
    """Open a file of the corpus, which is checked to be the listed one, before and after.

    Raises:
        ChangedError: it is another file, or it changed while it was read.
        OSError: it cannot be read.
        UnreachableError: the store of an address does not give it.

    """
    if is_remote(source.name):
        filesystem, path = _filesystem(source.name)
        with (
            _compared(source, lambda: _remote_identity(_info(filesystem, path))),
            _Remote(filesystem, path, is_stream=not source.seekable) as remote,
        ):
            yield cast("BinaryIO", remote)
        return
    try:
        opened = open_file(source.name)
    except FileNotFoundError as error:
        raise ChangedError(f"{source.name} is gone since it was listed: scan again") from error
    with opened as file, _compared(source, lambda: _identity(os.fstat(file.fileno()))):
        yield file


@contextmanager
def _compared(source: Source, identity: Callable[[], str]) -> Iterator[None]:
    """Compare the identity before and after: a file that seems damaged may have been written to."""
    _compare(source, identity())
    try:
        yield
    except (BrokenFileError, OSError):
        _compare(source, identity())
        raise
    _compare(source, identity())


@contextmanager
def _reached(name: str) -> Iterator[None]:
    """Raise UnreachableError for whatever the library of a store raises."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise UnreachableError(f"{name} cannot be read: {_words(error)}") from error


class _Remote:
    """A file behind an address; a stream without places is opened again to go to its start."""

    def __init__(self, filesystem: Any, path: str, *, is_stream: bool = False) -> None:
        no_parts = {"block_size": 0} if is_stream and path.startswith(ON_SERVERS) else {}
        self._open = partial(filesystem.open, path, "rb", **no_parts)
        self._name = str(filesystem.unstrip_protocol(path))
        with _reached(self._name):
            self._file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def read(self, size: int = -1) -> bytes:
        with _reached(self._name):
            return bytes(self._file.read(size))

    def seek(self, position: int, whence: int = os.SEEK_SET) -> int:
        with _reached(self._name):
            try:
                return int(self._file.seek(position, whence) or 0)
            except ValueError:
                if position or whence:
                    raise
                self._file.close()
                self._file = self._open()
        return 0


def _info(filesystem: Any, path: str) -> dict[str, Any]:
    with _reached(path):
        filesystem.invalidate_cache()
        return dict(filesystem.info(path))


def _compare(source: Source, identity: str) -> None:
    if identity != source.identity:
        raise ChangedError(
            f"{source.name} changed while it was scanned ({source.identity}; now {identity}): "
            "scan it again, with another --out if there is one"
        )
