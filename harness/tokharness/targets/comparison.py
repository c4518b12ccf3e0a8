"""The identity of a reference: a digest that is equal only if it gives the same ids for all texts.

Results that were equal to a reference need not be compared with it again, as long as the reference
is the same: the content of its files, the Unicode versions that it was set to, the target's
declared changes of texts, and the code. The digest covers all files that were opened while target
and reference were loaded, wherever they are; therefore it needs no list of side files, which could
be incomplete.

Some questions about the tokens of a vocabulary take long, and their answers depend on the same. An
answer is kept in ASCII by a digest of the whole question, so that a target with different ids asks
a different question.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import importlib.resources
import os
import re
import stat
import sys
import zlib
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tokharness import plugins
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokharness.model import Target
    from tokharness.targets.subject import Subject


CODE = (".py", ".pyc", ".pyi", ".so", ".pyd")
"""Suffixes of files of code, which is identified by its version."""

_recorders: list[set[str]] = []
_is_hooked = False


@contextlib.contextmanager
def opened_files() -> Iterator[set[str]]:
    """Collect the paths of the files that Python code opens in this block, except files of code."""
    global _is_hooked  # noqa: PLW0603 - a hook cannot be removed
    if not _is_hooked:
        sys.addaudithook(_record)
        _is_hooked = True
    paths: set[str] = set()
    _recorders.append(paths)
    try:
        yield paths
    finally:
        _recorders.remove(paths)


def _record(event: str, arguments: tuple[Any, ...]) -> None:
    if _recorders and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.path.abspath(os.fsdecode(arguments[0]))  # noqa: PTH100 - called for each file
        if not path.endswith(CODE):
            for paths in _recorders:
                paths.add(path)


def reference_digest(subject: Subject, opened: Collection[str]) -> str:
    """Return a digest of the reference, from the files that were opened to load it; "" for none.

    There is no digest if the reference's ids depend on more than the files that Python code has
    opened: for libraries and programs, and if the target normalizes the compared texts itself.
    """
    reference = subject.reference
    if reference is None or not plugins.adapter(reference.spec).plain_files:
        return ""
    if subject.target.normalizer is not None and reference.normalizer is None:
        return ""
    try:
        contents = sorted(filter(None, map(_digest_of_file, opened)))
    except OSError:
        return ""
    settings = [
        subject.unicode_version,
        subject.normalizer_version,
        subject.case_version,
        sorted(subject.stage_versions.items()),
        sorted(subject.target.stage_versions.items()),
        subject.target.normalizer,
        reference.unicode_version,
        sorted(reference.stage_versions.items()),
        sorted(reference.special_tokens.items()),
        sorted(reference.added_tokens.items()),
        contents,
    ]
    return hashlib.sha256(repr(settings).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def comparison_key(digest: str) -> str:
    """Return 16 hex digits for the digest of a reference and for our code; "" for none.

    It covers the code of all packages with a reference, so that every change of this code counts,
    even without a new version.
    """
    return digest and hashlib.sha256(f"{digest} {_digest_of_code()}".encode()).hexdigest()[:16]


@functools.cache
def _digest_of_code() -> str:
    """Return a digest of our code, of the versions of its dependencies and of Python's tables."""
    adapters = (adapter.module for adapter in plugins.adapters().values() if adapter.plain_files)
    packages = sorted({"tokharness", *(module.partition(".")[0] for module in adapters)})
    whole = hashlib.sha256(repr([sys.version_info[:2], _versions()]).encode())
    for package in packages:
        root = importlib.resources.files(package)
        for path in sorted(Path(str(root)).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _versions() -> dict[str, str]:
    names = (adapter.versions() for adapter in plugins.adapters().values() if adapter.plain_files)
    found = {"unicodedata2": version("unicodedata2")}
    for versions in names:
        found |= versions
    return found


def _digest_of_file(path: str) -> str:
    """Return the name and digest of a file; "" for a file without content, such as in /proc."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:  # an optional side file
        return ""
    if not stat.S_ISREG(status.st_mode) or not status.st_size:
        return ""
    with open(path, "rb") as file:  # noqa: PTH123
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return f"{os.path.basename(path)} {digest}"  # noqa: PTH119


Method: TypeAlias = Literal["reach", "merge_orphans"]
"""Methods of a reference that answer questions about ids, with ids or with pairs of texts."""

QUESTION: Final = re.compile("[a-z_]+ [0-9a-f]{32}")

TOKENS_OF_A_CALL = 256
"""Most tokens in a question to a reference."""

MOST_PACKED: Final = 1 << 15
"""Most characters of an answer that is kept: a baseline is a file of a repository."""

MOST_BYTES: Final = 1 << 22
"""Most bytes of an answer before it is packed."""


@dataclass(frozen=True)
class Answers:
    """Packed answers by question, ``known`` from earlier runs or ``given`` in this run.

    A known answer also counts as given once its question is asked.
    """

    known: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)

    def ask(self, reference: Target, method: Method, numbers: Sequence[int]) -> Any:
        """Return the reference's answer about ids, from this run or an earlier run."""
        question = f"{method} {blake2b(repr([*numbers]).encode(), digest_size=16).hexdigest()}"
        if question in self.known:
            self.given[question] = self.known[question]
            return unpack_answer(self.known[question])
        answer = _in_parts(reference, method, numbers)
        if packed := pack_answer(answer):
            self.given[question] = packed
        return answer


def _in_parts(reference: Target, method: Method, numbers: Sequence[int]) -> Any:
    """Ask about few tokens in a call; the time of an audit is checked before each call.

    Orphans among merges are a single question about all tokens.
    """
    if method == "merge_orphans":
        return reference.call(method, numbers)
    rows: list[Any] = []
    for start in range(0, len(numbers), TOKENS_OF_A_CALL):
        part = reference.call(method, numbers[start : start + TOKENS_OF_A_CALL])
        if not isinstance(part, list):
            return part
        rows += part
    return rows


def pack_answer(answer: Any) -> str:
    """Return an answer in ASCII; "" if it is too long, or of a type that cannot be kept."""
    if not isinstance(answer, list) or not all(map(_is_row, answer)):
        return ""
    data = to_ascii_line(answer).encode("ascii")
    packed = base64.b64encode(zlib.compress(data, 9)).decode("ascii")
    return packed if len(data) <= MOST_BYTES and len(packed) <= MOST_PACKED else ""


def unpack_answer(packed: str) -> list[Any]:
    """Return the answer of a text that :func:`pack_answer` made.

    Raises:
        ValueError: the text is not a packed answer.

    """
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b64decode(packed, validate=True), MOST_BYTES)
        answer = from_ascii_line(data.decode("ascii"))
    except (ValueError, RecursionError, zlib.error) as error:
        raise ValueError(f"an answer of the reference cannot be read: {error}") from error
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError("an answer of the reference has the wrong length")
    if not isinstance(answer, list) or not all(map(_is_row, answer)):
        raise ValueError("an answer of the reference is neither ids nor pairs of texts")
    return answer


def _is_row(row: Any) -> bool:
    return type(row) is int or (
        isinstance(row, tuple | list) and [type(part) for part in row] == [str, str]
    )


def check_answers(answers: Mapping[str, str]) -> None:
    """Raise ValueError if a question or an answer is invalid."""
    for question, packed in answers.items():
        if not QUESTION.fullmatch(question):
            raise ValueError(f"a question to the reference is {question[:40]!r}")
        unpack_answer(packed)
