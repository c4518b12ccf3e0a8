"""Parallel text in a folder: a file for each language."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.parallel.lines import MOST_BYTES, lines_of
from tokharness.parallel.model import LanguageLines
from tokharness.regular_files import require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["read_folder"]

PARTS = ("dev", "devtest")
"""Parts of FLORES, in the order in which they are joined."""

WHOLE = ""
"""The part of a language that has one file."""


def read_folder(path: Path) -> tuple[list[LanguageLines], list[tuple[str, str]]]:
    """Return the languages of a folder, and those that lack a part with the reason.

    Raises:
        UsageError: a file is not UTF-8, a language has two files, or no file is of a language.
        OSError: a file cannot be read.

    """
    files = _files(path)
    parts = [part for part in (WHOLE, *PARTS) if any(part in own for own in files.values())]
    if not files:
        declarations = path / "declaration" if (path / "declaration").is_dir() else path
        if any(declarations.glob("*.html")):
            from tokharness.parallel.declarations import read_declarations

            _refuse_large(path, declarations.glob("*.html"))
            return read_declarations(declarations), []
        raise UsageError(
            f"the folder {path} has no file of a language, such as eng_Latn.txt or eng_Latn.dev"
        )
    _refuse_large(path, (file for own in files.values() for file in own.values()))
    found, left_out = [], []
    for code, own in files.items():
        missing = [part for part in parts if part not in own]
        if missing:
            left_out.append((code, f"it has no file for {missing[0] or 'the whole text'}"))
        else:
            found.append(_language(path, code, [own[part] for part in parts]))
    return found, left_out


def _files(path: Path) -> Mapping[str, Mapping[str, Path]]:
    """Return the file of each language and part."""
    folders = [path / part for part in PARTS if (path / part).is_dir()] or [path]
    files: defaultdict[str, dict[str, Path]] = defaultdict(dict)
    for folder in folders:
        for file in sorted(folder.iterdir()):
            suffix = file.suffix.removeprefix(".")
            if suffix not in ("txt", *PARTS) or file.name.startswith(".") or not file.is_file():
                continue
            code = file.stem.removeprefix("udhr_")
            part = folder.name if folder is not path else suffix if suffix in PARTS else WHOLE
            if part in files[code]:
                raise UsageError(
                    f"{files[code][part]} and {file} are of the same language: keep one of them"
                )
            files[code][part] = file
    return dict(sorted(files.items()))


def _refuse_large(path: Path, files: Iterable[Path]) -> None:
    """Raise UsageError if all files have too many bytes together, OSError if one leads out."""
    files = list(files)
    require_inside_folder(path, files)
    if sum(file.stat().st_size for file in files) > MOST_BYTES:
        most = f"more than {MOST_BYTES >> 20} MB"
        raise UsageError(f"the files of the folder {path} have {most}: name a part of them")


def _language(folder: Path, code: str, paths: list[Path]) -> LanguageLines:
    lines: list[str] = []
    ends: list[tuple[int, str]] = []
    for path in paths:
        own = lines_of(path)
        if not any(line.strip() for line in own):
            raise UsageError(f"{path} is empty: the parallel text needs lines in each file")
        lines += own
        ends.append((len(lines), str(path.relative_to(folder))))
    return LanguageLines(code, lines, partial(_where, ends))


def _where(ends: Sequence[tuple[int, str]], index: int) -> str:
    """Return the place of a line in files, each of which ends before a line of all."""
    starts = (0, *(end for end, _ in ends))
    for start, (end, name) in zip(starts, ends, strict=False):
        if index < end:
            return f"line {index - start + 1} of {name}"
    raise IndexError(index)
