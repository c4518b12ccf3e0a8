"""Whether further entry points of a library give the ids and texts of the checked entry points.

``encode_variants`` of a target gives the ids of each text of a list by each further entry point,
such as ``encode_to_numpy`` or ``ParallelEncode``, and ``decode_variants`` gives the text of each
sequence of ids. Both give the name of the entry point, its result, and what it raises for the list,
which may be "".

Twins are two texts that differ in one way only. A batch that removes duplicates, and a cache of one
entry point, need a key. If the key ignores case, a normal form, white space or invisible
characters, a twin gets the result of the other twin: in one batch, or in two calls. New random
words are used for each pair.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tokharness.diagnosis.comparisons import compared, compared_call
from tokharness.diagnosis.entry_points.bos_eos import allowed_ids
from tokharness.diagnosis.entry_points.contracts import (
    batch_agrees,
    batch_ids,
    contracts,
    entry_point_cause,
    has_special_text,
)
from tokharness.diagnosis.probes.calls import BATCH, decode_all, encode_all
from tokharness.diagnosis.probes.word_pairs import RandomWords, pair_makers
from tokharness.diagnosis.special.modes import sample
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.model import Cause, Failure, Verdict, decoded_text
from tokharness.outcome import Raised
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tokharness.diagnosis.probes.word_pairs import Pair
    from tokharness.model import Batch
    from tokharness.targets.subject import Subject

# Whether ``encode_special`` reads text that only resembles a special token as plain text.

MAX_TOKENS = 48
TO_FULLWIDTH = {point: point + 0xFEE0 for point in range(0x21, 0x7F)}
NEAR_MISSES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.title,
    lambda token: token.translate(TO_FULLWIDTH),
    lambda token: f"{token[:1]} {token[1:]}",
    lambda token: f"{token[:-1]} {token[-1:]}",
    lambda token: f"{token[:2]}\u200b{token[2:]}",
    lambda token: f"{token[:2]}\u00ad{token[2:]}",
    lambda token: f"{token[:-2]}\u0301{token[-2:]}",
    lambda token: token[1:],
    lambda token: token[:-1],
)


def near_miss_failures(subject: Subject) -> Iterator[Failure]:
    """Report the shortest text, not a special token's, with ids that plain text does not get."""
    if not subject.target.can("encode_special"):
        return
    tokens = sample([*subject.target.special_tokens], MAX_TOKENS) if subject.special_tokens else []
    near = dict.fromkeys(f"a {change(token)} b" for token in tokens for change in NEAR_MISSES)
    texts = [text for text in near if not has_special_text(text, subject)]
    plain = encode_all(texts, subject)
    special = encode_all(texts, subject, "encode_special")
    differing = [
        text
        for text, ids, got in zip(texts, plain, special, strict=True)
        if not isinstance(ids, Raised)
        and got not in allowed_ids(text, ids, "encode_special", subject)
    ]
    if differing:
        message = "encode_special does not read text that resembles a special token as plain text"
        shortest = min(differing, key=lambda text: (len(text), text))
        cause = entry_point_cause("encode_special", message)
        row = texts.index(shortest)
        given, expected = special[row], plain[row]
        evidence = compared_call("encode_special", given, expected, subject)
        yield Failure(cause, count=len(differing), text=shortest, evidence=evidence)


ENCODE_VARIANTS, DECODE_VARIANTS = "encode_variants", "decode_variants"

UNKNOWN_TEXT = "unknown text as a special token"

STRIDE = 4
"""Only every fourth row is used, since a target has up to a dozen further entry points."""


class Difference(NamedTuple):
    """The name of an entry point, what it gives for a text or its ids, and what it has to give."""

    name: str
    given: Any
    expected: Any
    raises: bool = False


def variant_rows(batch: Batch, rows: Sequence[int], subject: Subject) -> list[int]:
    """Return the rows among these on which a further entry point disagrees."""
    if not _has_variants(subject):
        return []
    if len(batch.texts) > 1:  # a text that is run alone always counts
        rows = rows[STRIDE - 1 :: STRIDE]
    rows = [row for row in rows if batch.ids[row] is not None]
    texts, ids = [batch.texts[row] for row in rows], [batch.ids[row] or [] for row in rows]
    if not rows or not [*_encoded(texts, ids, subject), *_decoded(ids, subject)]:
        return []
    return [row for row in rows if variant_causes(batch.texts[row], subject)]


def variant_causes(text: str, subject: Subject) -> list[Cause]:
    """Return a cause for each further entry point that disagrees on a text, or on its ids."""
    differences = _differences(text, subject)
    if not differences or is_scalar(text):
        return list(dict.fromkeys(_cause(one, text, subject) for one in differences))
    # An entry point that also disagrees on U+FFFD in their place has no fault with surrogates.
    also = {one.name for one in _differences(scalar_text(text), subject)}
    return list(dict.fromkeys(_cause_of_surrogates(one, also) for one in differences))


def variant_evidence(name: str, text: str, subject: Subject) -> dict[str, Any]:
    """Return what a further entry point gives for a text or its ids, and what it has to give."""
    for one in _differences(text, subject):
        if one.name == name:
            return {"entry point": name, **compared(one.given, one.expected, subject)}
    return {}


def variant_failures(
    texts: Sequence[str], reported: Collection[Cause], subject: Subject
) -> Iterator[Failure]:
    """Report the further entry points that disagree on a batch of plain texts, or on their ids.

    Entry points whose causes are among the ``reported`` are left out.
    """
    if not _has_variants(subject):
        return
    rows = encode_all(texts, subject)
    pairs = [(t, ids) for t, ids in zip(texts, rows, strict=True) if not isinstance(ids, Raised)]
    plain, ids = [text for text, _ in pairs], [ids for _, ids in pairs]
    differences = [*_encoded(plain, ids, subject), *_decoded(ids, subject)]
    for name in dict.fromkeys(one.name for one in differences):
        message = f"{name} with {len(plain):,} texts gives other results than for each alone"
        if (cause := entry_point_cause(name, message)) not in reported:
            one = next(one for one in differences if one.name == name)
            evidence = compared_call(name, one.given, one.expected, subject)
            yield Failure(cause, evidence=evidence | {"texts": len(plain)})


def _has_variants(subject: Subject) -> bool:
    return subject.target.can(ENCODE_VARIANTS) or subject.target.can(DECODE_VARIANTS)


def _cause(difference: Difference, text: str, subject: Subject) -> Cause:
    """Return the cause of a difference, with the setting that the entry point ignores, if any."""
    setting, name = subject.target.plain_setting, difference.name
    if _is_unknown_text_alone(difference, text, subject):
        message = (
            f"{name} gives text without a token as it is: where it is the text of a special token, "
            "its piece has the id of that token"
        )
        return Cause(UNKNOWN_TEXT, (("differ", name),), Verdict.RISK, message)
    special = frozenset(subject.special_tokens.values())
    both = (difference.given, difference.expected)
    of_given, of_expected = (
        isinstance(ids, list) and any(type(number) is int and number in special for number in ids)
        for ids in both
    )
    reads_special = of_given and not of_expected
    if not setting or not reads_special:
        return entry_point_cause(name)
    message = f"{name} ignores {setting}: it reads the text of a special token as its id"
    return entry_point_cause(name, message)


def _is_unknown_text_alone(difference: Difference, text: str, subject: Subject) -> bool:
    """Whether only ids of special tokens of the text differ, in the place of the unknown id."""
    given, expected = difference.given, difference.expected
    if not isinstance(given, list) or not isinstance(expected, list) or len(given) != len(expected):
        return False
    forms = (text, subject.expected_text(text))
    read = {
        number
        for token, number in subject.special_tokens.items()
        if any(token in form for form in forms)
    }
    others = [pair for pair in zip(given, expected, strict=True) if pair[0] != pair[1]]
    return bool(others) and all(
        type(one) is int and one in read and wanted in unknown_ids(subject)
        for one, wanted in others
    )


def _cause_of_surrogates(difference: Difference, also: Collection[str]) -> Cause:
    name = difference.name
    if difference.raises and name not in also:
        message = f"{name} refuses lone surrogates, which the entry point for plain text reads"
        return Cause("lone surrogates", (("differ", name),), Verdict.RISK, message)
    return entry_point_cause(name, surrogates=name not in also)


def _differences(text: str, subject: Subject) -> list[Difference]:
    """Return the differences for a text alone, and among others."""
    if not _has_variants(subject):
        return []
    found: list[Difference] = []
    for texts in ([text], ["a", text, "", text]):
        ids = encode_all(texts, subject)
        if not any(isinstance(one, Raised) for one in ids):
            found += [*_encoded(texts, ids, subject), *_decoded(ids, subject)]
    return found


def _encoded(texts: Sequence[str], ids: Sequence[Any], subject: Subject) -> list[Difference]:
    """Differences from the ids of the entry point for plain text."""
    if not subject.target.can(ENCODE_VARIANTS):
        return []
    return _compare(subject.target.call(ENCODE_VARIANTS, list(texts)), ids, ENCODE_VARIANTS)


def _decoded(ids: Sequence[Any], subject: Subject) -> list[Difference]:
    """Differences from ``decode``; ids that it refuses, or that end inside a text, do not count."""
    if not subject.target.can(DECODE_VARIANTS):
        return []
    decoded = decode_all(ids, subject)
    pairs = [
        (list(one), text)
        for one, text in zip(ids, decoded, strict=True)
        if isinstance(text, str) and "\ufffd" not in text
    ]
    got = subject.target.call(DECODE_VARIANTS, [one for one, _ in pairs])
    return _compare(got, [text for _, text in pairs], DECODE_VARIANTS)


def _compare(got: Any, expected: Sequence[Any], method: str) -> list[Difference]:
    """Return the first difference of each entry point."""
    if isinstance(got, Raised) or len(got) != len(expected):
        return [Difference(method, got, list(expected), raises=isinstance(got, Raised))]
    found: dict[str, Difference] = {}
    for row, one in zip(got, expected, strict=True):
        for name, given, error in row:
            if error:
                found.setdefault(name, Difference(name, error, one, raises=True))
            elif (decoded_text(given) if isinstance(given, bytes) else given) != one:
                found.setdefault(name, Difference(name, given, one))
    return list(found.values())


PAIRS_TO_COUNT = 6

Differs: TypeAlias = "Callable[[Pair], bool]"
"""Whether the second of two texts gets a wrong result, and the first text its own."""


def twin_failures(reported: Collection[Cause], subject: Subject) -> Iterator[Failure]:
    """Report each entry point that confuses twins, unless its cause is among the ``reported``."""
    probes = {name: _after_the_first(name, subject) for name in contracts(subject)}
    if subject.target.can(BATCH):
        probes[BATCH] = _in_one_batch(subject)
    words = RandomWords(seed=110)
    for name, differs in probes.items():
        if entry_point_cause(name) in reported:
            continue
        for relation, make in pair_makers().items():
            pair = _confused_pair(functools.partial(make, words), differs, name)
            if pair is not None:
                what = "in one batch" if name == BATCH else "in two calls"
                message = f"{name} confuses two texts {relation}, {what}"
                evidence: dict[str, Any] = {"with": pair[0]}
                if name == BATCH:
                    rows = batch_ids(pair, subject)
                    given = rows if isinstance(rows, Raised) else rows[-1]
                    evidence |= compared(given, subject.encode(pair[1]), subject)
                yield Failure(entry_point_cause(name, message), text=pair[1], evidence=evidence)
                break


def _confused_pair(make: Callable[[], Pair], differs: Differs, name: str) -> Pair | None:
    """Return a confused pair, if another pair is confused in the reverse order too.

    Then the order decides, and not the texts. The two counts of a pair may be equal.
    """
    for _ in range(PAIRS_TO_COUNT if name == "count" else 1):
        pair = make()
        if differs(pair) and differs(make()[::-1]):
            return pair
    return None


def _after_the_first(name: str, subject: Subject) -> Differs:
    agrees = contracts(subject)[name]

    def differs(pair: Pair) -> bool:
        rows = _distinct_ids(pair, subject)
        return rows is not None and [*map(agrees, pair, rows)] == [True, False]

    return differs


def _in_one_batch(subject: Subject) -> Differs:
    def differs(pair: Pair) -> bool:
        rows = _distinct_ids(pair, subject)
        return (
            rows is not None
            and not batch_agrees(pair, rows, subject)
            and batch_agrees(pair[:1], rows[:1], subject)
        )

    return differs


def _distinct_ids(pair: Pair, subject: Subject) -> list[list[int]] | None:
    """Return the plain-text ids of two texts; None if they are equal."""
    first, second = map(subject.encode, pair)
    return None if first is None or second is None or first == second else [first, second]
