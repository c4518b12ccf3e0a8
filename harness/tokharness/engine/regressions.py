"""Regressions: texts that have failed, in files of the project, which later runs try first.

There is a file for each check, named after it. Each line is a JSON object in ASCII, written by
``targets.processes.json_lines``, which preserves lone surrogates: ``id`` (the fingerprint of the
finding), ``text``, ``why``, ``source`` (the command that found it), ``check`` (a code), ``cause``.
Lines are sorted by ``id`` and ``text``. The files may be edited by hand: a line needs only
``text``, and existing lines are never changed.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import locked_folder, temporary_sibling
from tokharness.errors import UsageError
from tokharness.model import Verdict
from tokharness.project import require_file, root_of
from tokharness.regular_files import read_file
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.model import Finding

MOST_BYTES = 1 << 24
"""Most bytes of a file of regressions, since each regression is run again."""

DEFAULT_REASON = "a text that failed once"


@dataclass(frozen=True, slots=True)
class Regression:
    """A text that failed; ``id`` is the fingerprint of the finding, ``source`` its command."""

    text: str
    id: str = ""
    why: str = DEFAULT_REASON
    source: str = ""
    check: str = ""
    cause: str = ""


def read_regressions(directory: Path) -> tuple[Regression, ...]:
    """Return all regressions of a folder, file by file; none if the folder does not exist.

    Raises:
        UsageError: a file cannot be read, or has an invalid line.

    """
    return tuple(regression for path in _files(directory) for regression, _ in _read(path))


def write_regressions(directory: Path, findings: Sequence[Finding], *, source: str) -> list[Path]:
    """Add the texts of bugs and risks to the files of a folder; return the files that changed.

    Raises:
        UsageError: a file cannot be written, or has an invalid line.

    """
    by_file: dict[str, list[Regression]] = {}
    for finding in findings:
        text = finding.text
        if isinstance(text, str) and text and finding.verdict is not Verdict.FACT:
            regressions = by_file.setdefault(f"{finding.name}.jsonl", [])
            regressions.append(_regression(finding, text, source))
    paths = [directory / name for name in sorted(by_file)]
    return [path for path in paths if _add(path, by_file[path.name])]


def _regression(finding: Finding, text: str, source: str) -> Regression:
    return Regression(
        text=text,
        id=finding.fingerprint,
        why=finding.message or DEFAULT_REASON,
        source=source,
        check=finding.code,
        cause=str(finding.cause),
    )


def _files(directory: Path) -> list[Path]:
    """Return the files of a folder; raises UsageError for a file outside its project."""
    try:
        if not directory.exists():
            return []
        paths = sorted(path for path in directory.iterdir() if path.suffix == ".jsonl")
    except OSError as error:
        raise UsageError(f"cannot read the regressions {directory}: {error.strerror}") from error
    root = root_of(directory)
    return [require_file(path, root, "the file of regressions") for path in paths]


def _read(path: Path) -> Iterator[tuple[Regression, str]]:
    """Yield the regressions of a file, each with its line."""
    try:
        lines = read_file(path, MOST_BYTES).decode("utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"cannot read the regressions {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise _invalid_line(path, number, "it is not UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _regression_of(from_ascii_line(line)), line
        except json.JSONDecodeError as error:
            raise _invalid_line(path, number, "it is not JSON") from error
        except ValueError as error:
            raise _invalid_line(path, number, str(error)) from error


def _invalid_line(path: Path, number: int, reason: str) -> UsageError:
    return UsageError(f"{path}:{number} is not a regression: {reason}; fix or delete the line")


def _regression_of(record: Any) -> Regression:
    """Return the regression of the record of a line; raise ValueError if it is invalid."""
    if not isinstance(record, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - invalid data, not a bug
    values = {key: record[key] for key in Regression.__slots__ if key in record}
    for key, value in values.items():
        if not isinstance(value, str):
            raise ValueError(f'"{key}" is not a string')  # noqa: TRY004
    if not values.get("text"):
        raise ValueError('it has no "text"')
    return Regression(**values)


def _add(path: Path, regressions: list[Regression]) -> bool:
    """Add the regressions that a file does not have yet; return whether the file changed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A symbolic link in the project stays, and its target is written.
        require_file(path, root_of(path.parent), "the file of regressions")
        path = Path(os.path.realpath(path))
        with locked_folder(path.parent):
            rows = list(_read(path)) if path.exists() else []
            new = _new(regressions, {(regression.id, regression.text) for regression, _ in rows})
            if not new:
                return False
            rows += [(regression, _line(regression)) for regression in new]
            rows.sort(key=lambda row: (row[0].id, row[0].text))
            with temporary_sibling(path) as temporary:
                content = "".join(f"{line}\n" for _, line in rows)
                temporary.write_text(content, encoding="utf-8", newline="\n")
                temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the regressions {path}: {error.strerror}") from error
    return True


def _new(regressions: list[Regression], known: set[tuple[str, str]]) -> list[Regression]:
    """Return the regressions that are not ``known``, pairs of ``id`` and text; ``id`` may be "".

    A finding that already has a text gets only a shorter text, since each campaign finds different
    texts.
    """
    new: dict[tuple[str, str], Regression] = {}
    shortest: dict[str, int] = {}
    for identity, text in known:
        shortest[identity] = min(len(text), shortest.get(identity, len(text)))
    for regression in regressions:
        identity, text = regression.id, regression.text
        is_shorter = identity not in shortest or len(text) < shortest[identity]
        if is_shorter and ("", text) not in known:
            new.setdefault((identity, text), regression)
    return list(new.values())


def _line(regression: Regression) -> str:
    keys = ("id", "text", "why", "source", "check", "cause")
    return to_ascii_line({key: getattr(regression, key) for key in keys}).rstrip("\n")
