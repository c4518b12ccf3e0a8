"""Texts that failed once, in files of the user's project, which every later run tries first.

One JSON object a line, in ASCII, as ``processes.wire`` writes it, so that a text of lone surrogates
stays what it is: ``id`` (the finding's fingerprint), ``text``, ``why``, ``source`` (what found it),
``check`` (a code), ``cause``. One file a check, named by its name, the lines sorted by ``id`` and
``text``. People may edit the files: ``text`` is all that a line needs, other keys are kept, and so
is a line that is there already.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import locked_folder, temporary_sibling
from tokharness.errors import UsageError
from tokharness.model import Verdict
from tokharness.targets.processes.json_lines import from_ascii_line, to_ascii_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokharness.model import Finding

__all__ = ["Regression", "read", "write"]

UNSAID = "a text that failed once"


@dataclass(frozen=True, slots=True)
class Regression:
    """A text that failed; ``id`` is the fingerprint of the finding, ``source`` what found it."""

    text: str
    id: str = ""
    why: str = UNSAID
    source: str = ""
    check: str = ""
    cause: str = ""


def read(directory: Path) -> tuple[Regression, ...]:
    """All regressions of a folder, in the order of its files' names; none if it is not there.

    Raises:
        UsageError: it cannot be read, or a line of a file is no regression.

    """
    return tuple(one for path in _files(directory) for one, _ in _lines(path))


def write(directory: Path, found: Sequence[Finding], *, source: str) -> list[Path]:
    """Add the texts of bugs and risks to the files of a folder, and return the files that changed.

    Raises:
        UsageError: a file cannot be written, or has a line that is no regression.

    """
    by_file: dict[str, list[Regression]] = {}
    for one in found:
        if isinstance(one.text, str) and one.text and one.verdict is not Verdict.BY_DESIGN:
            by_file.setdefault(f"{one.name}.jsonl", []).append(_regression(one, one.text, source))
    paths = [directory / name for name in sorted(by_file)]
    return [path for path in paths if _added(path, by_file[path.name])]


def _regression(finding: Finding, text: str, source: str) -> Regression:
    return Regression(
        text=text,
        id=finding.fingerprint,
        why=finding.message or UNSAID,
        source=source,
        check=finding.code,
        cause=str(finding.cause),
    )


def _files(directory: Path) -> list[Path]:
    try:
        if not directory.exists():
            return []
        return sorted(path for path in directory.iterdir() if path.suffix == ".jsonl")
    except OSError as error:
        raise UsageError(f"cannot read the regressions {directory}: {error.strerror}") from error


def _lines(path: Path) -> Iterator[tuple[Regression, str]]:
    """Regressions of a file, each with its line as it stands there."""
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"cannot read the regressions {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise _no_regression(path, number, "it is no UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _of_record(from_ascii_line(line)), line
        except (json.JSONDecodeError, RecursionError) as error:
            raise _no_regression(path, number, "it is no JSON") from error
        except ValueError as error:
            raise _no_regression(path, number, str(error)) from error


def _no_regression(path: Path, number: int, reason: str) -> UsageError:
    return UsageError(f"{path}:{number} is no regression: {reason}; mend or delete the line")


def _of_record(record: Any) -> Regression:
    """Regression of a line's record; raises ValueError if it is none."""
    if not isinstance(record, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 - what was read is wrong
    known = {key: record[key] for key in Regression.__slots__ if key in record}
    for key, value in known.items():
        if not isinstance(value, str):
            raise ValueError(f'"{key}" is no text')  # noqa: TRY004
    if not known.get("text"):
        raise ValueError('it has no "text"')
    return Regression(**known)


def _added(path: Path, found: list[Regression]) -> bool:
    """Add what a file has not; whether there was anything to add."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path = path.resolve()  # a link stays, and what it points to is written
        with locked_folder(path.parent):
            rows = list(_lines(path)) if path.exists() else []
            new = _new(found, {(one.id, one.text) for one, _ in rows})
            if not new:
                return False
            rows += [(one, _line(one)) for one in new]
            rows.sort(key=lambda row: (row[0].id, row[0].text))
            with temporary_sibling(path) as beside:
                whole = "".join(f"{line}\n" for _, line in rows)
                beside.write_text(whole, encoding="utf-8", newline="\n")
                beside.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the regressions {path}: {error.strerror}") from error
    return True


def _new(found: list[Regression], known: set[tuple[str, str]]) -> list[Regression]:
    """Regressions that are not known, each once; a line by hand may have no ``id``.

    A cause that has a text gets another one only if that is shorter: each campaign finds its own.
    """
    new: dict[tuple[str, str], Regression] = {}
    shortest: dict[str, int] = {}
    for name, text in known:
        shortest[name] = min(len(text), shortest.get(name, len(text)))
    for one in found:
        is_shorter = one.id not in shortest or len(one.text) < shortest[one.id]
        if is_shorter and ("", one.text) not in known:
            new.setdefault((one.id, one.text), one)
    return list(new.values())


def _line(one: Regression) -> str:
    keys = ("id", "text", "why", "source", "check", "cause")
    return to_ascii_line({key: getattr(one, key) for key in keys}).rstrip("\n")
