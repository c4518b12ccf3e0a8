"""Words and rows that the formats of a parity share."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from tokharness.errors import TargetDeath
from tokharness.escaping import Shown, visible
from tokharness.formats._wording import pluralize
from tokharness.model import Verdict
from tokharness.parity_matrix.model import DECODED, NOT_RUN, TOKEN_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.parity_matrix.model import Cause, Cell, Form, Parity, Tokens

MOST_TOKENS = 24
"""Most tokens of a sequence that are drawn."""


def label(place: int) -> str:
    """Return the number of a form as a reader counts them."""
    return str(place + 1)


def of_forms(places: Sequence[int]) -> str:
    """Return forms in words, such as "form 1" or "forms 1 and 2"."""
    return f"{'forms' if len(places) > 1 else 'form'} {labels(places)}"


def labels(places: Sequence[int]) -> str:
    """Return the numbers of some forms, such as "1, 2 and 4"."""
    *first, last = map(label, places)
    return f"{', '.join(first)} and {last}" if first else last


def verdict(result: Parity) -> tuple[str, Shown]:
    """Return the verdict in one word, and its reason."""
    bugs, risks = (result.counts(one) for one in (Verdict.BUG, Verdict.RISK))
    counts = _counts(result)
    if result.interrupted:
        return "interrupted", Shown("{}; the rest was not compared").format(counts)
    is_apart = bool(bugs or risks or result.disagreements or result.unmet)
    if not result.compared and not is_apart:
        return "nothing compared", Shown("no two forms show the same aspect")
    if why := not_finished(result):
        return "not finished", Shown("{}; {}").format(counts, why) if is_apart else why
    return ("apart", counts) if is_apart else ("in parity", _what_is_same(result))


def _counts(result: Parity) -> Shown:
    """Return how many differences of each kind there are."""
    parts = [pluralize(result.counts(one), one.value) for one in (Verdict.BUG, Verdict.RISK)]
    if result.expected:
        parts.append(Shown("{} expected").format(Shown.of(str(result.expected))))
    if result.unmet:
        parts.append(pluralize(len(result.unmet), "unmet expectation"))
    if result.disagreements:
        parts.append(
            pluralize(len(result.disagreements), "disagreement of files", "disagreements of files")
        )
    return Shown(", ").join(parts)


def texts_run(result: Parity) -> Shown:
    """Return how many texts were run; none are, where fewer than two forms encode texts."""
    if not result.texts:
        return Shown("no text")
    families = pluralize(len(result.families), "family", "families")
    return Shown("{} of {}").format(pluralize(result.texts, "text"), families)


def _what_is_same(result: Parity) -> Shown:
    """Return what was compared without a difference, and what was not compared."""
    what = Shown("no difference")
    if result.expected:
        expected = pluralize(result.expected, "expected difference")
        what = Shown("{}, and no other").format(expected)
    of = pluralize(result.texts, "text")
    if not result.texts:
        of = Shown("the tables of tokens; no text was compared")
    parts = [Shown("{} in {}").format(what, of)]
    if missing := sum(bool(form.problem) for form in result.forms):
        forms = pluralize(missing, "form was", "forms were")
        parts.append(Shown("{} not compared").format(forms))
    if facts := sum(one.verdict is Verdict.FACT and not one.count for one in result.causes):
        only = pluralize(facts, "difference of the files", "differences of the files")
        parts.append(Shown("{} that no text shows").format(only))
    if grey := sum(one.state == "not comparable" for one in result.cells):
        cells = pluralize(grey, "cell is", "cells are")
        parts.append(Shown("{} not comparable").format(cells))
    return Shown("; ").join(parts)


def not_finished(result: Parity) -> Shown:
    """Return what was to be compared and was not, in a few words; "" if everything was."""
    if result.error is not None:
        return Shown.of(str(result.error))
    if not result.unfinished:
        return Shown("")
    first, *rest = result.unfinished
    more = Shown(" (and {})").format(pluralize(len(rest), "other part")) if rest else Shown("")
    of = Shown(" of {}").format(first.spec) if first.spec else Shown("")
    return Shown("{}{}{} was not compared: {}").format(first.what, of, more, first.reason)


def cell_words(cell: Cell, causes: Sequence[Cause]) -> Shown:
    """Return what a cell of the matrix says."""
    if cell.state == "same":
        return Shown("same")
    if cell.state == "not comparable":
        return Shown("not shown")
    if cell.causes and all(causes[number].expected for number in cell.causes):
        return Shown("{} expected").format(Shown.of(str(len(cell.causes))))
    worst = cell_verdict(cell, causes)
    noun = "cause" if worst is Verdict.BUG else "risk" if worst is Verdict.RISK else "fact"
    return pluralize(len(cell.causes), noun) if cell.causes else Shown("differs")


def cell_verdict(cell: Cell, causes: Sequence[Cause]) -> Verdict:
    """Return the worst verdict of the causes of a cell; a bug if it has none.

    An expected cause counts as a fact.
    """
    found = [
        Verdict.FACT if causes[number].expected else causes[number].verdict
        for number in cell.causes
    ]
    return min(found, key=lambda one: one.rank, default=Verdict.BUG)


def cause_word(cause: Cause) -> str:
    """Return what a cause is in a word: its verdict, a symptom, or expected."""
    return "expected" if cause.expected else "symptom" if cause.symptom else cause.verdict.value


def where(cause: Cause) -> Shown:
    """Return the aspect of a cause, and the number of texts or tokens that show it."""
    if not cause.count:
        return Shown.of(cause.aspect)
    noun = "token" if cause.aspect == TOKEN_BYTES or cause.text is None else "text"
    return Shown("{}, {}").format(Shown.of(cause.aspect), pluralize(cause.count, noun))


class TokenRowOfForms(NamedTuple):
    """The tokens of the forms that make the same of a text, aligned with those of the others."""

    places: tuple[int, ...]
    cells: tuple[Shown, ...]
    tokens: Tokens
    is_aligned: bool


def aligned(cause: Cause) -> list[TokenRowOfForms]:
    """Return a row for each different sequence of tokens of a cause's text.

    Where all sequences stand for the same text, a cell is a part of it, and begins with a bar where
    a token begins; otherwise each token has a cell of its own.
    """
    rows: dict[Tokens, list[int]] = {}
    for place, tokens in enumerate(cause.tokens):
        if tokens.error == NOT_RUN:
            continue
        rows.setdefault(tokens, []).append(place)
    rows = _joined(rows)
    texts = {"".join(one.tokens) for one in rows if not one.error}
    is_aligned = len(texts) == 1 and all(all(one.tokens) for one in rows if not one.error)
    borders = sorted({end for one in rows for end in accumulate(map(len, one.tokens))})
    return [
        TokenRowOfForms(
            tuple(places),
            _parts(one, borders) if is_aligned else tuple(map(_token, one.tokens[:MOST_TOKENS])),
            one,
            is_aligned,
        )
        for one, places in rows.items()
    ]


def _joined(rows: dict[Tokens, list[int]]) -> dict[Tokens, list[int]]:
    """Return the rows, of equal ids those that show each token's text for those that do not."""
    whole = {one.ids: one for one in rows if _shows_texts(one)}
    joined: dict[Tokens, list[int]] = {}
    for one, places in rows.items():
        other = whole.get(one.ids, one)
        is_same = (one.decoded, one.error) == (other.decoded, other.error)
        shown = other if is_same and not _shows_texts(one) else one
        joined.setdefault(shown, []).extend(places)
    return {one: sorted(places) for one, places in joined.items()}


def _shows_texts(tokens: Tokens) -> bool:
    return not any(text in ("", "\ufffd") for text in tokens.tokens)


def _parts(tokens: Tokens, borders: Sequence[int]) -> tuple[Shown, ...]:
    text = "".join(tokens.tokens)
    starts = {0, *accumulate(map(len, tokens.tokens))}
    begins = [0, *borders[: MOST_TOKENS - 1]]
    return tuple(
        Shown("{}{}").format(Shown("|") if begin in starts else Shown(" "), text[begin:end])
        for begin, end in zip(begins, borders, strict=False)
    )


def _token(text: str) -> Shown:
    return Shown("|{}").format(visible(text))


def problem_words(form: Form) -> Shown:
    """Return why a form is not compared, or was stopped; "" if nothing stopped it."""
    if not form.problem:
        return Shown("")
    return Shown("stopped: {}" if form.texts else "not compared: {}").format(form.problem)


def refused(form: Form) -> Shown:
    """Return how many texts a form refuses, and how."""
    return Shown(", ").join(
        Shown("{} that {} its process").format(pluralize(count, "text"), _ends(count))
        if name == TargetDeath.__name__
        else Shown("{} ({})").format(pluralize(count, "text"), name)
        for name, count in form.raised.items()
    )


def _ends(count: int) -> str:
    return "ends or hangs" if count == 1 else "end or hang"


def lacks_words(form: Form) -> Shown:
    """Return what a form does not show, each aspect with the reason."""
    rows = (Shown("{} ({})").format(aspect, why) for aspect, why in form.lacks.items())
    return Shown(", ").join(rows)


def result_words(cause: Cause, tokens: Tokens) -> Shown:
    """Return the ids of a sequence, or what they are decoded to; or why there are none."""
    if tokens.error:
        return Shown.of(tokens.error)
    if cause.aspect == DECODED and tokens.decoded is not None:
        return Shown('is decoded to "{}"').format(tokens.decoded)
    shown = " ".join(map(str, tokens.ids[:MOST_TOKENS]))
    more = " ..." if len(tokens.ids) > MOST_TOKENS else ""
    return Shown.of(f"[{shown}{more}]")
