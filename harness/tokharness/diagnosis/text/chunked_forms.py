"""Normal forms that are applied to one part of a text after the other.

A buffer of fixed size ends between a letter and its mark, and both stay as they are. A short text
does not show this, so the sizes that explain a long text are tried on short ones, too.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from tokharness.diagnosis.text.normal_forms import FORMS, NORMAL_FORMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokharness.targets.subject import Subject

SIZES: Final = (
    *(65_536, 32_768, 16_384, 10_000, 8_192, 4_096, 2_048, 2_000, 1_024, 1_000, 512, 500, 256),
    *(255, 200, 128, 100, 64, 50, 32, 20, 16, 10, 8),
)
"""Usual sizes of parts in characters, the largest first: it claims the least."""


def chunked_forms(
    text: str, result: str, subject: Subject, applied: Callable[[str], bool], via: str
) -> list[str]:
    """Return the names of forms that turn ``text`` into ``result`` part by part."""
    known: dict[tuple[str, int], None] = subject.cache.get_or_compute(
        f"{via}: forms in parts", dict
    )
    forms = [one for one in NORMAL_FORMS if applied(one) and FORMS[one](text) != result]
    found = [
        (form, size)
        for form, size in product(forms, SIZES)
        if size < len(text) and (form, size) not in known and _in_parts(form, size, text) == result
    ]
    if found:
        known.update(dict.fromkeys(found))
        subject.diagnosis_pass.learned = True
    explaining = (key for key in known if _in_parts(*key, text) == result)
    ordered = sorted(explaining, key=lambda key: -key[1])
    return [f"{form} in parts of {size:,} characters" for form, size in ordered]


def _in_parts(form: str, size: int, text: str) -> str:
    return "".join(FORMS[form](text[at : at + size]) for at in range(0, len(text), size))
