"""Make the embedded vocabulary: ``python -m tokharness_tokenizers.vocabularies.make_embedded``.

Trains 16,384 tokens with our own trainer on :mod:`.corpus` and writes ``embedded.tiktoken`` and
its side file next to this module, or to another folder with ``--to DIRECTORY``. ``--check`` writes
nothing, and compares the files with those of the corpus of this installation. The corpus depends on
the versions of Python and babel.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness.unicode import versions
from tokharness_tokenizers.reference.byte_bpe_training import train
from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.reference.ranks_file import read_side_file, save, side_path
from tokharness_tokenizers.vocabularies import make_small
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main", "make"]

SIZE = 1 << 14
SPECIAL_TOKENS = (
    "<|endoftext|>",
    "<|fim_prefix|>",
    "<|fim_middle|>",
    "<|fim_suffix|>",
    "<|im_start|>",
    "<|im_end|>",
)
# Pinned, so that an update of `regex` does not change the result.
UNICODE_VERSION = "16.0"


def make(path: Path, texts: Sequence[str]) -> None:
    """Train on texts and write the vocabulary to ``path``; its side file says how it was made."""
    vocabulary = train(
        texts,
        vocab_size=SIZE,
        pattern=O200K,
        special_tokens=SPECIAL_TOKENS,
        unicode_version=UNICODE_VERSION,
        name="embedded",
    )
    made = {
        "by": f"python -m {__spec__.name}",
        "python": platform.python_version(),
        "babel": version("babel"),
        "cldr": _cldr_version(),
        "regex": version("regex"),
        "regex_unicode": versions.REGEX_VERSION,
        "corpus_sha256": make_small.digest(texts),
        "corpus_bytes": sum(len(text.encode()) for text in texts),
    }
    save(path, vocabulary, made)


def _cldr_version() -> str | None:
    from babel import core

    get_version = getattr(core, "get_cldr_version", None)  # since babel 2.18
    return str(get_version()) if get_version else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 if made or current, 1 if different, 2 if the corpus differs."""
    parser = argparse.ArgumentParser(description="Train the embedded vocabulary.")
    parser.add_argument("--check", action="store_true", help="compare without writing files")
    parser.add_argument(
        "--to", type=Path, default=EMBEDDED_PATH.parent, help="write to this directory"
    )
    options = parser.parse_args(arguments)
    texts = make_small.texts()
    if not options.check:
        make(options.to / EMBEDDED_PATH.name, texts)
        return 0
    recorded = read_side_file(EMBEDDED_PATH).made
    if (digest := make_small.digest(texts)) != recorded.get("corpus_sha256"):
        size = sum(len(text.encode()) for text in texts)
        print(
            f"cannot compare: the corpus of this installation ({size} bytes, {digest[:16]}) is not "
            f"that of Python {recorded.get('python')} with babel {recorded.get('babel')} "
            f"({recorded.get('corpus_bytes')} bytes)",
            file=sys.stderr,
        )
        return 2
    with tempfile.TemporaryDirectory() as directory:
        fresh = Path(directory, EMBEDDED_PATH.name)
        make(fresh, texts)
        same = fresh.read_bytes() == EMBEDDED_PATH.read_bytes()
        same = same and _without_versions(fresh) == _without_versions(EMBEDDED_PATH)
    print("the embedded vocabulary is current" if same else "the embedded vocabulary differs")
    return 0 if same else 1


def _without_versions(path: Path) -> str:
    """Return the text of the side file before ``made``, which has versions that may differ."""
    return side_path(path).read_text(encoding="ascii").partition('"made"')[0]


if __name__ == "__main__":
    sys.exit(main())
