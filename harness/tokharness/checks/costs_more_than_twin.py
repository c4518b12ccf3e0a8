"""Text that reads the same as plain text costs many more tokens.

Why it matters: tokens are money, time and room in the context. Text that looks the same and costs
several times as much can exhaust a budget or push a system prompt out of the context, and a limit
in characters does not stop it. Languages whose letters are written decomposed pay the same price.

Oracle: metamorphic. Each case of a family is compared with its twin: composed with decomposed, a
look-alike with the plain letter, inserted invisible characters with none. Token ids that every text
gets, such as a start token, are not counted.

Verdicts: *fact*, once, for the costs of families, with a table of the median and the worst case of
each family; an invisible character costs tokens in any vocabulary, by design. A case with more than
four times the characters of its twin is shown as the worst case only if the family has no shorter
case. *Fact*, once, for the costs of languages: the tokens of up to 199 CLDR names in each language
per token of the same names in English, given as a band, since names only estimate the cost of
running text. Languages that the target does not encode, or of which it loses a tenth, are left out.

*Risk* for costs that you can act on: *decomposed text*, scripts whose words (from CLDR's names)
cost at least twice as many tokens in NFD as in NFC, on the median; *more tokens than bytes*, cases
with more tokens than UTF-8 bytes, such as a character that a normalizer expands; and *costly
surroundings*, cases that at least double the tokens of plain text before them. The budgets of a
policy limit the costs of families and languages; `tokharness gate` applies them.

Example: Korean written in jamo, which look the same as syllables::

    TOK303 risk  decomposed text: Hangul   words cost 2 or more times as many tokens in NFD

What to do: compose text (NFC) before encoding it if a script is named, or train on both forms.
Limit requests by tokens, not by characters or bytes. If the surroundings cost more, one character
changes how the tokenizer treats the whole text, which is a fault of its code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.costs.language_bands import language_failures
from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.probes.calls import encode_all
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar
from tokharness.unicode.languages import parallel_texts
from tokharness.unicode.normalization import normalize
from tokharness.unicode.properties import main_script, script_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokharness.model import Case
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]

CODE = "TOK303"
NAME = "costs-more-than-twin"
REQUIRES = ("cases",)


def audit(subject: Subject) -> Iterator[Failure]:
    """Report the costs of families and languages as facts, then the risks."""
    rows = family_costs(subject)
    if rows:
        yield _table(rows)
    yield from language_failures(subject)
    yield from decomposed_text_failures(subject)
    yield from more_than_bytes_failures(rows, subject)
    yield from surroundings_failures(rows, subject)


def _table(rows: list[FamilyCost]) -> Failure:
    dearest = max(rows, key=lambda row: (row.median, row.family))
    like = [row for row in rows if is_of_like_length(row.worst.case.text, row.worst.case.twin)]
    highest = max(like or rows, key=lambda row: (row.worst.ratio, row.family))
    worst = highest.worst
    message = (
        f"cases against their twins, by family: those of {dearest.family} cost most on the median, "
        f"{dearest.median:.1f} times the tokens; the worst case costs {worst.ratio:.1f} times as "
        f"many ({highest.family}, {worst.case.why})"
    )
    return Failure(
        Cause("costs of families", (), Verdict.FACT, message),
        count=sum(len(row.costs) for row in rows),
        text=worst.case.text,
        evidence={"twin": worst.case.twin, "families": [row.record() for row in rows]},
    )


MOST_CASES = 2_000
"""Cases of a family that are compared, sampled evenly from the cases with a twin."""

MOST_CHARACTERS = 2_000
"""Length of the longest case that is compared."""

FIRST_CASES, MOST_READ = 2_000, 20_000
"""Cases of a family that are read; it is left out if none of its first cases has a twin."""


MOST_LONGER = 4
"""Characters of a case per character of its twin, at most, for the worst case of a family."""


@dataclass(frozen=True, slots=True)
class CaseCost:
    """A case, its number of tokens, and the number of its twin."""

    case: Case
    tokens: int
    twin_tokens: int

    @property
    def ratio(self) -> float:
        """Tokens of the case per token of its twin."""
        return self.tokens / self.twin_tokens


@dataclass(frozen=True, slots=True)
class FamilyCost:
    """The cases of a family that could be compared; there is at least one."""

    family: str
    costs: tuple[CaseCost, ...]

    @property
    def median(self) -> float:
        """The median ratio."""
        return median(cost.ratio for cost in self.costs)

    @property
    def worst(self) -> CaseCost:
        """The shortest case with the largest ratio, among cases about as long as their twins."""
        like = [one for one in self.costs if is_of_like_length(one.case.text, one.case.twin)]
        cases = like or self.costs
        return min(cases, key=lambda one: (-one.ratio, len(one.case.text), one.case.text))

    def record(self) -> dict[str, Any]:
        """Return a row of a table as plain data."""
        worst = self.worst
        return {
            "family": self.family,
            "cases": len(self.costs),
            "median": round(self.median, 2),
            "worst": round(worst.ratio, 2),
            "worst text": worst.case.text,
            "its twin": worst.case.twin,
        }


def is_of_like_length(text: str, twin: str | None) -> bool:
    """Whether a text is so short that its length alone does not explain what it costs.

    A thousand marks on a letter cost thousands of tokens in any tokenizer.
    """
    return len(text) <= MOST_LONGER * len(twin or "")


def family_costs(subject: Subject) -> list[FamilyCost]:
    """Compare the cases of each family with their twins; families without twins are left out."""
    rows = (
        FamilyCost(name, _case_costs(_cases_with_twin(cases), subject))
        for name, cases in subject.chosen_cases()
    )
    return [row for row in rows if row.costs]


def count_tokens(texts: list[str], subject: Subject) -> list[int | None]:
    """Count the tokens of each text, without the ids that every text gets; None if it raises."""
    return [
        None if isinstance(ids, Raised) else len(without_affixes(ids, subject))
        for ids in encode_all(texts, subject)
    ]


def _cases_with_twin(cases: Callable[[], Iterable[Case]]) -> list[Case]:
    """Cases with a twin, sampled evenly from the family."""
    unread = iter(cases())
    paired = [case for case in islice(unread, FIRST_CASES) if case.twin]
    if paired:
        paired += [case for case in islice(unread, MOST_READ - FIRST_CASES) if case.twin]
    short = [
        case
        for case in paired
        if len(case.text) <= MOST_CHARACTERS and is_scalar(case.text + (case.twin or ""))
    ]
    return short[:: -(-len(short) // MOST_CASES) or 1]


def _case_costs(cases: list[Case], subject: Subject) -> tuple[CaseCost, ...]:
    """Count the tokens of each case and of its twin, if both have tokens."""
    ours = count_tokens([case.text for case in cases], subject)
    theirs = count_tokens([case.twin or "" for case in cases], subject)
    rows = zip(cases, ours, theirs, strict=True)
    return tuple(
        CaseCost(case, own or 0, twin) for case, own, twin in rows if twin and own is not None
    )


# Cases that cost more than their bytes, or make the text around them cost more.

REPEATS = 8
"""Repetitions of a text, so that what is added once to each text, such as a space, is no excess."""

PLAIN = "the people and the time\n"
"""Text that stands before a case; its number of tokens must not change."""

LEAST_EXCESS = 4
"""Tokens that the text must cost more, if twice as many are fewer: its end may join a case."""

MOST_SUSPECTED_CASES = 200
"""Cases of a family that are tried after the plain text, sampled evenly."""

SUSPECTED_RATIO = 3
"""Smallest ratio to its twin at which a case is suspected of changing the text around it."""


def more_than_bytes_failures(rows: Sequence[FamilyCost], subject: Subject) -> Iterator[Failure]:
    """Report cases with more tokens than bytes of UTF-8."""
    found = [
        (row.family, one.case.text, one.tokens)
        for row in rows
        for one in row.costs
        if one.tokens > len(one.case.text.encode())
    ]
    counts = count_tokens([text * REPEATS for _, text, _ in found], subject)
    excess = {
        text: (family, count / len(text.encode()) / REPEATS)
        for (family, text, tokens), count in zip(found, counts, strict=True)
        if count is not None and count - tokens > len(text.encode()) * (REPEATS - 1)
    }
    if excess:
        worst = min(excess, key=lambda text: (-excess[text][1], len(text), text))
        families = dict.fromkeys(family for family, _ in excess.values())
        yield Failure(
            Cause(
                "more tokens than bytes",
                (),
                Verdict.RISK,
                f"{len(excess):,} cases of {', '.join(families)} have more tokens than bytes of "
                f"UTF-8; the worst has {excess[worst][1]:.1f} times as many",
            ),
            count=len(excess),
            text=worst,
        )


def surroundings_failures(rows: Sequence[FamilyCost], subject: Subject) -> Iterator[Failure]:
    """Report cases that make plain text before them cost twice its tokens or more."""
    (alone,) = count_tokens([PLAIN], subject)
    if not alone:
        return
    found: dict[str, CaseCost] = {}
    families: dict[str, None] = {}
    for row in rows:
        costly = [one for one in row.costs if one.ratio >= SUSPECTED_RATIO]
        tried = costly[:: -(-len(costly) // MOST_SUSPECTED_CASES) or 1]
        counts = count_tokens([PLAIN + one.case.text for one in tried], subject)
        for one, count in zip(tried, counts, strict=True):
            added = 0 if count is None else count - one.tokens - alone
            if added >= max(LEAST_EXCESS, alone):
                found[one.case.text] = one
                families[row.family] = None
    if found:
        text = min(found, key=lambda text: (len(text), text))
        yield Failure(
            Cause(
                "costly surroundings",
                (),
                Verdict.RISK,
                f"plain text costs twice as many tokens or more if one of {len(found):,} cases of "
                f"{', '.join(families)} follows it",
            ),
            count=len(found),
            text=PLAIN + text,
            evidence={"twin": PLAIN + (found[text].case.twin or "")},
        )


# Canonically equivalent text: words of each script, composed and decomposed.

REPORTED_RATIO = 2
"""The median of a script that is reported: the same text at twice the tokens."""

LEAST_WORDS = 5
"""Smallest number of words for which a script has a median."""


def decomposed_text_failures(subject: Subject) -> Iterator[Failure]:
    """Report the scripts whose words cost twice as many tokens or more when they are decomposed."""
    medians, worst = {}, ("", "", 0.0)
    for code, words in words_by_script().items():
        ratios = _ratios(words, subject)
        if len(ratios) >= LEAST_WORDS and median(ratios.values()) >= REPORTED_RATIO:
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
                f"words cost {REPORTED_RATIO} or more times as many tokens in NFD as in NFC, on "
                f"the median of their script: {listed}",
            ),
            count=len(medians),
            text=worst[0],
            evidence={"twin": worst[1]},
        )


@cache
def words_by_script() -> Mapping[str, tuple[str, ...]]:
    """Return the distinct words of CLDR's names that NFD changes, in NFC, by script."""
    words: dict[str, dict[str, None]] = {}
    for text, _ in parallel_texts().values():
        for word in normalize("NFC", text).split(" "):
            if normalize("NFD", word) != word:
                words.setdefault(main_script(word), {})[word] = None
    return {code: tuple(words[code]) for code in sorted(words)}


def _ratios(words: tuple[str, ...], subject: Subject) -> dict[str, float]:
    """Tokens of each decomposed word per token of its composed form, after a space."""
    composed = count_tokens([f" {word}" for word in words], subject)
    decomposed = count_tokens([f" {normalize('NFD', word)}" for word in words], subject)
    rows = zip(words, decomposed, composed, strict=True)
    return {word: own / other for word, own, other in rows if own and other}
