"""Requests to a worker, as dataclasses and as plain JSON data.

A request and its response are one JSON line each. Each class documents its response; responses that
report an error are in :mod:`tokharness.engine.responses`; if a plugin fails during a diagnosis, an
audit, a snapshot or a measure, the response also has ``failed``. ``crashers`` are the rows of
:class:`~tokharness.targets.processes.crashers.Crashers`: ``[call, argument, reason, detail]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeAlias, get_args

from tokharness.config import Options

CrasherRows: TypeAlias = Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """Load a target; the first request of a worker.

    ``sys_path`` is added to the worker's. A ``guarded`` target gets a process of its own; a
    ``cold`` one encodes no text there before the first texts. ``versions`` has the Unicode version
    of each stage, or of all as "", at which the references of these specs are loaded.

    Response: the fields of :class:`~tokharness.engine.events.TargetStarted`; ``skips``, a list of
    ``[check, reason]``; ``texts``, the number of texts of the run if the target is slow, else 0;
    and ``text_seconds``, how long one of them takes.
    """

    spec: str
    options: Options
    sys_path: Sequence[str]
    guarded: bool
    cold: bool = False
    versions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UnitRequest:
    """Run the checks on one unit of a family.

    ``before`` is the unit's digest in an earlier run whose results must not change, and
    ``compared`` its digest in a run with the same reference; each is empty without such a run.
    After ``seconds`` of processor time no further text is run.

    Response: the fields of :class:`~tokharness.engine.events.UnitFinished`, without those that the
    request or the scheduler knows, and ``processor_seconds``.
    """

    family: str
    number: int
    crashers: CrasherRows
    before: str = ""
    compared: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """Run the checks on the texts of one round of a campaign.

    Attributes:
        number: Number of the round; the seed and this number determine its texts.
        source: Source of the texts.
        turn: Number of earlier rounds with this source.
        initial_corpus: Texts of the source ``corpus``.
        reset_corpus: Whether the worker discards its corpus first.
        new_corpus: Texts that earlier rounds have added since the last request to this worker.
        excluded: Characters to leave out.
        known_causes: Rows of code, kind and parameters.
        seconds: Time limit of the round, or None.
        max_texts: Limit of the number of texts, or None.
        crashers: Rows of texts that crash or hang the target.

    Response: ``crashers``, ``cases``, ``seconds``, ``failing`` (``{code: [text]}``),
    ``failing_counts`` (``{code: count}``), ``left_out``, ``not_compared``, ``corpus`` (texts to
    add), ``excluded`` and ``readmitted`` (characters), and ``discovered`` (records of new causes).

    """

    number: int
    source: str
    turn: int
    initial_corpus: Sequence[str] = ()
    reset_corpus: bool = False
    new_corpus: Sequence[str] = ()
    excluded: str = ""
    known_causes: Sequence[Sequence[Any]] = ()
    seconds: float | None = None
    max_texts: int | None = None
    crashers: CrasherRows = ()


@dataclass(frozen=True, slots=True)
class ShardRequest:
    """Scan a shard of a corpus; only workers of :mod:`tokharness.scanning` respond.

    ``parts`` are those of a :class:`~tokharness.scanning.plan.Shard`, and ``settings`` those of a
    scan, as plain data.

    Response: ``tables``, ``tokens`` and ``samples`` of a
    :class:`~tokharness.scanning.record.Record`; ``crashers``; ``seconds`` in calls of the target
    and its reference; and ``is_whole``, whether the worker was not asked to stop before the end.
    """

    parts: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FeaturesRequest:
    """Return the features of all rounds of this worker.

    Response: a record of :func:`~tokharness.engine.fuzzing.features.features_record`.
    """


@dataclass(frozen=True, slots=True)
class DiagnoseRequest:
    """Diagnose the texts that fail a check, ``{text: family}``.

    A diagnosis has a request for each check, so that the causes of a check are known before the
    next check. ``checks`` is the number of remaining checks, including this check. A worker has
    ``seconds`` for all remaining checks, and makes no call for this check after ``most`` seconds
    of processor time. A ``brief`` diagnosis neither confirms a finding in another process nor
    attributes it to the library.

    Response: ``findings``, ``{code: [record]}``, and ``not_diagnosed``, ``{code: count}``: texts
    beyond the budget.
    """

    code: str
    failing: Mapping[str, str]
    crashers: CrasherRows
    checks: int = 1
    seconds: float = 45.0
    most: float | None = None
    brief: bool = False


TOO_LONG = "results: they exceed the bound for their size, so what they show is not known"
"""The reason for results that an audit does not judge."""


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """Run the audit of the check with this code, for so many ``seconds`` of the processor at most.

    ``answers`` has what the reference answered in earlier runs
    (:mod:`tokharness.targets.comparison`).

    Response: ``findings``, ``{code: [record]}``; ``without_result``, the number of calls with a
    text that have no result, by the reason, unless a finding has it; ``not_judged``, how many
    results or tokens were not judged, by the reason, which is ``TOO_LONG`` for results beyond our
    bounds; ``deaths``, the rows of the calls that ended the target's own process; ``is_spent``,
    whether its time did not suffice; and ``answers``, those of the reference in this run, known
    ones too.
    """

    code: str
    answers: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """Take a snapshot on golden texts, rows of group, text and ids; without rows, on new texts.

    ``earlier`` is the record of the :class:`~tokharness.targets.snapshot.EarlierState` that the
    snapshot is compared with, or None. ``changed`` has the cases of the run whose results differ
    from the earlier run, as rows of family, text and ids.

    Response: ``snapshot``, a record, or None if a plugin failed.
    """

    golden: Sequence[Sequence[Any]]
    earlier: Mapping[str, Any] | None = None
    changed: Sequence[Sequence[Any]] = ()


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """Take one of :mod:`tokharness.engine.measures`.

    Response: ``measure``, plain data.
    """

    name: str
    crashers: CrasherRows


@dataclass(frozen=True, slots=True)
class EncodeRequest:
    """Encode texts, for a report.

    If ``compared``, a reference of ours has the Unicode versions at which it is compared.

    Response: ``encodings``, a list of records, and ``of_reference``, the same or null.
    """

    texts: Sequence[str]
    crashers: CrasherRows
    compared: bool = False


@dataclass(frozen=True, slots=True)
class CostRequest:
    """Count the tokens of a text.

    Response: ``cost``, a record of :func:`~tokharness.engine.worker.token_columns.text_cost`, with
    ``lost_characters``, the number of the text's characters that the decoded text lacks.
    """

    text: str
    crashers: CrasherRows


@dataclass(frozen=True, slots=True)
class TokensRequest:
    """Describe the tokens of ``count`` ids, from ``first`` on; if ``audited``, with their classes.

    With ``inside``, tokens of a vocabulary that shows no bytes have the bytes that they stand for
    inside a text.

    Response: ``n_vocab``, and a field of :class:`~tokharness.model.TokenRow` for each id that has
    it: ``{field: {id: value}}``.
    """

    first: int
    count: int
    audited: bool
    inside: bool = False


@dataclass(frozen=True, slots=True)
class OutlineRequest:
    """Describe the target and its vocabulary, without its tokens.

    Response: ``n_vocab`` and ``algorithm``, perhaps null; ``tokens_alone``, whether it encodes no
    text; ``special`` and ``added``, the ids of its
    tokens by their text; ``vocabulary``, a sentence that says which known vocabulary it has, or "";
    ``unicode``, the Unicode versions of its stages, or of the whole under the name ""; and
    ``versions``, the same for a reference of ours that has got them from a library.
    """


@dataclass(frozen=True, slots=True)
class TextsRequest:
    """Make the texts of a unit of a family, or the parts of packed texts.

    ``tokens`` and ``added`` are tokens of other targets that this target lacks: the texts are made
    for all of them. With ``packed`` texts, the response has their parts instead.

    Response: ``units``, the number of units of the family, and ``texts``.
    """

    family: str
    number: int
    tokens: Sequence[str] = ()
    added: Sequence[str] = ()
    packed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ColumnsRequest:
    """Run the target on texts, and return a digest of each result.

    ``columns`` are names of :mod:`tokharness.engine.worker.operations.columns`. Spans are asked for
    every ``every``-th text. After ``seconds`` of processor time no further text is run.

    Response: ``columns``, the digests of each column, 16 hex digits for each text; ``texts``, how
    many texts were run; ``raised``, how many of them have no ids, by the name of the exception;
    ``crashers``; and ``processor_seconds``.
    """

    texts: Sequence[str]
    columns: Sequence[str]
    crashers: CrasherRows
    every: int = 1
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Explain why texts, ``{text: family}``, fail a check, and say which cause each text has.

    The explanation ends after about ``seconds`` of the processor.

    Response: ``findings``, a list of records; ``members``, for each of them the places of its texts
    in ``failing``; and ``not_diagnosed``, the number of texts without time left for them.
    """

    code: str
    failing: Mapping[str, str]
    crashers: CrasherRows
    seconds: float = 45.0


Request: TypeAlias = (
    LoadRequest
    | UnitRequest
    | RoundRequest
    | ShardRequest
    | FeaturesRequest
    | DiagnoseRequest
    | AuditRequest
    | SnapshotRequest
    | MeasureRequest
    | EncodeRequest
    | CostRequest
    | TokensRequest
    | OutlineRequest
    | TextsRequest
    | ColumnsRequest
    | ExplainRequest
)

_CLASSES: dict[str, type[Request]] = {kind.__name__: kind for kind in get_args(Request)}


def request_record(request: Request) -> dict[str, Any]:
    """Return a request as plain data: the name of its class and its fields."""
    record = {one.name: getattr(request, one.name) for one in fields(request)}
    if isinstance(request, LoadRequest):
        record["options"] = asdict(request.options)
    return {"request": type(request).__name__, **record}


def request_of(record: Mapping[str, Any]) -> Request:
    """Return the request of a record; raise KeyError or TypeError if it is not one."""
    values = dict(record)
    kind = _CLASSES[values.pop("request")]
    if kind is LoadRequest:
        values["options"] = _options_of(values["options"])
    return kind(**values)


def _options_of(record: Mapping[str, Any]) -> Options:
    """Return the options of a record, which has lists in place of tuples."""
    lists: dict[str, Any] = {
        key: tuple(value) for key, value in record.items() if isinstance(value, list)
    }
    return Options(**{**record, **lists})


Digests: TypeAlias = Mapping[tuple[str, int], str]
"""The packed digest of each unit, by its family and number."""


@dataclass(frozen=True, slots=True)
class KnownResults:
    """Digests and answers of earlier runs.

    ``before`` has digests of a run whose results must not change: texts whose results differ are
    reported. ``compared`` has digests of runs with the same reference: if the reference gave the
    target's ids for a text, and the target still gives them, the reference is not run again. These
    digests are never the source of a finding. ``answers`` has answers of the same reference
    (:mod:`tokharness.targets.comparison`).
    """

    before: Digests = field(default_factory=dict)
    compared: Digests = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


Known: TypeAlias = Callable[[str], KnownResults]
"""Returns the known results of a comparison with a reference, by its digest, which may be empty."""


def nothing_known(_: str) -> KnownResults:
    """Know of no earlier run."""
    return KnownResults()
