"""The normalization ``nmt_nfkc``, which SentencePiece applies by default, as a charsmap.

The file ``nmt_nfkc.charsmap.zlib`` has it, since making it takes seconds;
:mod:`.generate_nmt_nfkc` makes the file.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("nmt_nfkc.charsmap.zlib")


@cache
def charsmap() -> bytes:
    """Return the rules, for :attr:`.model_file.NormalizerSpec.precompiled_charsmap`."""
    return zlib.decompress(FILE.read_bytes())
