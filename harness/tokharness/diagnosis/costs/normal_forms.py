"""Canonically equivalent text: words of each script, composed and decomposed."""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import TYPE_CHECKING

from tokharness.diagnosis.costs.twins import count_tokens
from tokharness.model import Cause, Failure, Verdict
from tokharness.unicode.languages import parallel_texts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.scripts import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.targets.subject import Subject

__all__ = ["decomposed_text_failures"]

LEAST_RATIO = 2
"""The median of a script that is reported: the same text at twice the tokens."""

LEAST_WORDS = 5
"""Words without which a script has no median."""


def decomposed_text_failures(subject: Subject) -> Iterator[Failure]:
    """Report the scripts whose words cost twice as many tokens or more when they are decomposed."""
    medians, worst = {}, ("", "", 0.0)
    for code, words in words_by_script().items():
        ratios = _ratios(words, subject)
        if len(ratios) >= LEAST_WORDS and median(ratios.values()) >= LEAST_RATIO:
            medians[script_name(code)] = round(median(ratios.values()), 2)
            word = max(ratios, key=lambda one: (ratios[one], -len(one), one))
            worst = max(worst, (normalize("NFD", word), word, ratios[word]), key=lambda row: row[2])
    if medians:
        names = sorted(medians, key=lambda name: -medians[name])
        listed = ", ".join(f"{name} {medians[name]:.1f}" for name in names)
        yield Failure(
            Cause(
                "decomposed text",
                (("scripts", ", ".join(sorted(names))),),
                Verdict.RISK,
                f"words cost {LEAST_RATIO} or more times as many tokens in NFD as in NFC, on the "
                f"median of their script: {listed}",
            ),
            count=len(medians),
            text=worst[0],
            evidence={"twin": worst[1]},
        )


@cache
def words_by_script() -> Mapping[str, tuple[str, ...]]:
    """Return the different words of CLDR's names that NFD changes, in NFC, by script."""
    words: dict[str, dict[str, None]] = {}
    for text, _ in parallel_texts().values():
        for word in normalize("NFC", text).split(" "):
            if normalize("NFD", word) != word:
                words.setdefault(main_script(word), {})[word] = None
    return {code: tuple(words[code]) for code in sorted(words)}


def _ratios(words: tuple[str, ...], subject: Subject) -> dict[str, float]:
    """Tokens of each decomposed word for each of its composed form, after a space."""
    composed = count_tokens([f" {word}" for word in words], subject)
    decomposed = count_tokens([f" {normalize('NFD', word)}" for word in words], subject)
    rows = zip(words, decomposed, composed, strict=True)
    return {word: own / other for word, own, other in rows if own and other}
