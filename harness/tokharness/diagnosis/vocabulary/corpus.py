"""The texts of a corpus that the user names, read up to a bound, and its tokens, counted."""

from __future__ import annotations

import codecs
import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.corpora.files import JSON_LINES, TEXT_KEY, expand_files, json_texts
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.errors import UsageError
from tokharness.outcome import Raised
from tokharness.regular_files import open_file, require_inside_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.targets.subject import Subject

MOST_BYTES = 32 * 2**20
"""Bytes of a corpus that are read."""

MOST_LINES = 2**20
"""Lines of JSON that are read."""

PIECE = 20_000
"""Most characters that are encoded at once; only a longer line or word is divided."""

BATCH = 64
"""Texts that are encoded together."""

SUFFIX = ".txt"


@dataclass(frozen=True, slots=True)
class CorpusUse:
    """How often each id is in the tokens of a corpus, and the size of what was read of it.

    ``raised`` is the number of texts on which the target raised.
    """

    counts: Mapping[int, int]
    size: int
    is_whole: bool
    raised: int


def corpus_use(subject: Subject) -> CorpusUse:
    """Encode the corpus, and count its tokens.

    Raises:
        UsageError: no corpus is named, or it cannot be read.

    """
    return subject.cache.get_or_compute("tokens of the corpus", lambda: _counted(subject))


def _counted(subject: Subject) -> CorpusUse:
    if subject.corpus is None:
        raise UsageError("there is no corpus: name a file or a folder of texts")
    counts: Counter[int] = Counter()
    size = raised = 0
    is_whole = True
    for text, read, is_whole in texts_of_corpus(subject.corpus):  # noqa: B007 - the last one counts
        size += read
        pieces = list(_pieces(text))
        for start in range(0, len(pieces), BATCH):
            for ids in encode_all(pieces[start : start + BATCH], subject):
                if isinstance(ids, Raised):
                    raised += 1
                else:
                    counts.update(without_affixes(ids, subject))
    return CorpusUse(counts, size, is_whole, raised)


def texts_of_corpus(name: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the text of each file, its bytes, and whether all of the corpus up to there was read.

    ``name`` is a file, a folder with files named ``*.txt``, or a glob pattern. A file of JSON lines
    has a text in each line, as in a training.

    Raises:
        UsageError: the corpus cannot be read, or is empty.

    """
    size = 0
    for file in _files(name):
        text, read, is_all = _text(file, MOST_BYTES - size)
        size += read
        yield text, read, is_all
        if not is_all:
            break
    if not size:
        raise UsageError(f"the corpus {name} is empty: it needs texts")


def _files(name: str) -> list[Path]:
    """Return the files of a pattern, or the text files in a folder and the folders in it."""
    path = Path(name)
    if not path.is_dir():
        return [path] if path.exists() else [Path(file) for file in expand_files([name])]
    files = sorted(file for file in path.rglob(f"*{SUFFIX}") if file.is_file())
    if not files:
        suffixes = Counter(file.suffix for file in path.rglob("*.*") if file.is_file())
        pattern = path / "**" / f"*{max(suffixes, key=lambda one: suffixes[one], default='')}"
        raise UsageError(
            f"the folder {path} has no file named *{SUFFIX}: name files in it by a pattern, such "
            f"as {shlex.quote(str(pattern))}"
        )
    try:
        require_inside_folder(path, files)
    except OSError as error:
        raise UsageError(f"cannot read the corpus {path}: {error.strerror}") from error
    return files


def _text(file: Path, most: int) -> tuple[str, int, bool]:
    """Return the text of a file, read up to ``most`` bytes, its size, and whether it is all."""
    try:
        with open_file(file) as opened:
            data = opened.read(most)
            is_all = not opened.read(1)
    except OSError as error:
        raise UsageError(f"cannot read the corpus {file}: {error.strerror}") from error
    try:
        text, read = codecs.utf_8_decode(data, "strict", is_all)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"line {line} of the corpus {file} is not UTF-8: convert the file"
        raise UsageError(problem) from None
    if file.suffix.lower() in JSON_LINES:
        lines = (data[:read] if is_all else data[: data.rfind(b"\n") + 1]).splitlines()
        is_all = is_all and len(lines) <= MOST_LINES
        text = "\n".join(json_texts(lines[:MOST_LINES], str(file), TEXT_KEY))
    return text.removeprefix("\ufeff"), read, is_all


def _pieces(text: str) -> Iterator[str]:
    """Divide a text after a line break, or else before a space."""
    start = 0
    while start < len(text):
        end = start + PIECE
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or text.rfind(" ", start + 1, end) or end
            end = end if end > start else start + PIECE
        yield text[start:end]
        start = end
