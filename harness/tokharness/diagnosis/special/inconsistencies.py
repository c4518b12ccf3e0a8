"""Special tokens that are treated differently from the others, or from the named reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.diagnosis.entry_points.affixes import without_affixes
from tokharness.diagnosis.special.modes import (
    ANOTHER_TOKEN,
    AS_ID,
    AS_TEXT,
    DECODERS,
    ENTRY_POINTS,
    ITS_TEXT,
    NOTHING,
    OTHER_ID,
    OTHER_TEXT,
    OTHERWISE,
    Modes,
    decoded_modes,
    modes_of,
    most_common,
)
from tokharness.diagnosis.special.special_ids import unknown_ids
from tokharness.diagnosis.special.surroundings import NO_ID
from tokharness.model import Cause, Failure, Verdict
from tokharness.targets.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_OF = 3
"""Up to one of this many tokens may be an exception; a larger share is a design."""

IN_TOK202 = ("decode", "decode_bytes")


def all_modes(subject: Subject) -> dict[str, Modes]:
    """Return the mode of each special token at each entry point, as far as it is known."""
    tokens = _single(subject)
    modes = {}
    for name in ENTRY_POINTS:
        if tokens and (name == "encode" or subject.target.can(name)):
            found = modes_of(name, tokens, subject)
            if name == subject.target.entry_point:  # TOK103 reports special ids of plain text
                found = {t: m for t, m in found.items() if m not in (AS_ID, OTHER_ID, OTHERWISE)}
            if found:
                modes[name] = found
    return modes


def unlike_the_others(modes: Modes, subject: Subject) -> Modes:
    """Return the exceptions: up to a third of the tokens, which are treated differently."""
    common = most_common(modes)
    others = {text: mode for text, mode in modes.items() if mode != common}
    if len(others) * MOST_OF > len(modes):
        others = {text: mode for text, mode in others.items() if mode == OTHER_ID}
    tokens = [*subject.special_tokens]
    return {
        text: mode
        for text, mode in others.items()
        if not any(token in text and token != text for token in tokens)
    }


def special_id_failures(subject: Subject) -> Iterator[Failure]:
    """Special ids that a decoder treats differently than the others; one failure for each fault."""
    reported: list[Modes] = []
    for name, modes in _decoders(subject).items():
        common = most_common(modes)
        few = {text: mode for text, mode in modes.items() if mode != common}
        if len(few) * MOST_OF > len(modes):
            few = {}
        # Even if most tokens are treated the same way, no id may decode to another token's text.
        few |= {text: mode for text, mode in modes.items() if mode in (ANOTHER_TOKEN, OTHER_TEXT)}
        if few and few not in reported:
            reported.append(few)
            yield _special_id_failure(name, few, modes)
    if not reported and not subject.claims_parity:
        yield from _stream_failures(_decoders(subject))


def _stream_failures(decoders: Mapping[str, Modes]) -> Iterator[Failure]:
    """Report special ids that a stream omits and ``decode`` keeps, or the other way round."""
    whole, stream = decoders.get("decode", {}), decoders.get("decode_stream", {})
    differing = {
        token: (mode, whole[token])
        for token, mode in stream.items()
        if {mode, whole.get(token)} == {ITS_TEXT, NOTHING}
    }
    if differing:
        token, (mode, other) = min(differing.items(), key=lambda item: (len(item[0]), item[0]))
        message = f"decode_stream, for the id of {token}: {mode}; decode {other}"
        parameters = (("by", "decode_stream"), ("decodes", mode))
        cause = Cause("special id", parameters, Verdict.RISK, message)
        evidence = {"entry point": "decode_stream", "given": mode, "expected": other}
        yield Failure(cause, count=len(differing), text=token, evidence=evidence)


def parity_failures(
    encoded: Mapping[str, Modes], wanted: Mapping[str, Modes], subject: Subject
) -> Iterator[Failure]:
    """Report entry points and decoders that treat special tokens unlike the named reference."""
    if not subject.claims_parity or subject.reference is None:
        return
    pairs = {**encoded, **_decoders(subject)}
    seen = []
    for name, theirs in wanted.items():
        ours = pairs.get(name, {})
        exceptions = unlike_the_others(ours, subject)
        differing = {
            text: (ours[text], theirs[text])
            for text in ours.keys() & theirs.keys()
            if ours[text] != theirs[text]
            and text not in exceptions
            and not _is_choice_of_library(name, text, ours[text], encoded, subject)
        }
        if differing and differing not in seen:
            seen.append(differing)
            token, (mode, other) = min(differing.items(), key=lambda item: (len(item[0]), item[0]))
            message = f"{name}, for a special token such as {token}: {mode}; the reference {other}"
            parameters = (("at", name), ("target", mode), ("reference", other))
            # If plain text has an entry point of its own, the default of ``encode`` is a choice.
            is_choice = name == "encode" != subject.target.entry_point
            verdict = Verdict.RISK if is_choice else Verdict.BUG
            cause = Cause("special token modes", parameters, verdict, message)
            if name == "encode_special" and other == AS_ID:
                cause = NO_ID  # which TOK110 reports without a reference
            evidence = {"entry point": name, "given": mode, "expected": other}
            yield Failure(cause, count=len(differing), text=token, evidence=evidence)


def _is_choice_of_library(
    name: str, token: str, mode: str, encoded: Mapping[str, Modes], subject: Subject
) -> bool:
    """Whether an entry point does what ``encode`` does, or the entry point for plain text.

    Libraries build their batches on either of the two. If ``encode`` is the entry point for plain
    text and reads special tokens, TOK103 reports it, and the batch has no second fault.
    """
    if name in ("encode", "encode_special"):
        return False
    if not subject.target.can("encode_ordinary"):
        reads_special = token not in encoded.get("encode", {})  # which all_modes leaves to TOK103
        return name in ENTRY_POINTS and mode == AS_ID and reads_special
    return name in ENTRY_POINTS and mode in (AS_TEXT, encoded.get("encode", {}).get(token))


def reference_modes(subject: Subject) -> dict[str, Modes]:
    """Return the modes of the named reference at entry points that both sides have."""
    reference = subject.reference
    if reference is None or not subject.claims_parity:
        return {}
    other = Subject(reference)
    plain = {subject.target.entry_point, reference.entry_point}
    # An entry point that is for plain text on one side only has another task on the other side.
    names = plain if len(plain) > 1 else set()
    modes = {name: found for name, found in all_modes(other).items() if name not in names}
    decoded = {n: found for n, found in _decoders(other).items() if n not in IN_TOK202}
    return modes | decoded


def _single(subject: Subject) -> dict[str, int]:
    """Special tokens with an id of their own: TOK407 reports shared ids."""
    tokens = subject.target.special_tokens
    ids = [*tokens.values()]
    outside = {*unknown_ids(subject), *subject.target.conflicting_tokens}
    several = {number for number in ids if ids.count(number) > 1} if len({*ids}) < len(ids) else ()
    return {
        text: number
        for text, number in tokens.items()
        if text and number not in outside and number not in several
    }


def _decoders(subject: Subject) -> dict[str, Modes]:
    """Return the mode of each special token's id in each decoder."""

    def compute() -> dict[str, Modes]:
        tokens = _single(subject)
        own = [n for n in DECODERS if n not in subject.target.read_from_file]
        names = [n for n in own if tokens and (n == "decode" or subject.target.can(n))]
        found = {name: decoded_modes(name, tokens, subject.target) for name in names}
        shared = {t for t in tokens if _is_of_an_ordinary_token(t, tokens[t], found, subject)}
        return {n: {t: m for t, m in found[n].items() if t not in shared} for n in names}

    return subject.cache.get_or_compute("what decoders do with special ids", compute)


def _is_of_an_ordinary_token(
    token: str, number: int, found: Mapping[str, Modes], subject: Subject
) -> bool:
    """Whether an ordinary token has the same id as a special token, which TOK407 reports."""
    if all(modes.get(token) != OTHER_TEXT for modes in found.values()):
        return False
    text = subject.decode([number])
    ids = subject.encode(text) if text else None
    return ids is not None and without_affixes(ids, subject) == [number]


def _special_id_failure(name: str, few: Modes, modes: Modes) -> Failure:
    token, mode = min(few.items(), key=lambda item: (len(item[0]), item[0]))
    others = next((other for text, other in modes.items() if text not in few), "the same")
    message = (
        f"{name}, for the id of a special token: {mode} for {len(few):,} of {len(modes):,}, such "
        f"as {token}, and {others} for the rest"
    )
    design = {*few.values(), others} <= {ITS_TEXT, NOTHING}
    verdict = Verdict.RISK if design else Verdict.BUG
    cause = Cause("special id", (("by", name), ("decodes", mode)), verdict, message)
    expected = ITS_TEXT if others in (*few.values(), "the same") else others
    evidence = {"entry point": name, "given": mode, "expected": expected}
    return Failure(cause, len(few), token, evidence | {"tokens": sorted(few)[:50]})
