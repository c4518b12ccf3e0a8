"""Forms that were not compared, and what that means: a finding, an unfinished run, or neither."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.formats._wording import pluralize
from tokharness.model import Skip, Verdict
from tokharness.parity_matrix.model import IDS, Cause
from tokharness.parity_matrix.opened import counterpart
from tokharness.parity_matrix.stages import PROCESS
from tokharness.parity_matrix.vocabularies import is_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.parity_matrix.opened import Opened


def failing_forms(forms: Sequence[Opened], *, named: bool) -> Iterator[Cause]:
    """Yield a cause for each form that fails by itself where another form shows that it need not.

    So it is with a library that does not load a file which its reference reads, and with a target
    that hangs or dies on each of the first texts. Where the user has not ``named`` the forms but a
    folder, an engine that is only installed too may read a part of its files.
    """
    loaded = [place for place, form in enumerate(forms) if form.workers is not None]
    for place, form in enumerate(forms):
        if not form.failure or not (named or _is_library(form)):
            continue
        if form.answers_nothing:
            name = f"no answer: {form.failure}"
            message = f"it hangs or dies on each of the first texts: {form.failure}"
            others = tuple(loaded)
        else:
            name = f"does not load: {form.failure}"
            others = tuple(one for one in loaded if _reads_the_same(forms[one], form))
            message = f"it does not load, and the reference reads the same file: {form.problem}"
        if others:
            yield Cause(IDS, PROCESS, name, message, Verdict.BUG, 0, (place,), others)


def _is_library(form: Opened) -> bool:
    """Whether a form is the library that a file is for, and no further engine."""
    return form.reference is not None and counterpart(form.reference) == form.spec


def _reads_the_same(reference: Opened, form: Opened) -> bool:
    return reference.spec == form.reference and reference is not form


def unfinished(forms: Sequence[Opened], failing: Sequence[Cause], *, named: bool) -> Iterator[Skip]:
    """Yield what was to be compared and was not, or not in the usual way.

    A form whose library or engine is not installed is only said, and so is a form that has a cause.
    Where the user has not ``named`` the forms but a folder, a file that a library reads need not be
    read by our reference, nor one that the reference reads by each further engine.
    """
    found = {place for cause in failing for place in cause.forms}
    for place, form in enumerate(forms):
        if unseen := sum(map(is_unseen, form.rows)):
            yield Skip(form.spec, pluralize(unseen, "id"), "the form shows no token for them")
        if form.unasked:
            resembling = "they resemble texts that end or hang its process"
            yield Skip(form.spec, pluralize(form.unasked, "text"), resembling)
        if form.death and not form.crashers and form.workers is not None:
            reason = f"the process ended with {form.death}, and each text was run again by itself"
            yield Skip(form.spec, "running many texts in one process", reason)
        if form.problem and form.workers is not None:
            what = "the rest of the texts" if form.texts else "the texts"
            yield Skip(form.spec, what, form.problem, unfinished=True)
        elif form.workers is None and form.is_installed and place not in found:
            loaded = [one for one in forms if one.workers is not None]
            is_read = any(
                _reads_the_same(form, one) or (_reads_the_same(one, form) and not _is_library(form))
                for one in loaded
            )
            if named or not is_read:
                yield Skip(form.spec, "the whole form", form.problem, unfinished=True)
