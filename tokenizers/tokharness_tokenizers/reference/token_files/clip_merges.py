"""CLIP's file of merges, ``bpe_simple_vocab_16e6.txt.gz`` (Radford et al. 2021).

The file may be gzip or not. Its first line is a comment, and the next 48,894 lines are the merges
that CLIP uses; further lines are not read. The ids are as in ``simple_tokenizer.py``: the 256 byte
characters in the order of their code points, the same characters with ``</w>``, a token for each
merge, and two special tokens. Releases of ``open_clip`` call these ``<start_of_text>`` and
``<end_of_text>``, with the same ids.

The stages before the model come from :func:`.stages.clip`.
"""

from __future__ import annotations

import gzip
import io
import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tokharness.regular_files import open_file
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.reference.byte_characters import CHARACTER_OF
from tokharness_tokenizers.reference.token_files.stages import END_OF_WORD
from tokharness_tokenizers.reference.token_files.vocabulary_and_merges import CLASSES, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokharness_tokenizers.reference.pipeline import Pipeline

FILE_NAME: Final = "bpe_simple_vocab_16e6.txt.gz"

MERGES: Final = 48_894
"""The number of merges that CLIP uses."""

LIMIT: Final = 1 << 26
"""Most bytes that are read of the content of a file; CLIP's content has 3.2 million."""

MOST_PACKED: Final = 1 << 22
"""Most bytes that are read of a gzip file; CLIP's file has 1.4 million."""


def load(path: Path) -> Pipeline:
    """Read a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged.

    """
    try:
        return tokenizer_json.read(read_record(path), str(path), FILE_NAME)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def read_record(path: Path) -> dict[str, Any]:
    """Read a file as a ``tokenizer.json``; raises OSError or ValueError."""
    with open_file(path) as file:
        data = file.read(LIMIT)
    if data.startswith(b"\x1f\x8b"):
        packed = io.BytesIO(data[:MOST_PACKED])
        try:
            data = gzip.GzipFile(fileobj=packed).read(LIMIT)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"it is not complete gzip: {error}") from error
    return record_of_merges(read_merges(data))


def read_merges(data: bytes, most: int = MERGES) -> list[list[str]]:
    """Return the pairs of the lines after the first; raises ValueError for any other line."""
    lines = data.split(b"\n", most + 1)
    pairs = []
    for number, line in enumerate(lines[1 : most + 1], start=2):
        try:
            pair = line.decode().split(None, 2)
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} is not UTF-8") from error
        if not pair and number == len(lines):
            break
        if len(pair) != 2:
            raise ValueError(f"line {number} is {line!r:.60}, not two tokens")
        pairs.append(pair)
    return pairs


def record_of_merges(merges: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Make a ``tokenizer.json`` of the merges."""
    characters = sorted(CHARACTER_OF)
    tokens = chain(
        characters,
        (char + END_OF_WORD for char in characters),
        map("".join, merges),
        (CLASSES["CLIPTokenizer"][name] for name in ("bos_token", "eos_token")),
    )
    return record_of({token: number for number, token in enumerate(tokens)}, merges)
