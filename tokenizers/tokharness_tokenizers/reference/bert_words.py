"""Count the words of texts as BERT splits them: cleaned, then at white space and punctuation.

Devlin et al. 2019, ``tokenization.py``, in the form of :mod:`.normalizers.bert`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from tokharness_tokenizers.reference.normalizers.bert import BertNormalizer
from tokharness_tokenizers.reference.pre_tokenizers.punctuation import Bert

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["count_words"]

_REMOVED: Final = re.compile("[\x0b\x0c\x1c-\x1f\x85]")
"""What ``str.split`` takes for white space and BERT removes as controls."""


def count_words(texts: Iterable[str], *, lowercase: bool) -> Counter[str]:
    """Count the words of texts; if ``lowercase``, without accents and in lower case.

    White space is split first, and each distinct part is normalized once.
    """
    parts: Counter[str] = Counter()
    for text in texts:
        parts.update(_REMOVED.sub("", text).split())
    normalizer, pre_tokenizer = BertNormalizer(lowercase=lowercase), Bert()
    words: Counter[str] = Counter()
    for part, count in parts.items():
        for word in pre_tokenizer.words(normalizer.normalize(part)):
            words[word] += count
    return words
