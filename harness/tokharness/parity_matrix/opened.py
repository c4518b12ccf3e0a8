"""The forms of a run, each loaded once in a worker process, which stays until the run ends."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tokharness.diagnosis.vocabulary.token_tables import Table, table_of_rows
from tokharness.engine.events import TokensListed
from tokharness.engine.requests import ColumnsRequest, EncodeRequest, OutlineRequest
from tokharness.engine.responses import NoAnswerError, NotLoadedError
from tokharness.engine.run.death_findings import WorkerLostError
from tokharness.engine.run.loaded_workers import start_workers
from tokharness.engine.run.pool import Pool
from tokharness.engine.run.report_requests import request_tokens
from tokharness.errors import NotInstalledError, PluginError, TargetDeath, TokharnessError
from tokharness.parity_matrix.vocabularies import is_unseen
from tokharness.targets.loading import automatic_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokharness.config import Options
    from tokharness.engine.requests import CrasherRows, Request
    from tokharness.engine.run.loaded_workers import Workers
    from tokharness.engine.run.processor_time import ProcessorTime
    from tokharness.model import TokenRow

NO_TABLE = Table({}, frozenset())
REFERENCE = "reference"
"""The scheme of our own implementations, which read files and share nothing with a library."""


@dataclass
class Opened:
    """A form while the run goes on.

    ``problem`` says why it is not run, or not run further. ``workers`` is None if it is not loaded.
    ``failure`` is the name of what fails if the target is there and fails by itself while it is
    loaded, or, if it ``answers_nothing``, on each of the first texts. ``unasked`` texts were not
    run, as they resemble texts that end its process; ``death`` is how its process ended while it
    ran several texts. ``is_installed`` is False if its library or its engine is not installed.
    ``table`` has the bytes of its tokens inside a text, if another form shows its tokens alone.
    """

    spec: str
    problem: str = ""
    workers: Workers | None = None
    capabilities: tuple[str, ...] = ()
    outline: Mapping[str, Any] = field(default_factory=dict)
    rows: Sequence[TokenRow] = ()
    table: Table = NO_TABLE
    crashers: CrasherRows = ()
    is_guarded: bool = False
    texts: int = 0
    raised: dict[str, int] = field(default_factory=dict)
    failure: str = ""
    unasked: int = 0
    death: str = ""
    is_installed: bool = True
    answers_nothing: bool = False

    @property
    def refuses_all(self) -> bool:
        """Whether it makes ids of no text."""
        return self.texts > 0 and sum(self.raised.values()) >= self.texts

    @property
    def is_running(self) -> bool:
        """Whether texts can be sent to it."""
        return self.workers is not None and not self.problem and not self.tokens_alone

    @property
    def tokens_alone(self) -> bool:
        """Whether it shows its tokens, and encodes no text."""
        return bool(self.outline.get("tokens_alone"))

    @property
    def reference(self) -> str | None:
        """The spec of the independent reference that reads the same file, perhaps its own."""
        if self.spec.partition(":")[0] == REFERENCE:
            return self.spec
        spec = counterpart(self.spec)
        return spec if spec is not None and spec.partition(":")[0] == REFERENCE else None

    def call(self, request: Request) -> dict[str, Any] | None:
        """Return the response to a request; None if its process ends with it, even a fresh one.

        Raises:
            PluginError: a plugin, such as a family, fails.

        """
        if self.workers is None:
            return None
        try:
            return self._call(self.workers, request)
        except PluginError:
            raise
        except (TargetDeath, TokharnessError) as error:
            self.problem = lost(error) if isinstance(error, TargetDeath) else str(error)
            return None

    def _call(self, workers: Workers, request: Request) -> dict[str, Any]:
        if not self.is_guarded and (unguarded := workers.unguarded):
            try:
                return unguarded[0].call(request)
            except TargetDeath as death:
                workers.drop(unguarded[0])
                self.is_guarded, self.death = True, str(death)
                request = self.with_crashers(request)
        return workers.call_guarded(request)

    def with_crashers(self, request: Request) -> Request:
        """Return a request with the texts that are known to end the process."""
        if isinstance(request, ColumnsRequest | EncodeRequest):
            return replace(request, crashers=self.crashers)
        return request


def counterpart(spec: str) -> str | None:
    """Return the spec of the reference that reads a library's file, or of the library.

    None if there is none, or the file is not there, which loading it reports.
    """
    try:
        return automatic_reference(spec)
    except TokharnessError:
        return None


def lost(death: TargetDeath) -> str:
    """Say why a form is not run further."""
    if isinstance(death, WorkerLostError):
        return f"no worker is left for it: {death.detail}"
    return f"its process ended with {death}"


@contextmanager
def opened_forms(
    specs: Sequence[str],
    options: Options,
    time: ProcessorTime,
    jobs: int,
    progress: Callable[[str], object],
) -> Iterator[list[Opened]]:
    """Load each target once; a target that does not load is a form with a problem."""
    with ExitStack() as stack:
        forms: list[Opened] = []
        for spec in specs:
            progress(f"loading {spec}")
            own = replace(options, **_reference_options(spec, specs))
            try:
                pool = stack.enter_context(Pool(spec, own, min(jobs, 1)))
            except TokharnessError as error:  # such as a release that is not there
                forms.append(Opened(spec, problem=str(error)))
                continue
            pool.time = time
            forms.append(_opened(spec, pool))
        if any(form.tokens_alone for form in forms):
            for form in forms:
                _read_table(form)
        yield forms


def _reference_options(spec: str, specs: Sequence[str]) -> dict[str, Any]:
    """Return the options for the reference of a form.

    A reference of ours has no Unicode version of its own. It gets the versions of the library that
    reads its file, or else of the first form that is a library. Without any reference among the
    forms, the first form has its own: the tables of which texts are made.
    """
    libraries = [one for one in specs if one.partition(":")[0] != REFERENCE]
    if spec not in libraries:
        return {"against": None, "reference": libraries[0] if libraries else None}
    is_maker = len(libraries) == len(specs) and spec == specs[0]
    return {"against": None if is_maker else "none", "reference": None}


def _opened(spec: str, pool: Pool) -> Opened:
    try:
        workers, start, _ = start_workers(pool)
    except NotInstalledError as error:
        return Opened(spec, problem=str(error), is_installed=False)
    except NotLoadedError as error:
        return Opened(spec, problem=str(error), failure=error.failure)
    except NoAnswerError as error:
        return Opened(spec, problem=str(error), failure=error.rows[0][2], answers_nothing=True)
    except TokharnessError as error:
        return Opened(spec, problem=str(error))
    except TargetDeath as death:
        return Opened(spec, problem=lost(death))
    form = Opened(spec, workers=workers, capabilities=start.capabilities)
    form.is_guarded = not workers.unguarded
    form.outline = form.call(OutlineRequest()) or {}
    rows = _tokens(form, workers)
    form.rows = () if all(map(is_unseen, rows)) else rows
    return form


def _tokens(form: Opened, workers: Workers, *, inside: bool = False) -> Sequence[TokenRow]:
    """Return the rows of all tokens; nothing if the process of the form ends meanwhile."""
    events = request_tokens(workers, audited=False, inside=inside) if not form.problem else ()
    rows = [event.tokens for event in events if isinstance(event, TokensListed)]
    return rows[-1] if rows else ()


def _read_table(form: Opened) -> None:
    if form.workers is not None:
        rows = form.rows if form.tokens_alone else _tokens(form, form.workers, inside=True)
        form.table = table_of_rows(rows)
