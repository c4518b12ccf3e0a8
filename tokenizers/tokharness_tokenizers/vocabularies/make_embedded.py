"""Make the embedded vocabulary: ``python -m tokharness_tokenizers.vocabularies.make_embedded``.

Trains 16,384 tokens with our own trainer on :mod:`.corpus` and writes ``embedded.tiktoken`` and
its side file next to this module. ``--check`` writes nothing and says whether the files there are
what the corpus of this installation gives; with other versions of Python or babel it is another
corpus, which is no fault. ``--to DIRECTORY`` writes elsewhere.
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
from tokharness_tokenizers.reference.ranks_file import save
from tokharness_tokenizers.reference.side_file import read_side_file, side_path
from tokharness_tokenizers.vocabularies import corpus
from tokharness_tokenizers.vocabularies.locate import EMBEDDED

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
# Pinned: an update of `regex` must not change what is trained.
UNICODE_VERSION = "16.0"


def make(path: Path, texts: Sequence[str]) -> None:
    """Train on texts and write the vocabulary, and how it was made, to ``path``."""
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
        "corpus_sha256": corpus.digest(texts),
        "corpus_bytes": sum(len(text.encode()) for text in texts),
    }
    save(path, vocabulary, made)


def _cldr_version() -> str | None:
    from babel import core

    known = getattr(core, "get_cldr_version", None)  # since babel 2.18
    return str(known()) if known else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command: 0 made or current, 1 differs, 2 cannot tell because the corpus differs."""
    parser = argparse.ArgumentParser(description="Train the embedded vocabulary.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--to", type=Path, default=EMBEDDED.parent, help="write to this directory")
    options = parser.parse_args(arguments)
    texts = corpus.texts()
    if not options.check:
        make(options.to / EMBEDDED.name, texts)
        return 0
    recorded = read_side_file(EMBEDDED).made
    if (found := corpus.digest(texts)) != recorded.get("corpus_sha256"):
        size = sum(len(text.encode()) for text in texts)
        print(
            f"cannot tell: the corpus of this installation, {size} bytes, {found[:16]}, is another "
            f"than that of Python {recorded.get('python')} with babel {recorded.get('babel')}, "
            f"{recorded.get('corpus_bytes')} bytes",
            file=sys.stderr,
        )
        return 2
    with tempfile.TemporaryDirectory() as directory:
        fresh = Path(directory, EMBEDDED.name)
        make(fresh, texts)
        same = fresh.read_bytes() == EMBEDDED.read_bytes()
        same = same and _without_versions(fresh) == _without_versions(EMBEDDED)
    print("the embedded vocabulary is current" if same else "the embedded vocabulary differs")
    return 0 if same else 1


def _without_versions(path: Path) -> str:
    """Return the side file's text up to how it was made: versions may differ, the rest not."""
    return side_path(path).read_text(encoding="ascii").partition('"made"')[0]


if __name__ == "__main__":
    sys.exit(main())
