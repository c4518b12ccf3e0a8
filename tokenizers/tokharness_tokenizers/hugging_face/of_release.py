"""Other releases of ``tokenizers`` and ``transformers``, with what their files declare."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from tokharness.errors import TargetError
from tokharness.json_content import parse_json
from tokharness.regular_files import read_file
from tokharness_tokenizers import libraries, releases
from tokharness_tokenizers.hugging_face import bounds, loaded
from tokharness_tokenizers.hugging_face.declaration import (
    Declaration,
    declaration_of,
    file_declaration,
)
from tokharness_tokenizers.hugging_face.loaded import COMPONENTS, load_differences

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokharness.targets.processes.remote import Remote
    from tokharness_tokenizers.hugging_face.loaded import Row


def load(release: str, path: Path) -> Remote:
    """Load a ``tokenizer.json`` into a release of ``tokenizers``; raises TokharnessError."""
    file = path / "tokenizer.json" if path.is_dir() else path
    name = f"hf@{release}"
    if mistake := libraries.mistaken_format(name, file, "tokenizer_json"):
        raise mistake
    record = bounds.parsed(file)
    bounds.refuse_large(file, record)
    try:
        remote = releases.start("hf", release, "file", str(file.absolute()))
    except TargetError as error:
        if not error.failure:
            raise
        name = f"tokenizers {release}"
        raise libraries.refusal(name, file, error, "tokenizer_json") from error
    remote.stage_versions = loaded.stage_versions(release)
    declaration = file_declaration(record, None, _round_trip_of(remote), _ids_of(remote))
    if not release.startswith("1."):  # which does not show what it has loaded
        remote.add_here("load_differences", partial(_differences, "hf", release, file, ()))
    return _declare(remote, declaration)


def load_folder(
    release: str, folder: Path, named_record: tuple[str, dict[str, Any]] | None
) -> Remote:
    """Load a folder into a release of ``transformers``; raises TokharnessError.

    ``named_record`` is a list of tokens of the folder: its name, and a ``tokenizer.json``.
    """
    file = folder / "tokenizer.json"
    bounds.refuse_outside(folder)
    record = bounds.parsed(file)
    bounds.refuse_large(file, record)
    try:
        remote = releases.start("transformers", release, "folder", str(folder.absolute()))
    except TargetError as error:
        if not error.failure:
            raise
        message = f"transformers {release} refuses the folder {folder}: {error}"
        raise TargetError(message, failure=error.failure) from error
    if remote.version:  # of the library below it, if that is the one that encodes
        remote.stage_versions = loaded.stage_versions(str(remote.version))
    round_trip, ids = _round_trip_of(remote), _ids_of(remote)
    if file.is_file():
        declaration = file_declaration(record, None, round_trip, ids)
        if remote.version:
            differences = partial(_differences, "transformers", release, file, COMPONENTS)
            remote.add_here("load_differences", differences)
    elif named_record is not None:
        declaration = declaration_of(named_record[1], None, round_trip, ids, named_record[0])
    elif content := _loaded("transformers", release, folder):
        declaration = declaration_of(json.loads(content), None, round_trip, ids, "transformers")
    else:
        declaration = Declaration()
    return _declare(remote, declaration)


def _declare(remote: Remote, declaration: Declaration) -> Remote:
    declaration = declaration.at_versions(remote.stage_versions)
    releases.declare(remote, declaration)
    releases.add_here(
        remote,
        decode_single_token_bytes=declaration.token_bytes,
        stages_in_file=declaration.stages,
        merges=declaration.merges,
        scores=declaration.scores,
    )
    remote.read_from_file = ("decode_single_token_bytes",)  # type: ignore[attr-defined]
    return remote


def _round_trip_of(remote: Remote) -> Callable[[str], str]:
    encode: Callable[[str], list[int]] = getattr(remote, "encode_ordinary")  # noqa: B009 - its op
    return lambda text: str(remote.decode(encode(text)))


def _ids_of(remote: Remote) -> dict[str, int]:
    """Return the ids that a release gives the added tokens, by text."""
    return {**remote.special_tokens, **remote.added_tokens}


def _differences(
    scheme: str, release: str, file: Path, components: tuple[str, ...], most: int
) -> list[Row]:
    """Return where what a release has loaded differs from the file."""
    content = _loaded(scheme, release, file if scheme == "hf" else file.parent)
    record = parse_json(read_file(file))
    if components:
        return load_differences(record, content, most, components)
    return load_differences(record, content, most)


def _loaded(scheme: str, release: str, path: Path) -> str:
    """Return the JSON of what a release has loaded, from a process that does only that."""
    remote = releases.start(scheme, release, "loaded", str(path.absolute()))
    remote.close()
    return str(remote.name)
