"""Find the file that a word names: a path, a folder or a repository of the Hugging Face Hub."""

from __future__ import annotations

import re
from pathlib import Path

from tokharness import extras
from tokharness.errors import TargetError
from tokharness.home import expand_user
from tokharness.regular_files import require_inside_folder
from tokharness_tokenizers import file_formats, libraries

FILE_NAME = "tokenizer.json"
SUFFIXES = (".json", ".txt", ".gz")
"""Of a word that is a path, also if there is no such file."""

_REPOSITORY = re.compile(r"(?P<name>[\w.-]+(?:/[\w.-]+)?)(?:@(?P<revision>[\w./-]+))?")


def locate(rest: str) -> Path:
    """Return the path of the file; raises TargetError if there is none."""
    path = expand_user(rest)
    if path.is_dir():
        return _in_folder(path)
    if path.exists() or rest.endswith(SUFFIXES) or rest.startswith((".", "/", "~")):
        if not path.is_file():
            raise TargetError(f"there is no file {path}: check the path")
        return path
    match = _REPOSITORY.fullmatch(rest)
    if match is None:
        raise TargetError(
            f"hf:{rest} is no file, no folder and no name of a repository: write hf:FILE, "
            "hf:FOLDER or hf:OWNER/NAME"
        )
    return _from_hub(match["name"], match["revision"])


def _in_folder(folder: Path) -> Path:
    """Return the ``tokenizer.json`` of a folder, or else its list of tokens."""
    file = folder / FILE_NAME
    try:
        if file.is_file():
            require_inside_folder(folder, [file])
            return file
        found = file_formats.find(folder)
    except OSError as error:
        raise TargetError(f"cannot read the folder {folder}: {error.strerror}") from error
    if found is None or not hasattr(found[0], "record"):
        raise TargetError(
            f"the folder {folder} has no {FILE_NAME}, no vocab.txt, and no vocab.json with "
            "merges.txt: name the file"
        )
    return found[1]


def _from_hub(name: str, revision: str | None) -> Path:
    """Return the file in the cache of the hub, after a download if it is not there."""
    if libraries.find_version("huggingface_hub") is None:
        raise TargetError(
            f"hf:{name} is no file, and to look for it on the hub needs huggingface_hub: "
            f"{extras.what_installs('hf')}"
        )
    from huggingface_hub import hf_hub_download, try_to_load_from_cache

    try:
        cached = try_to_load_from_cache(name, FILE_NAME, revision=revision)
        if isinstance(cached, str):
            return Path(cached)
        return Path(hf_hub_download(name, FILE_NAME, revision=revision))
    except Exception as error:
        reason = " ".join(str(error).split()).partition(". ")[0]
        raise TargetError(
            f"hf:{name} is no file, is not in the cache of huggingface_hub, and could not be "
            f"downloaded ({type(error).__name__}: {reason}): check the name, or name a file"
        ) from error
