"""Run several forms of one tokenizer, and say where they agree and why they do not."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tokharness.engine.requests import EncodeRequest
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.processor_time import processor_time
from tokharness.engine.worker.operations.columns import METHODS
from tokharness.errors import InternalError, TargetDeath, TokharnessError, UsageError
from tokharness.parity_matrix.causes import COLUMN, Explainer
from tokharness.parity_matrix.cells import add_tables, cells_of, failing_forms, unfinished
from tokharness.parity_matrix.files import unseen_edits, with_unseen
from tokharness.parity_matrix.model import IDS, NOT_RUN, SPECIAL, Cause, Form, Parity, Tokens, named
from tokharness.parity_matrix.opened import opened_forms
from tokharness.parity_matrix.pairs import Pairs
from tokharness.parity_matrix.texts import Runner
from tokharness.parity_matrix.vocabularies import compare_vocabularies

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.model import TokenRow
    from tokharness.parity_matrix.model import Disagreement
    from tokharness.parity_matrix.opened import Opened

Result = TypeVar("Result")

CHECKS = ("TOK201", "TOK202")
"""The checks that explain texts; a worker prepares no others."""

MAX_TOKENS = 64
"""Most tokens of a text that are shown."""


def parity(
    specs: Sequence[str],
    options: Options,
    *,
    jobs: int = 1,
    disagreements: Sequence[Disagreement] = (),
    named: bool = True,
    progress: Callable[[str], object] = lambda _: None,
) -> Parity:
    """Run targets that claim to be one tokenizer on the same texts, and compare all pairs.

    Args:
        specs: The targets, at least two different ones.
        options: What to run, and how thoroughly; ``against`` and ``select`` are not used.
        jobs: Number of targets that run at once; with 0 they run within this process.
        disagreements: What the files of a folder contradict each other in.
        named: Whether the user named the targets, and not a folder with them.
        progress: Called with a sentence about what is done now.

    Raises:
        UsageError: there are fewer than two targets.
        TokharnessError: an option is wrong, or a plugin fails.

    """
    specs = list(dict.fromkeys(specs))
    if len(specs) < 2:
        raise UsageError("parity compares at least two different targets: name another one")
    begin = time.perf_counter()
    options = replace(options, against="none", select=CHECKS, ignore=(), reference=None)
    limit = options.run_seconds
    shared = processor_time(None if limit is None else limit * len(specs), max(jobs, 1))
    parts = _Parts()
    with opened_forms(specs, options, shared, jobs, progress) as forms:
        tables = compare_vocabularies(forms, lambda form: f"{form.spec}: {_why_no_tokens(form)}")
        add_tables(tables, forms, lambda form: f"{form.spec}: {_why_no_tokens(form)}")
        runner = Runner(forms, options, shared, jobs, progress)
        versions = {form.spec: form.outline.get("versions", {}) for form in forms}
        with Pairs(options, jobs, versions) as pairs:
            explainer = Explainer(forms, runner.results, tables, options, pairs, progress)
            if sum(form.is_running for form in forms) > 1:
                parts.run(runner.run, None)
                parts.run(explainer.explain, None)
        causes = explainer.given.causes or list(tables.causes)
        causes = parts.run(partial(_with_tokens, causes, forms), causes)
        cells = cells_of(explainer, lambda place, aspect: _named_lack(forms[place], aspect))
        judge = _References(forms, options, jobs)
        causes = parts.run(partial(judge.judge, causes), causes)
        if sum(form.is_running for form in forms) > 1 and not tables.apart:
            specs_of_forms = [form.spec for form in forms]
            none: list[Cause] = []
            unseen = parts.run(partial(unseen_edits, specs_of_forms, causes), none)
            cells, causes = with_unseen(cells, causes, unseen), [*causes, *unseen]
        failing = list(failing_forms(forms, named=named))
        left = unfinished(forms, failing, named=named)
        return Parity(
            tuple(_form(form, judge.departs.get(form.spec)) for form in forms),
            tuple(cells),
            (*causes, *failing),
            tuple(disagreements),
            (*runner.results.skips, *explainer.skips, *left),
            options.profile,
            tuple(runner.results.families),
            runner.results.texts,
            time.perf_counter() - begin,
            parts.interrupted,
            parts.error,
        )


@dataclass
class _Parts:
    """Runs the parts of a run one after another; what was found is kept when one is stopped.

    After an interrupt or an error, such as that of a plugin, no further part begins.
    """

    interrupted: bool = False
    error: TokharnessError | InternalError | None = None

    def run(self, part: Callable[[], Result], otherwise: Result) -> Result:
        """Return what a part returns, or else what stands for it."""
        if self.interrupted or self.error is not None:
            return otherwise
        try:
            return part()
        except KeyboardInterrupt:
            self.interrupted = True
        except (TokharnessError, InternalError) as error:
            self.error = error
        return otherwise


def _form(form: Opened, departs: tuple[int, ...] | None) -> Form:
    aspects = ("token bytes", *COLUMN)
    return Form(
        form.spec,
        form.problem,
        form.workers is not None,
        form.outline.get("n_vocab"),
        form.outline.get("algorithm"),
        form.outline.get("vocabulary", ""),
        form.reference,
        form.texts,
        dict(form.raised),
        {aspect: why for aspect in aspects if (why := _lacks(form, aspect))},
        departs,
        form.is_installed,
    )


def _lacks(form: Opened, aspect: str) -> str:
    """Return why a form shows nothing of an aspect; "" if it does."""
    if form.workers is None:
        return f"it is not loaded: {form.problem}"
    if aspect not in COLUMN:
        return "" if form.rows else _why_no_tokens(form)
    if form.tokens_alone:
        return "" if aspect == SPECIAL else "it shows its tokens alone"
    method = METHODS.get(COLUMN[aspect])
    if method is not None and method not in form.capabilities:
        return f"it has no {method}"
    if not form.texts and aspect == SPECIAL and form.table.tokens:
        return ""  # the tables show it
    if not form.texts:
        return "it ran no text" + (f": {form.problem}" if form.problem else "")
    if form.refuses_all:
        return f"it refuses every text ({', '.join(form.raised)})"
    return ""


def _named_lack(form: Opened, aspect: str) -> str:
    why = _lacks(form, aspect)
    return why and f"{form.spec}: {why}"


def _why_no_tokens(form: Opened) -> str:
    if form.workers is None:
        return f"it is not loaded: {form.problem}"
    return "it shows no tokens" + (f": {form.problem}" if form.problem else "")


# What each form makes of the smallest text of each cause, and who is right.


def _with_tokens(causes: Sequence[Cause], forms: Sequence[Opened]) -> list[Cause]:
    """Return the causes with what every form makes of their texts."""
    texts = list(dict.fromkeys(one.text for one in causes if one.text is not None))
    rows = [_encoded(form, texts) for form in forms] if texts else []
    return [
        one
        if one.text is None or one.aspect == SPECIAL
        else replace(one, tokens=tuple(row[one.text] for row in rows))
        for one in causes
    ]


def _encoded(form: Opened, texts: Sequence[str]) -> Mapping[str, Tokens]:
    request = EncodeRequest(texts, form.crashers, compared=True)
    is_asked = form.workers is not None and not form.tokens_alone
    response = form.call(request) if is_asked else None
    if response is None:
        return dict.fromkeys(texts, Tokens(error=NOT_RUN))
    return {
        text: _tokens(text, record, form.rows)
        for text, record in zip(texts, response["encodings"], strict=False)
    }


def _tokens(text: str, record: Mapping[str, object], rows: Sequence[TokenRow]) -> Tokens:
    """Return the ids of a text, each with the text of its token; bytes of parts of characters."""
    ids, data = record.get("ids"), record.get("bytes")
    decoded = record.get("decoded_if_different")
    if not isinstance(ids, list):
        error = str(record.get("error"))
        return Tokens(error=_failure(error))
    pieces = data if isinstance(data, list) else [""] * len(ids)
    return Tokens(
        tuple(ids),
        tuple(
            _text_of(number, str(piece), rows) for number, piece in zip(ids, pieces, strict=False)
        ),
        decoded if isinstance(decoded, str) else None if record.get("error") else text,
    )


def _failure(error: str) -> str:
    """Return what a form does with a text for which it has no ids, a verb and an object."""
    words = {"time limit": "takes longer than the time limit", "nonsense": "answers nonsense"}
    if error in words:
        return words[error]
    return f"raises {error}" if error.isidentifier() and error[:3] != "SIG" else f"ends: {error}"


def _text_of(number: object, data: str, rows: Sequence[TokenRow]) -> str:
    content: str | bytes = bytes.fromhex(data)
    if not content and isinstance(number, int) and 0 <= number < len(rows):
        content = rows[number].content or ""
    if isinstance(content, str):
        return content
    try:
        return content.decode()
    except UnicodeDecodeError:
        return f"<{content.hex(' ')}>"


class _References:
    """Asks the independent reference of each form, which reads the same file, what is right."""

    def __init__(self, forms: Sequence[Opened], options: Options, jobs: int) -> None:
        self._forms, self._options, self._jobs = forms, options, jobs
        self.departs: dict[str, tuple[int, ...]] = {}

    def judge(self, causes: Sequence[Cause]) -> list[Cause]:
        """Return the causes with a sentence about who agrees with the reference of its file."""
        texts = list(
            dict.fromkeys(c.text for c in causes if c.text is not None and c.aspect == IDS)
        )
        expected = {form.spec: self._expected(form, texts) for form in self._forms} if texts else {}
        judged = []
        departs: dict[str, list[int]] = {spec: [] for spec, rows in expected.items() if rows}
        for number, cause in enumerate(causes):
            if cause.text is None or cause.aspect != IDS or not cause.tokens:
                judged.append(cause)
                continue
            right, wrong = [], []
            for place, form in enumerate(self._forms):
                rows = expected.get(form.spec)
                if not rows or form.spec == form.reference:
                    continue
                if cause.tokens[place].ids == rows[cause.text].ids:
                    right.append(place)
                else:
                    wrong.append(place)
                    departs[form.spec].append(number)
            judged.append(replace(cause, right=self._sentence(right, wrong)))
        self.departs = {spec: tuple(numbers) for spec, numbers in departs.items()}
        return judged

    def _sentence(self, right: Sequence[int], wrong: Sequence[int]) -> str:
        forms = [form.spec for form in self._forms]
        if wrong and right:
            return (
                f"{named(wrong, forms)} {_departs(wrong)}; {named(right, forms)} "
                f"{'agree' if len(right) > 1 else 'agrees'} with it"
            )
        if wrong:
            return f"{named(wrong, forms)} {_departs(wrong)}"
        if right:
            verb = "do" if len(right) > 1 else "does"
            return f"{named(right, forms)} {verb} what the reference reads in the same file"
        return ""

    def _expected(self, form: Opened, texts: Sequence[str]) -> Mapping[str, Tokens]:
        """Return what the reference of a form's file makes of texts; nothing if it is unknown."""
        if form.reference is None or form.workers is None or form.tokens_alone:
            return {}
        own = next((one for one in self._forms if one.spec == form.reference), None)
        if own is not None:
            return _encoded(own, texts) if own.workers is not None else {}
        with Pool(form.spec, replace(self._options, against=None), min(self._jobs, 1)) as pool:
            try:
                workers, _, _ = start_workers(pool)
                worker = next(iter(workers.unguarded), None) or workers.guarded_worker()
                response = worker.call(EncodeRequest(texts, form.crashers))
            except (TokharnessError, TargetDeath):
                return {}
        rows = response["of_reference"] or []
        return {text: _tokens(text, row, form.rows) for text, row in zip(texts, rows, strict=False)}


def _departs(wrong: Sequence[int]) -> str:
    verb, whose = ("depart", "their") if len(wrong) > 1 else ("departs", "its")
    return f"{verb} from the reference that reads {whose} file"
