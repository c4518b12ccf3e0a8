"""The normal form and the skeleton of each token, computed for all tokens at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.token_content.texts import changed_texts, content_texts
from tokharness.unicode.confusables import skeleton
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.targets.subject import Subject


def changed_by_nfc(subject: Subject) -> dict[int, str]:
    """Return the NFC of each token that is not in NFC, by its id."""

    def compute() -> dict[int, str]:
        forms = {
            number: normalize("NFC", text)
            for number, text in content_texts(subject).items()
            if not text.isascii()
        }
        texts = content_texts(subject)
        return {number: form for number, form in forms.items() if form != texts[number]}

    return subject.cache.get_or_compute("tokens that are not NFC", compute)


def skeletons(subject: Subject) -> Mapping[int, str]:
    """Return the skeleton (UTS #39) of each token, by its id."""

    def compute() -> dict[int, str]:
        texts = content_texts(subject)
        return dict(zip(texts, changed_texts(skeleton, [*texts.values()]), strict=True))

    return subject.cache.get_or_compute("skeletons of all tokens", compute)
