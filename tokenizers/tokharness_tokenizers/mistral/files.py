"""The vocabulary files that ``mistral-common`` reads, and those that it carries."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from tokharness.errors import TargetError, UnknownNameError

__all__ = ["SENTENCEPIECE", "TEKKEN", "carried", "format_of", "locate"]

LIBRARY = "mistral-common"
TEKKEN, SENTENCEPIECE = "tekken_json", "sentencepiece_model"
"""The kinds of files that the library reads, as modules of :mod:`..file_formats`."""


def carried() -> dict[str, Path]:
    """Return the path of each vocabulary in the folder ``data`` of the library, by its name."""
    try:
        paths = files(LIBRARY) or ()
    except PackageNotFoundError:
        return {}
    vocabularies = (Path(str(path.locate())) for path in paths if path.parent.name == "data")
    return {path.name: path for path in vocabularies if {".json", ".model"} & {*path.suffixes}}


def locate(rest: str) -> Path:
    """Return the path of a file; raises TargetError or UnknownNameError if there is none."""
    from tokharness_tokenizers import file_formats

    if not rest:
        raise TargetError("mistral: names no vocabulary: write mistral:NAME or mistral:FILE")
    path = Path(rest).expanduser()
    if not path.exists():
        if "/" in rest:
            raise TargetError(f"there is no file {path}: check the path")
        if rest not in carried():
            raise UnknownNameError("vocabulary of mistral-common", rest, tuple(sorted(carried())))
        return carried()[rest]
    try:
        found = file_formats.find(path)
    except OSError as error:
        raise TargetError(f"cannot read the vocabulary {path}: {error.strerror}") from error
    return found[1] if found else path


def format_of(path: Path) -> str:
    """Return the kind of a file; raises TargetError if the library does not read it."""
    from tokharness_tokenizers.file_formats import is_a

    for name in (TEKKEN, SENTENCEPIECE):
        if is_a(name, path):
            return name
    what = f"the folder {path} has" if path.is_dir() else f"{path} is"
    raise TargetError(f"{what} neither a Tekken vocabulary nor a SentencePiece model: name one")
