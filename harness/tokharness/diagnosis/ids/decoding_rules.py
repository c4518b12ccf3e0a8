"""Rules that predict the target's decoded text from the reference's decoded text.

A rule takes ids and the reference's text for them, and returns the text that the target should
give. It is a cause only if its prediction is right for failing ids and not refuted by plain texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

import regex

from tokharness.diagnosis.ids.alterable import PLAIN_TEXTS
from tokharness.diagnosis.ids.compared_decoding import (
    Difference,
    contradicted_ids,
    cut_sequences,
    decode_column,
    kind_cause,
)
from tokharness.diagnosis.ids.stages import DECODER
from tokharness.diagnosis.text.changes import in_decoder
from tokharness.diagnosis.text.normal_forms import FORMS, normalizer_cause
from tokharness.diagnosis.text.stage_losses import joins_tokens
from tokharness.model import Cause
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from tokharness.model import Target
    from tokharness.targets.subject import Subject

REFUSES = object()
"""Result of a rule that predicts an exception of the target in place of a text."""

Gives: TypeAlias = Callable[[Sequence[Any], str], Any]
"""Predicts the target's text from ids and the reference's text; may be REFUSES or None."""

SURROGATE = re.compile("[\udc80-\udcff]")
RUN = re.compile("\ufffd+")
RUN_INSIDE, LAST_RUN = re.compile("\ufffd+(?=[^\ufffd])"), re.compile("\ufffd+$")

NONE_INSIDE = "U+FFFD is left out but at the end"
NONE_AT_THE_END = "U+FFFD is left out at the end"
ALL_REPLACED = "if a part is not a character, all of the text is one U+FFFD"
EACH_REPLACED = "if a part is not a character, it alone is U+FFFD"
EACH_LEFT_OUT = "if a part is not a character, it alone is left out"
QUESTION_MARKS = "U+003F is in place of U+FFFD"
BACKSLASHES = "bytes of no character are written as escapes, such as \\xff"
EACH_ALONE = "each token is decoded alone"
PARTS_LEFT_OUT = "each token is decoded alone, and parts of characters are left out"
LATIN_1 = "each byte is a character, as in Latin-1"
NO_BYTE_ORDER_MARK = "U+FEFF at the start is left out"
AS_ESCAPES = "control characters are written as escapes, such as \\u000a"
ESCAPED_CHARACTERS = (regex.compile(r"\p{Cc}"), regex.compile(r"\p{C}"))
LEFT_OUT = "special tokens left out"
ADDED_LEFT_OUT, TAG = "added tokens are left out", "a <q> b"
FIRST_RULES = frozenset((LEFT_OUT, EACH_ALONE))
JOINTS = (("U+0020 between them", " "), ("nothing between them", ""))
MOST_OWN = 0.1
"""Largest share of the ids in plain texts that may have texts of their own for the rule to hold."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A cause, and the text that it predicts for ids."""

    cause: Cause
    gives: Gives


def agrees(answer: Any, got: Any) -> bool:
    """Whether a rule predicts the target's result: a text, or an exception."""
    if isinstance(got, Raised):
        return answer is REFUSES
    return answer is not None and answer == got


def rule_causes(difference: Difference, subject: Subject) -> list[Cause]:
    """Return the causes of rules that predict the target's text and that plain texts do not refute.

    If no single rule predicts it, another rule may apply after one of :data:`FIRST_RULES`.
    """
    ids, got, want = difference.ids, difference.got, difference.want
    if not isinstance(want, str):
        return []
    rules = _not_refuted(subject)
    if alone := [rule.cause for rule in rules if agrees(rule.gives(ids, want), got)]:
        return list(dict.fromkeys(alone))
    for causes, gives in _after_another(rules):
        if agrees(gives(ids, want), got):
            return [*causes]
    return []


def altered_rule_causes(ids: Sequence[Any], decoded: str, subject: Subject) -> list[Cause]:
    """Return the rules that alter the reference's decoder so that it gives the target's text."""
    want = subject.reference_text(ids)
    if want is None or want == decoded:
        return []
    rules = [rule for rule in _not_refuted(subject) if "altered" in dict(rule.cause.parameters)]
    return [rule.cause for rule in rules if agrees(rule.gives(ids, want), decoded)]


def ways_of(cause: Cause, subject: Subject) -> list[Gives]:
    """Return the predictions of a cause's rules, alone and after another rule."""
    rules = _not_refuted(subject)
    alone = [rule.gives for rule in rules if rule.cause == cause]
    return [*alone, *(gives for causes, gives in _after_another(rules) if cause in causes)]


def _after_another(rules: Sequence[Rule]) -> Iterator[tuple[tuple[Cause, Cause], Gives]]:
    """Yield each rule applied after a rule of :data:`FIRST_RULES`, with both causes."""

    def gives(one: Rule, other: Rule, ids: Sequence[Any], want: str) -> Any:
        left = one.gives(ids, want)
        return other.gives(ids, left) if isinstance(left, str) else None

    for one in (
        rule for rule in rules if FIRST_RULES.intersection(dict(rule.cause.parameters).values())
    ):
        for other in rules:
            if other != one:
                yield (one.cause, other.cause), partial(gives, one, other)


def plain_sequences(subject: Subject) -> list[tuple[list[Any], Any, Any]]:
    """Return ids of plain texts, also cut, each with the decoded text of target and reference.

    Ids that are cut inside a character also stand before a word, and between two words.
    """

    def compute() -> list[tuple[list[Any], Any, Any]]:
        contradicted = contradicted_ids(subject)
        rows = [ids for text in PLAIN_TEXTS if (ids := subject.encode(text))]
        word = next(iter(rows), [])
        parts = [part for ids in rows for part in cut_sequences(ids)]
        rows += [row for part in parts for row in (part, [*part, *word], [*word, *part, *word])]
        rows = [ids for ids in rows if contradicted.isdisjoint(ids)]
        if subject.reference is None:
            return []
        sides = (subject.target, subject.reference)
        return list(zip(rows, *(decode_column(rows, side) for side in sides), strict=True))

    return subject.cache.get_or_compute("plain sequences", compute)


def _not_refuted(subject: Subject) -> list[Rule]:
    """Return the rules that are right for at least half of the plain texts that they change.

    The rules that most texts show come first.
    """
    plain = [row for row in plain_sequences(subject) if isinstance(row[2], str)]

    def score(rule: Rule) -> int:
        answers = ((rule.gives(ids, want), got, want) for ids, got, want in plain)
        return sum(
            1 if agrees(answer, got) else -1
            for answer, got, want in answers
            if answer is not None and answer != want
        )

    def compute() -> list[Rule]:
        rows = [(score(rule), rule) for rule in _all_rules(subject)]
        rows.sort(key=lambda row: -row[0])
        return [rule for number, rule in rows if number >= 0]

    return subject.cache.get_or_compute("decoding rules", compute)


def _all_rules(subject: Subject) -> list[Rule]:
    """Return all rules; several may have one cause."""
    reference = subject.reference
    if reference is None:
        return []
    special = {number: text for text, number in subject.special_tokens.items()}

    def of_kind(kind: str, gives: Gives) -> Rule:
        return Rule(kind_cause(kind, claims_parity=subject.claims_parity), gives)

    return [
        of_kind(LEFT_OUT, partial(_without_special, reference, special)),
        *_added_left_out(subject, reference),
        of_kind("special tokens shown", partial(_with_special, reference, special)),
        of_kind("special tokens refused", partial(_refusing, partial(_has_special, special))),
        of_kind("parts of characters refused", partial(_refusing, partial(_has_part, reference))),
        of_kind("bytes dropped", partial(_dropping, reference)),
        of_kind("number of U+FFFD", partial(_one_for_each_byte, reference, "\ufffd")),
        of_kind("number of U+FFFD", lambda _, want: RUN.sub("\ufffd", want)),
        Rule(_altered(NONE_INSIDE), lambda _, want: RUN_INSIDE.sub("", want)),
        Rule(
            _altered(NONE_INSIDE), lambda _, want: RUN_INSIDE.sub("", LAST_RUN.sub("\ufffd", want))
        ),
        Rule(_altered(NONE_AT_THE_END), lambda _, want: LAST_RUN.sub("", want)),
        Rule(_altered(ALL_REPLACED), partial(_replacing_all, reference)),
        Rule(_altered(EACH_REPLACED), partial(_replacing_each, reference, "replace")),
        Rule(_altered(EACH_LEFT_OUT), partial(_replacing_each, reference, "ignore")),
        Rule(_altered(QUESTION_MARKS), lambda _, want: want.replace("\ufffd", "?")),
        Rule(_altered(QUESTION_MARKS), lambda _, want: RUN.sub("?", want)),
        Rule(_altered(QUESTION_MARKS), partial(_one_for_each_byte, reference, "?")),
        Rule(_altered(BACKSLASHES), partial(_backslashes, reference)),
        Rule(_altered(EACH_ALONE), _each_alone(partial(_alone, reference))),
        Rule(_altered(PARTS_LEFT_OUT), _each_alone(partial(_without_parts, reference))),
        Rule(_altered(LATIN_1), partial(_latin_1, reference)),
        *(Rule(_altered(AS_ESCAPES), partial(_escaped, chars)) for chars in ESCAPED_CHARACTERS),
        Rule(_altered(NO_BYTE_ORDER_MARK), lambda _, want: want.removeprefix("\ufeff")),
        of_kind("a space at the start", lambda _, want: want.removeprefix(" ")),
        of_kind("a space at the start", lambda _, want: f" {want}"),
        *(of_kind("a space at the end", gives) for gives in _spaces_between_words(subject)),
        *(Rule(in_decoder(normalizer_cause(name)), partial(_formed, name)) for name in FORMS),
        *(
            Rule(joins_tokens(name), partial(_joined, reference, between))
            for name, between in JOINTS
        ),
        *_own_texts(subject),
    ]


def _escaped(characters: regex.Pattern[str], _: Sequence[Any], want: str) -> str:
    return str(characters.sub(lambda found: f"\\u{ord(found[0]):04x}", want))


def _formed(name: str, _: Sequence[Any], want: str) -> str:
    return FORMS[name](want)


def _refusing(refuses: Callable[[Sequence[Any], str], bool], ids: Sequence[Any], want: str) -> Any:
    return REFUSES if refuses(ids, want) else want


def _added_left_out(subject: Subject, reference: Target) -> list[Rule]:
    """Return the rule for added tokens, if a text that only looks like one comes back."""
    if subject.decode(subject.encode(TAG) or []) != subject.expected_text(TAG):
        return []
    added = {number: text for text, number in reference.added_tokens.items()}
    return [Rule(_altered(ADDED_LEFT_OUT), partial(_without_special, reference, added))]


def _has_special(special: dict[Any, str], ids: Sequence[Any], _: str) -> bool:
    return not special.keys().isdisjoint(ids)


def _without_special(
    reference: Target, special: dict[Any, str], ids: Sequence[Any], want: str
) -> str | None:
    kept = [number for number in ids if number not in special]
    return want if len(kept) == len(ids) else _text(reference.decode(kept))


def _with_special(
    reference: Target, special: dict[Any, str], ids: Sequence[Any], want: str
) -> str | None:
    """Return the text of ids: special tokens have their names, and other ids are decoded."""
    return want if special.keys().isdisjoint(ids) else _with_texts(reference, special.get, ids)


def _with_texts(
    reference: Target, own: Callable[[Any], str | None], ids: Sequence[Any]
) -> str | None:
    """Join the texts in ``own`` and the decoded texts of other ids; None if an id has no text."""
    parts: list[str | None] = []
    for is_own, numbers in groupby(ids, lambda number: own(number) is not None):
        row = list(numbers)
        parts += map(own, row) if is_own else [_text(reference.decode(row))]
    return None if None in parts else "".join(filter(None, parts))


def _data(reference: Target, ids: Sequence[Any], want: str) -> bytes | None:
    """Return the bytes of ids from the reference, if its text for these ids is their UTF-8."""
    data = _bytes(reference, ids)
    return data if data is not None and data.decode("utf-8", "replace") == want else None


def _bytes(reference: Target, ids: Sequence[Any]) -> bytes | None:
    """Return the bytes of ids from the reference, whatever its text for them is."""
    if reference.can("decode_bytes"):
        data = reference.call("decode_bytes", list(ids))
    elif reference.can("decode_single_token_bytes"):
        parts = reference.call_each("decode_single_token_bytes", list(ids))
        data = b"".join(parts) if all(isinstance(part, bytes) for part in parts) else None
    else:
        return None
    return data if isinstance(data, bytes) else None


def _has_part(reference: Target, ids: Sequence[Any], want: str) -> bool:
    """Whether some bytes are not UTF-8; if the bytes are unknown, U+FFFD shows it."""
    data = _data(reference, ids, want)
    if data is None or "\ufffd" not in want:
        return "\ufffd" in want
    return want.encode() != data


def _dropping(reference: Target, ids: Sequence[Any], want: str) -> str:
    data = _data(reference, ids, want)
    return want.replace("\ufffd", "") if data is None else data.decode("utf-8", "ignore")


def _one_for_each_byte(reference: Target, mark: str, ids: Sequence[Any], want: str) -> str | None:
    data = _data(reference, ids, want)
    if data is None:
        return None if "\ufffd" in want else want
    return SURROGATE.sub(mark, data.decode("utf-8", "surrogateescape"))


def _backslashes(reference: Target, ids: Sequence[Any], want: str) -> str | None:
    data = _data(reference, ids, want)
    if data is None:
        return None if "\ufffd" in want else want
    return data.decode("utf-8", "backslashreplace")


def _replacing_all(reference: Target, ids: Sequence[Any], want: str) -> str:
    return "\ufffd" if _has_part(reference, ids, want) else want


def _replacing_each(reference: Target, errors: str, ids: Sequence[Any], want: str) -> str | None:
    """Return the text of ids for which a reference replaces all of the text; None for others."""
    data = _bytes(reference, ids) if want == "\ufffd" else None
    return None if data is None else data.decode("utf-8", errors)


def _latin_1(reference: Target, ids: Sequence[Any], want: str) -> str | None:
    data = _bytes(reference, ids)
    if data is None:
        return None if not want.isascii() else want
    return data.decode("latin-1")


def _alone(reference: Target, number: Any) -> str | None:
    return _text(reference.decode([number]))


def _without_parts(reference: Target, number: Any) -> str | None:
    data = _bytes(reference, [number])
    return None if data is None else data.decode("utf-8", "ignore")


def _each_alone(alone: Callable[[Any], str | None]) -> Gives:
    """Return the prediction that each id is decoded alone, and the texts are joined."""
    text_of = cache(alone)

    def gives(ids: Sequence[Any], _: str) -> str | None:
        texts = list(map(text_of, ids))
        return None if None in texts else "".join(filter(None, texts))

    return gives


def _altered(what: str) -> Cause:
    message = f"the reference gives the text with this alteration of its decoder: {what}"
    return Cause(DECODER, (("altered", what),), message=message)


def _spaces_between_words(subject: Subject) -> Iterator[Gives]:
    """Yield the prediction that ids keep the space that a following word would get before it."""
    reference, letter = subject.reference, subject.encode("a")
    if reference is None or not letter:
        return
    after = _text(reference.decode(letter))

    def gives(ids: Sequence[Any], _: str) -> str | None:
        text = _text(reference.decode([*ids, *letter]))
        return None if text is None or after is None else text.removesuffix(after)

    yield gives


def _joined(reference: Target, between: str, ids: Sequence[Any], _: str) -> str | None:
    if not reference.can("token_text"):
        return None
    texts = list(map(_text, reference.call_each("token_text", list(ids))))
    return None if None in texts else between.join(filter(None, texts))


def _own_texts(subject: Subject) -> Iterator[Rule]:
    """Yield the rule that a few ids decode differently, each to its own text in any sequence."""
    target, reference = subject.target, subject.reference
    plain = sorted({number for ids, _, _ in plain_sequences(subject) for number in ids})
    if reference is None or not plain:
        return

    @cache
    def own(number: Any) -> str | None:
        text, wanted = target.decode([number]), reference.decode([number])
        return None if text == wanted else _text(text)

    if sum(own(number) is not None for number in plain) > MOST_OWN * len(plain):
        return

    def gives(ids: Sequence[Any], want: str) -> str | None:
        is_plain = all(own(number) is None for number in ids)
        return want if is_plain else _with_texts(reference, own, ids)

    unknown = reference.unknown_id
    numbers = {*plain, unknown} - {None}
    is_unknown = {number for number in numbers if own(number) is not None} == {unknown}
    kind = "text of the unknown token" if is_unknown else "other text"
    yield Rule(kind_cause(kind, claims_parity=subject.claims_parity), gives)


def _text(result: Any) -> str | None:
    return result if isinstance(result, str) else None
