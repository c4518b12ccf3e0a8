"""What a check gets: a target, its reference, and what the target declares.

All calls are guarded: a method of a subject returns None if the tokenizer raises; a method of
:class:`~tokharness.model.Target` returns the exception.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import TargetDeath
from tokharness.outcome import Raised
from tokharness.targets.subject_state import SubjectState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tokharness.model import Case, Cause, Target
    from tokharness.targets.comparison import Method
    from tokharness.targets.subject_state import Cache, DiagnosisPass, Discoveries

SIGMA, FINAL_SIGMA = "\u03c3", "\u03c2"


@dataclass(frozen=True)
class Subject:
    """A target with its reference and its explainer.

    Attributes:
        target: The tokenizer that is checked.
        reference: The tokenizer whose ids are compared with the target's.
        explainer: An implementation with the same vocabulary that can show its pre-tokens and
            change its Unicode version: the reference, or a substitute for it.
        unicode_version: The Unicode version of the target's pre-tokenizer, if it was inferred.
        normalizer_version: The Unicode version of its declared normalizer, if it was inferred.
        case_version: The Unicode version of its case mapping, if it was inferred.
        stage_versions: The Unicode version of each table of its stages that was inferred.
        original_target: The target before its Unicode version was changed for the comparison.
        claims_parity: Whether the user named the reference, and so claims that both are equal.
        checks: The codes of the checks of the run.
        cases: A function for each family of the run, by name, that makes its cases.
        corpus: The path of a corpus, if the run has one.
        embeddings: The path of the model's embeddings, if the run has them.
        other_process: Loads the target in another process, with this PYTHONHASHSEED; the caller
            closes it. None if the target cannot be loaded again, or is our own code.
        alone: Loads the target, likewise, in a process that has nothing of ours.
        state: What checks and diagnoses share during the run.

    """

    target: Target
    reference: Target | None = None
    explainer: Target | None = None
    unicode_version: str | None = None
    normalizer_version: str | None = None
    case_version: str | None = None
    stage_versions: Mapping[str, str] = field(default_factory=dict)
    original_target: Target | None = None
    claims_parity: bool = False
    checks: frozenset[str] = frozenset()
    cases: Mapping[str, Callable[[], Iterable[Case]]] = field(
        default_factory=dict, compare=False, repr=False
    )
    corpus: str | None = None
    embeddings: str | None = None
    other_process: Callable[[int], Target] | None = field(default=None, compare=False, repr=False)
    alone: Callable[[int], Target | None] | None = field(default=None, compare=False, repr=False)
    state: SubjectState = field(default_factory=SubjectState, compare=False, repr=False)

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Special tokens of the target and of the reference that shares its vocabulary."""
        shared = self.reference.special_tokens if self.reference else {}
        own = self.target.special_tokens
        return self.cache.get_or_compute("special tokens", lambda: {**shared, **own})

    def with_original_target(self) -> Subject:
        """Return the subject with the target before its Unicode version was changed."""
        if self.original_target is None:
            return self
        return replace(
            self,
            target=self.original_target,
            unicode_version=None,
            stage_versions={},
            original_target=None,
            state=SubjectState(),
        )

    def with_declared_normalizer(self) -> Subject:
        """Return the subject with a target that declares what it is claimed to do.

        A target that declares no normalizer, and is claimed to be equal to a reference that
        declares one, changes texts as the reference does at the target's Unicode versions.
        """
        reference = self.reference
        if not self.claims_parity or reference is None or reference.normalizer is None:
            return self
        if self.target.normalizer is not None:
            return self
        declares = replace(self.target, normalizer=reference.normalizer)
        pinned = self.cache.get_or_compute(
            "named reference at the target's versions",
            lambda: reference.at_stage_versions(self.stage_versions),
        )
        own = reference if isinstance(pinned, Raised) or not self.stage_versions else pinned
        return replace(self, target=declares, reference=own, claims_parity=False)

    @property
    def calls(self) -> int:
        """The number of guarded calls so far, of the target, the reference and the explainer."""
        owners = (self.target, self.reference, self.explainer)
        counts = {id(owner.calls): owner.calls.number for owner in owners if owner is not None}
        return sum(counts.values())

    @property
    def cache(self) -> Cache:
        """Values that are computed once a run."""
        return self.state.cache

    @property
    def not_judged(self) -> Counter[str]:
        """Tokens that an audit could not judge, by ``"tokens: why"``; empty before each audit."""
        return self.cache.get_or_compute("what was not judged", Counter)

    @property
    def diagnosis_pass(self) -> DiagnosisPass:
        """The current pass of diagnosing all failing texts."""
        return self.state.diagnosis_pass

    @property
    def discoveries(self) -> Discoveries:
        """Knowledge of the target from diagnoses."""
        return self.state.discoveries

    @property
    def expected_causes(self) -> frozenset[Cause]:
        """Causes that a diagnosis tries first, and that suffice if they explain its text."""
        return self.state.expected_causes

    def chosen_cases(self) -> list[tuple[str, Callable[[], Iterable[Case]]]]:
        """Return the families whose cases are chosen one by one, sorted by name.

        An exhaustive family has all texts of a kind, which take long to make and have no twins.
        """
        families = plugins.families()
        return [
            (name, cases)
            for name, cases in sorted(self.cases.items())
            if name not in families or not families[name].exhaustive
        ]

    def encode(self, text: str) -> list[Any] | None:
        """Return the ids of a plain text; None if the target raises, which TOK102 reports."""
        ids = self.target.encode(text)
        return None if isinstance(ids, Raised) else list(ids)

    def fetch(self, texts: Sequence[str]) -> None:
        """Encode texts in few requests; the next ``encode`` and ``reference_ids`` use them."""
        self.target.fetch(texts)
        if self.reference is not None:
            self.reference.fetch([self.text_for_reference(text) for text in texts])

    def decode(self, ids: Sequence[Any]) -> str | None:
        """Return the text of ids; None if the target raises."""
        text = self.target.decode(ids)
        return None if isinstance(text, Raised) else text

    def round_trip(self, text: str) -> tuple[list[Any], str] | None:
        """Return the ids of a text and their decoded text; None if either call raises."""
        ids = self.encode(text)
        decoded = None if ids is None else self.decode(ids)
        return None if ids is None or decoded is None else (ids, decoded)

    def reference_ids(self, text: str) -> list[Any] | None:
        """Encode a text, or its declared form, with the reference.

        None without a reference, or if the reference raises or cannot receive the text.
        """
        if self.reference is None or not self.is_comparable(text):
            return None
        ids = self.reference.encode(self.text_for_reference(text))
        return None if isinstance(ids, Raised) else list(ids)

    def text_for_reference(self, text: str) -> str:
        """Return what the reference encodes for a text: its declared form.

        A reference that declares a normalizer applies it itself. A reference that is claimed to be
        equal gets the text itself, too, if the target's file declares the change: what the file of
        the reference does not declare is a difference.
        """
        is_own = self.reference is not None and self.reference.normalizer is not None
        if is_own or self._claims_parity_of_files:
            return self.target.as_sent(text)
        return self.expected_text(text)

    @property
    def _claims_parity_of_files(self) -> bool:
        """Whether the target's file declares its form, and the user named the reference."""
        return self.claims_parity and not plugins.runs_code(self.target.spec)

    def is_comparable(self, text: str) -> bool:
        """Whether both sides get the same text.

        A program receives a surrogate pair as one character, and so does the reference of a
        program. If only the reference is a program, it receives a different text than the target.
        """
        reference = self.reference
        return reference is None or self.target.joins_pairs or reference.as_sent(text) == text

    def ask_reference(self, method: Method, numbers: Sequence[int]) -> Any:
        """Return the reference's answer about some ids, perhaps from an earlier run.

        None if there is no reference that has this method.
        """
        if self.reference is None or not self.reference.can(method):
            return None
        return self.state.answers.ask(self.reference, method, numbers)

    def reference_text(self, ids: Sequence[Any]) -> str | None:
        """Return the text of ids by the reference; None without a reference, or if it raises."""
        text = None if self.reference is None else self.reference.decode(ids)
        return None if isinstance(text, Raised) else text

    def expected_text(self, text: str) -> str:
        """Return the text that decoding must give for this text: itself, or its declared form."""
        text = self.target.as_sent(text)
        # A reference that normalizes is at the target's Unicode versions, unless it is a library:
        # then the target is at the versions of the library. Another file declares another form.
        is_own = self.original_target is None and not self._claims_parity_of_files
        by = self.reference if is_own else self.target
        form = declared_form(self.target, text, version=self.normalizer_version, by=by)
        if _lowercases(self.target) and FINAL_SIGMA in form and FINAL_SIGMA not in text:
            return form if self._writes_final_sigma() else form.replace(FINAL_SIGMA, SIGMA)
        return form

    def _writes_final_sigma(self) -> bool:
        """Whether a target that lowercases writes a sigma at the end of a word as a final sigma."""
        return self.cache.get_or_compute(
            "final sigma",
            lambda: FINAL_SIGMA in str(self.target.round_trip(f"a{SIGMA.upper()}")),
        )

    def token_bytes(self, ids: Sequence[Any]) -> list[bytes] | None:
        """Return the bytes of each id, from the target if it gives them, else from the reference.

        None if an id has no bytes.
        """
        known = self._known_bytes()
        for number in ids:
            if number not in known:
                known[number] = self._bytes_of(number)
        pieces = [known[number] for number in ids]
        return None if None in pieces else pieces  # type: ignore[return-value]

    def _bytes_of(self, number: Any) -> bytes | None:
        for owner in (self.target, self.reference, self.explainer):
            if owner is not None and owner.can("decode_single_token_bytes"):
                data = owner.call("decode_single_token_bytes", number)
                if isinstance(data, bytes):
                    return data
        return None

    def vocabulary(self) -> dict[int, bytes]:
        """Return the bytes of each id below ``n_vocab`` that has bytes and is not special."""
        return self.cache.get_or_compute("vocabulary", self._read_vocabulary)

    def _read_vocabulary(self) -> dict[int, bytes]:
        vocabulary = _vocabulary(self.target)
        self._known_bytes().update(vocabulary)
        return vocabulary

    def _known_bytes(self) -> dict[Any, bytes | None]:
        return self.cache.get_or_compute("bytes of each id", dict)


def _vocabulary(target: Target) -> dict[int, bytes]:
    if not target.can("decode_single_token_bytes"):
        return {}
    special = set(target.special_tokens.values())
    numbers = [number for number in range(target.n_vocab or 0) if number not in special]
    column = target.call_each("decode_single_token_bytes", numbers)
    for number, data in zip(numbers, column, strict=True):
        if isinstance(data, Raised) and isinstance(data.error, TargetDeath):
            raise _death_of_id(number, data.error)  # not an id without bytes
    rows = zip(numbers, column, strict=True)
    return {number: data for number, data in rows if isinstance(data, bytes)}


def _death_of_id(number: int, death: TargetDeath) -> TargetDeath:
    """Return how a process ended, with the id whose bytes were requested."""
    call = f"in decode_single_token_bytes({number})"
    return TargetDeath(death.reason, f"{call}: {death.detail}" if death.detail else call)


def declared_form(
    target: Target, text: str, *, version: str | None = None, by: Target | None = None
) -> str:
    """Return the text to which the target declares to normalize a text, at a Unicode version.

    A known normal form is computed here, so that the declaration is checked. For any other name,
    and around added tokens, which are not normalized, ``normalize`` is called: the method of
    ``by``, if ``by`` declares a normalizer of the same name.
    """
    if target.normalizer is None:
        return text
    from tokharness.unicode.normalization import FORMS, normalize

    name = target.normalizer.upper()
    if name in FORMS and not any(token in text for token in target.added_tokens):
        return normalize(name, text, version=version)
    if _lowercases(target):
        return text.lower()
    owner = by if by is not None and by.normalizer == target.normalizer else target
    form = _normalized(owner, text)
    if form is None and name in FORMS:
        return normalize(name, text, version=version)
    return text if form is None else form


def _normalized(target: Target, text: str) -> str | None:
    """Return the result of a target's ``normalize``, which may refuse lone surrogates."""
    if target.can("normalize"):
        for argument in (text, scalar_text(text)):
            form = target.call("normalize", argument)
            if isinstance(form, str):
                return form
    return None


def _lowercases(target: Target) -> bool:
    return (target.normalizer or "").lower() in {"lowercase", "lower"}


def is_scalar(text: str) -> bool:
    """Whether a text has only Unicode scalar values, no surrogate code points."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def scalar_text(text: str) -> str:
    """Return the text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
