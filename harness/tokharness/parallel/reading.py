"""Read parallel text: the lines of each language, aligned by number."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokharness.errors import UsageError
from tokharness.parallel.folders import read_folder
from tokharness.parallel.model import LanguageText, ParallelText, is_code, is_english
from tokharness.parallel.tables import TABLES
from tokharness.unicode.language_codes import language_of_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokharness.parallel.model import LanguageLines

__all__ = ["read"]


def read(path: Path) -> ParallelText:
    """Read parallel text from a folder or a table.

    Raises:
        UsageError: it cannot be read, has no English, or no other language with the same lines.

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
        path.resolve().name,
        len(kept),
        tuple(_text(one, kept, names) for one in (english, *others)),
        tuple(sorted(left_out)),
    )


def _english(path: Path, found: Sequence[LanguageLines]) -> LanguageLines:
    """Return English; the shortest code of it, if there are several."""
    english = sorted((one for one in found if is_english(one.code)), key=lambda one: len(one.code))
    if not english:
        names = ", ".join(one.code for one in found[:3]) or "no language"
        raise UsageError(
            f"the parallel text {path} has {names} and no English: add it as en, eng or eng_Latn"
        )
    return english[0]


def _mismatch(one: LanguageLines, english: LanguageLines) -> str | None:
    """Return why the lines of a language are not those of English; None if they are."""
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
    """Return the text of a language; its name has the code if another one has the same name."""
    name = language_of_code(one.code) or one.code
    shown = f"{name} ({one.code})" if names[name] > 1 else name
    return LanguageText(one.code, shown, " ".join(one.lines[index] for index in kept))
