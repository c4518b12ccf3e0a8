"""What languages cost by names of CLDR, exactly and in bands."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import decode_all, encode_all
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.unicode.languages import language_name, parallel_names
from tokharness.unicode.normalization import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.targets.subject import Subject

_LIMITS = (1.5, 2.0, 3.0, 5.0)

BANDS = (*(f"up to {limit:g}" for limit in _LIMITS), f"over {_LIMITS[-1]:g}")
"""The bands of costs, in times the tokens of English, the lowest first."""

MOST_LOST = 0.1
"""Largest share of characters that a text may lose; beyond it, its tokens stand for too little."""


def band_for(times: float) -> str:
    """Return the band of a cost."""
    return BANDS[sum(times > limit for limit in _LIMITS)]


def lost_characters(text: str, decoded: str) -> int:
    """Count the characters that the decoded text lacks.

    Case, white space, compatible forms and the order of characters do not count.
    """
    return (_significant(text) - _significant(decoded)).total()


def is_mostly_lost(text: str, decoded: str) -> bool:
    """Whether a decoded text lacks more than a tenth of the characters."""
    return text != decoded and lost_characters(text, decoded) > MOST_LOST * len(text)


def _significant(text: str) -> Counter[str]:
    return Counter("".join(normalize("NFKD", text).casefold().split()))


# What languages cost: the names that CLDR has in each, against the same names in English.

MOST_NAMED = 5
"""Number of languages that the message names, the most expensive first."""


def language_failures(subject: Subject) -> Iterator[Failure]:
    """Report the costs of languages once, with a table."""
    texts = parallel_names()
    own = _counts([text for text, _ in texts.values()], subject)
    english = _counts([text for _, text in texts.values()], subject)
    times = {
        code: count / base
        for code, count, base in zip(texts, own, english, strict=True)
        if count and base and code != "en"
    }
    if times:
        yield _table(times, texts)


def _table(times: Mapping[str, float], texts: Mapping[str, tuple[str, str]]) -> Failure:
    worst = sorted(times, key=lambda code: (-times[code], code))[:MOST_NAMED]
    bands = Counter(map(band_for, times.values()))
    middle = band_for(median(times.values()))
    without = len(texts) - 1 - len(times)
    lost = f" (without {without} that are lost)" if without else ""
    return Failure(
        Cause(
            "costs of languages",
            (),
            Verdict.FACT,
            f"{len(times)} languages, estimated by names of CLDR{lost}: the median is {middle} "
            f"times the tokens of English; most cost {_listed(worst, times)}",
        ),
        count=len(times),
        text=texts[worst[0]][0],
        evidence={
            "median": middle,
            "bands": {band: bands[band] for band in BANDS},
            "languages": {code: band_for(ratio) for code, ratio in sorted(times.items())},
            "most": [language_name(code) for code in worst],
        },
    )


def _listed(codes: Sequence[str], times: Mapping[str, float]) -> str:
    """List languages by their bands, the highest first."""
    by_band: dict[str, list[str]] = {}
    for code in codes:
        by_band.setdefault(band_for(times[code]), []).append(language_name(code))
    return "; ".join(f"{', '.join(names)} ({band})" for band, names in by_band.items())


def _counts(texts: list[str], subject: Subject) -> list[int | None]:
    """Count the tokens of each text; None for a text that raises, or that is mostly lost."""
    rows = encode_all(texts, subject)
    encoded = [ids for ids in rows if not isinstance(ids, Raised)]
    decoded = iter(decode_all(encoded, subject))
    counts: list[int | None] = []
    for text, ids in zip(texts, rows, strict=True):
        back = None if isinstance(ids, Raised) else next(decoded)
        if isinstance(ids, Raised) or not isinstance(back, str) or is_mostly_lost(text, back):
            counts.append(None)
        else:
            counts.append(len(without_affixes(ids, subject)))
    return counts
