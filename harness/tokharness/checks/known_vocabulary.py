"""A vocabulary equals a published vocabulary, or its name belongs to another vocabulary.

Why it matters: packages, conversions and mirrors carry files whose names are wrong. A model with
another model's vocabulary gets ids that mean something else, and its texts still look right.

Oracle: static, against the fingerprints of published vocabularies that tokharness has.

How it works: the bytes that ordinary tokens stand for, in the order of their ids, are hashed. All
formats of a vocabulary have the same fingerprint, which special and added tokens do not change. For
an unknown vocabulary, sketches of its tokens estimate what it has in common with each known
vocabulary. A Python object or a program that shows no bytes is recognized by the texts to which its
ids decode; `--against` with a file of that vocabulary can then compare them. The names of the file
and its folder are compared with the names of known vocabularies.

Verdicts: *fact* for a known vocabulary, and for a vocabulary near to a known one; *risk* if the
name belongs to another known vocabulary, and the file has less than half of that vocabulary's
tokens at their ids.

Example::

    TOK413 fact  known vocabulary   the vocabulary of Llama 2: 31,997 tokens
    TOK413 risk  another vocabulary than its name says   llama2-7b/tokenizer.json has the vocabulary
                                    of Mistral 7B v0.1

What to do: compare the file with the publisher's file before a model is run with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.vocabulary.known import (
    NEAR,
    Fingerprint,
    Likeness,
    equal_to,
    fingerprint_of,
    fingerprint_of_texts,
    likeness,
    named_in,
    nearest,
)
from tokharness.model import Cause, Failure, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.subject import Subject

CODE = "TOK413"
NAME = "known-vocabulary"
REQUIRES = ("n_vocab",)

PROGRAMS = ("python", "command")
"""Schemes whose specs name a program, which says nothing about a vocabulary file."""

__all__ = ["CODE", "NAME", "REQUIRES", "audit"]


def audit(subject: Subject) -> Iterator[Failure]:
    """Report which published vocabulary the target has, and whether its name belongs to another."""
    scheme, _, path = subject.target.spec.partition(":")
    own = _fingerprint(subject)
    if own is None and scheme in PROGRAMS:
        own = fingerprint_of_texts(subject)
    if own is None:
        return
    what = _what_it_is(own)
    if what is not None and scheme in PROGRAMS and subject.reference is None:
        what = replace(what, message=f"{what.message}; --against compares it with a file")
    if what is not None:
        yield Failure(what)
    if scheme in PROGRAMS:
        return
    named = [likeness(own, one) for one in named_in(path)]
    if named and all(one.places < NEAR for one in named):
        yield Failure(_other_name(named[0], what), evidence={"path": path})


def _fingerprint(subject: Subject) -> Fingerprint | None:
    """Return the fingerprint of the target, or of the reference that reads the same file."""
    own = fingerprint_of(subject)
    if own is not None or subject.reference is None or subject.claims_parity:
        return own
    return fingerprint_of(replace(subject, target=subject.reference, state=type(subject.state)()))


def _what_it_is(own: Fingerprint) -> Cause | None:
    if (found := equal_to(own)) is not None:
        message = f"the vocabulary of {found.name}: {own.size:,} tokens"
        return Cause("known vocabulary", (("of", found.name),), Verdict.FACT, message)
    if (near := nearest(own)) is None:
        return None
    share, where = (
        (near.places, "with the same id") if near.places >= NEAR else (near.tokens, "with any id")
    )
    message = (
        f"no known vocabulary; about {share:.0%} of the {near.known.fingerprint.size:,} tokens of "
        f"{near.known.name} are among its {own.size:,}, {where}"
    )
    return Cause("near to a known vocabulary", (("to", near.known.name),), Verdict.FACT, message)


def _other_name(named: Likeness, what: Cause | None) -> Cause:
    is_known = what is not None and what.kind == "known vocabulary"
    found = what.parameters[0][1] if what is not None and is_known else "another model"
    return Cause(
        "another vocabulary than its name says",
        (("says", named.known.name), ("is", found)),
        Verdict.RISK,
        f"its name says {named.known.name}, and it has the vocabulary of {found}: about "
        f"{named.places:.0%} of the tokens of {named.known.name} have their ids",
    )
