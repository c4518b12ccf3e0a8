"""What a check looks at: a target, what it is compared with, and what it declares."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tokharness.errors import TargetDeath
from tokharness.outcome import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.model import Case, Cause, Target

__all__ = ["Subject", "as_ids", "declared", "is_scalar", "listed", "scalar_text"]

Value = TypeVar("Value")

SIGMA, FINAL_SIGMA = "\u03c3", "\u03c2"


@dataclass(frozen=True)
class Subject:
    """A target with its reference and its explainer.

    ``reference`` is what the ids are compared with; ``explainer`` is an implementation with
    the same vocabulary that can show its pre-tokens and change its Unicode version: the reference
    itself, or what stands for it. Either is None where there is none. ``unicode_version`` is the
    one that the target's pre-tokenizer behaves as, and ``normalizer_version`` its declared
    normalizer, where that could be told from outside. ``given`` is the target before another
    Unicode version was set to compare it, where one was. ``cases`` has, by the
    name of each family of the run, what makes its cases. ``memo`` keeps what several diagnoses
    need and one run computes once.
    """

    target: Target
    reference: Target | None = None
    explainer: Target | None = None
    unicode_version: str | None = None
    normalizer_version: str | None = None
    given: Target | None = None
    cases: Mapping[str, Callable[[], Iterable[Case]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Special tokens of the target and of the reference that shares its vocabulary."""
        shared = self.reference.special_tokens if self.reference else {}
        return {**shared, **self.target.special_tokens}

    def as_given(self) -> Subject:
        """Return the subject with the target as it was before its Unicode version was set."""
        if self.given is None:
            return self
        return replace(self, target=self.given, unicode_version=None, given=None, memo={})

    def remember(self, key: str, make: Callable[[], Value]) -> Value:
        """Value of ``make()``, computed once a run."""
        if key not in self.memo:
            self.memo[key] = make()
        value: Value = self.memo[key]
        return value

    def begin_pass(self) -> None:
        """Begin to diagnose all texts, with what the pass before has learned."""
        self.memo["pass"] = self.this_pass + 1
        self.memo["learned"] = False

    @property
    def this_pass(self) -> int:
        """Number of the pass; what is learned in one changes names in the next, so names hold."""
        number: int = self.memo.get("pass", 0)
        return number

    @property
    def learned(self) -> bool:
        """Whether this pass learned what may change the causes of texts diagnosed before."""
        return bool(self.memo.get("learned"))

    def learn(self) -> None:
        """Note that earlier diagnoses may read otherwise now."""
        self.memo["learned"] = True

    def expect(self, causes: Iterable[Cause]) -> None:
        """Note what explained some of the failing texts, which explains most of the others."""
        self.memo["expected causes"] = frozenset(causes)

    @property
    def expected_causes(self) -> frozenset[Cause]:
        """What a diagnosis may try first, and be content with."""
        found: frozenset[Cause] = self.memo.get("expected causes", frozenset())
        return found

    def encode(self, text: str) -> list[int]:
        """Ids the target gives this plain text now."""
        return as_ids(self.target.encode(text))

    def try_encode(self, text: str) -> list[int] | None:
        """Ids of this text, or None where the target raises, which is a check's to tell."""
        try:
            return self.encode(text)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return None

    def round_trip(self, text: str) -> str:
        """Text that comes back from the target."""
        return self.target.decode(listed(self.target.encode(text)))

    def try_round_trip(self, text: str) -> tuple[list[int], str] | None:
        """Ids of this text and what they are decoded to; None where either raises."""
        try:
            given = listed(self.target.encode(text))
            return as_ids(given), self.target.decode(given)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return None

    def reference_ids(self, text: str) -> list[int]:
        """Ids the reference gives what the target declares to make of this text."""
        if self.reference is None:
            raise ValueError("there is no reference")
        return list(self.reference.encode(self.expected(text)))

    def expected(self, text: str) -> str:
        """What decoding the target's ids of this text owes: the text, or its declared form."""
        found = declared(self.target, text, version=self.normalizer_version)
        if _lowercases(self.target) and FINAL_SIGMA in found and FINAL_SIGMA not in text:
            return found if self._knows_final_sigma() else found.replace(FINAL_SIGMA, SIGMA)
        return found

    def _knows_final_sigma(self) -> bool:
        """Whether a sigma at the end of a word is written as such, by a target that lowercases."""
        return self.remember(
            "final sigma",
            lambda: FINAL_SIGMA in str(called(self.round_trip, f"a{SIGMA.upper()}")),
        )

    def token_bytes(self, ids: Sequence[int]) -> list[bytes]:
        """Bytes of each id, from whichever of target and reference can tell."""
        for owner in (self.target, self.reference, self.explainer):
            if owner is not None and owner.can("decode_single_token_bytes"):
                ask = owner.tokenizer.decode_single_token_bytes
                known: dict[int, bytes] = self.remember("bytes of each id", dict)
                for number in ids:
                    if number not in known:
                        known[number] = ask(number)
                return [known[number] for number in ids]
        raise LookupError("neither the target nor its reference gives the bytes of a token")

    def vocabulary(self) -> dict[int, bytes]:
        """Bytes of every id below ``n_vocab`` that has some and is not special."""
        return self.remember("vocabulary", lambda: _vocabulary(self.target))


def as_ids(found: Iterable[int]) -> list[int]:
    """List what encoding gave, with what can be no id, nor be looked up, in words instead."""
    ids = listed(found)
    try:
        hash(tuple(ids))
    except TypeError:
        return list(map(_in_words, ids))
    return ids


def _in_words(one: Any) -> Any:
    try:
        hash(one)
    except TypeError:
        return f"a {type(one).__name__}"
    return one


def listed(found: Iterable[Any] | None) -> list[Any]:
    """List what encoding gave, as it is; raises TypeError for None."""
    if found is None:
        raise TypeError("encode gives None, not a list of ids")
    return list(found)


def _vocabulary(target: Target) -> dict[int, bytes]:
    special = set(target.special_tokens.values())
    numbers = [number for number in range(target.n_vocab or 0) if number not in special]
    many = getattr(target.tokenizer, "column_of_each", None)  # a question for each takes too long
    if many is not None:
        column = many("token_bytes", numbers)
        for death in column:
            if isinstance(death, TargetDeath):  # that is no answer, and not one of "no bytes"
                raise death
        rows = zip(numbers, column, strict=True)
        return {number: found for number, found in rows if isinstance(found, bytes)}
    vocabulary = {}
    for number in numbers:
        try:
            vocabulary[number] = bytes(target.tokenizer.decode_single_token_bytes(number))
        except KeyboardInterrupt:
            raise
        except BaseException:
            continue
    return vocabulary


def declared(target: Target, text: str, *, version: str | None = None) -> str:
    """What the target declares to make of a text, at a Unicode version.

    A known normal form is computed here, so that a target does not vouch for itself; any other
    name is the target's own ``normalize``.
    """
    if target.normalizer is None:
        return text
    from tokharness.unicode.normalization import FORMS, normalize

    name = target.normalizer.upper()
    if name in FORMS:
        return normalize(name, text, version=version)
    if _lowercases(target):
        return text.lower()
    if target.can("normalize"):
        for given in (text, scalar_text(text)):  # it may refuse lone surrogates
            found = called(target.tokenizer.normalize, given)
            if isinstance(found, str):
                return found
    return text


def _lowercases(target: Target) -> bool:
    return (target.normalizer or "").lower() in {"lowercase", "lower"}


def is_scalar(text: str) -> bool:
    """Whether a text is made of Unicode scalar values only: no surrogate code point."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def scalar_text(text: str) -> str:
    """Text with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
