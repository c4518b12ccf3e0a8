"""The kinds of plugins: modules of checks, families, targets and formats, and their constants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.model import OPTIONAL_METHODS, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from hypothesis.strategies import SearchStrategy

    from tokharness.model import Case, Description, TargetFacts, Tokenizer
    from tokharness.training import TrainingOptions, TrainingResult

    Progress: TypeAlias = Callable[[int], object]
    Train: TypeAlias = Callable[[Iterable[str], Path, TrainingOptions, Progress], TrainingResult]

COLUMNS = ("decoded", "reference_ids")
"""Columns of a batch that cost time; a check without ``COLUMNS`` gets all of them."""


@dataclass(frozen=True, slots=True)
class AnyCheck:
    """What checks of all kinds have.

    Attributes:
        code: Its code, such as ``TOK101``.
        name: Its name.
        page: The docstring of the module, which is its documentation.

    """

    code: str
    name: str
    page: str

    def matches(self, selector: str) -> bool:
        """Whether a selector, a code, a prefix of a code (``TOK1``) or a name, has this check."""
        return self.name == selector or self.code.startswith(selector.upper())


@dataclass(frozen=True, slots=True)
class Check(AnyCheck):
    """One property: a module with ``CODE``, ``NAME``, and ``failing``/``diagnose`` or ``audit``.

    Attributes:
        requires: Optional methods of the target without which the check is skipped; also
            ``reference``, a method of it such as ``reference.token_text``, and ``cases`` for the
            enumerated cases of families. Of two names with "or" between them, one suffices.
        columns: The columns of a batch that ``failing`` reads in addition to texts, ids and errors.
        failing: ``failing(batch, subject)`` returns the rows that fail. It has to be cheap.
        diagnose: ``diagnose(text, subject)`` calls the target again for one text and returns the
            causes that may explain a failure, the most specific first; none if it does not fail.
        audit: ``audit(subject)`` examines the whole target and yields failures.
        evidence: ``evidence(text, cause, subject)`` returns plain data by name about one failing
            text: what the target gave and what was expected. None if the check has no such
            function.
        predicts: ``predicts(cause, texts, subject)`` says whether a cause of some failing texts
            predicts the target's results for these texts and for texts that do not fail; otherwise
            the cause is reported as a symptom. None if the check has no such function.
        profiles: The profiles that run the check; empty for all. Other profiles run it only if it
            is selected.
        owned_causes: Kinds of causes that this check reports even if a check with a lower code also
            finds them.
        needs_reach: Whether the audit needs a text with each token; a worker searches for these
            texts once for all such audits.
        of_tokens_alone: Whether the audit needs no ids of texts, and so runs on a target that has
            none.
        promise: The line of the scorecard that has its findings, such as ``text of tokens``; "" for
            the line of other checks, unless the scorecard itself names the check.
        module: The dotted name of its module.

    """

    requires: tuple[str, ...]
    columns: tuple[str, ...]
    failing: Callable[..., Sequence[int]] | None
    diagnose: Callable[..., Sequence[Any]] | None
    audit: Callable[..., Iterable[Any]] | None
    profiles: tuple[str, ...] = ()
    owned_causes: tuple[str, ...] = ()
    needs_reach: bool = False
    of_tokens_alone: bool = False
    promise: str = ""
    module: str = ""
    evidence: Callable[..., Mapping[str, Any]] | None = None
    predicts: Callable[..., bool] | None = None


@dataclass(frozen=True, slots=True)
class ChatCheck(AnyCheck):
    """One property of a chat template: a module with ``CODE``, ``NAME`` and ``examine``.

    Attributes:
        examine: ``examine(chat)`` yields a problem for each conversation that shows one.
        needs_tokens: Whether it needs a tokenizer in addition to the template; or the name of
            what a chat has that serves where there is none, such as ``begin``.
        not_applicable: ``not_applicable(chat)`` says why the check has nothing to see, or "".

    """

    examine: Callable[[Any], Iterable[Any]]
    needs_tokens: bool | str
    not_applicable: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class ChunkCheck(AnyCheck):
    """One property of a chunker: a module with ``CODE``, ``NAME``, ``problems`` or ``audit``.

    Attributes:
        problems: ``problems(splitting, trial)`` yields what a trial shows.
        audit: ``audit(splitting)`` yields what the whole chunker shows.
        not_applicable: ``not_applicable(splitting)`` says why the check has nothing to see, or "".

    """

    problems: Callable[[Any, Any], Iterable[Any]]
    audit: Callable[[Any], Iterable[Any]]
    not_applicable: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class ParserCheck(AnyCheck):
    """One property of a stream parser: a module with ``CODE``, ``NAME`` and ``problems``.

    Attributes:
        problems: ``problems(parser, stream)`` yields what a stream shows.

    """

    problems: Callable[[Any, Any], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Family:
    """A module of cases, enumerated (``cases``) and random (``strategy``).

    Attributes:
        name: Its name.
        page: The docstring of the module, which is its documentation.
        cases: ``cases(facts)`` yields the cases, always in the same order.
        strategy: ``strategy(facts)`` returns the Hypothesis strategy of random texts.
        texts: ``texts(facts)`` returns the texts of the cases as a sequence. A module with very
            many or very long texts has a lazy sequence of its own.
        unpack: ``unpack(text)`` returns the parts of a packed text, each of which fails alone if it
            makes the packed text fail; no parts for any other text. If a packed text fails, its
            parts run, and the parts that fail are reported in its place. None if the family packs
            no texts.
        exhaustive: The family has all texts of a kind. Checks that call the target again use only
            few of its texts.
        compared: False if the texts are too long for a reference in plain Python.
        replayed: The texts are regressions of the user's project. They run before all others, in
            every profile and with all checks, and no baseline includes them.
        module: The dotted name of its module.

    """

    name: str
    page: str
    cases: Callable[[TargetFacts], Iterator[Case]]
    strategy: Callable[[TargetFacts], SearchStrategy[str]]
    texts: Callable[[TargetFacts], Sequence[str]]
    unpack: Callable[[str], Sequence[str]] | None = None
    exhaustive: bool = False
    compared: bool = True
    replayed: bool = False
    module: str = ""


@dataclass(frozen=True, slots=True)
class Trainer:
    """A trainer of vocabularies: a module with ``NAME``, ``OPTIONS``, ``train`` and ``spec``.

    Attributes:
        name: The name of the model that it trains.
        page: The docstring of the module, which is its documentation.
        options: The names of the fields of ``TrainingOptions`` that it uses, without ``vocab_size``
            and ``jobs``. Other options are refused.
        train: ``train(texts, path, options, progress)`` trains a vocabulary on texts and writes it
            to a path. It calls ``progress`` with the number of tokens so far. It raises UsageError
            for invalid options before it reads the first text. Each file is written first under its
            name with ``.partial``.
        spec: ``spec(path)`` returns the spec of the target that loads the result.
        side_suffixes: The suffix that is added to the path for each further file that it writes.
        module: The dotted name of its module.

    """

    name: str
    page: str
    options: frozenset[str]
    train: Train
    spec: Callable[[Path], str]
    side_suffixes: tuple[str, ...] = ()
    module: str = ""


@dataclass(frozen=True, slots=True)
class Adapter:
    """A loader of targets: a module with ``SCHEME`` and ``load``.

    Attributes:
        scheme: The part of a spec before the first colon.
        page: The docstring of the module, which is its documentation.
        load: ``load(rest)`` returns the tokenizer for the rest of a spec.
        reference: ``reference(rest)`` returns the spec of the automatic reference, or None.
        names: ``names()`` returns the names of known targets.
        versions: ``versions()`` returns the versions of the libraries that it uses, by name.
        guarded: Its targets cannot crash our process, as they run in a separate one.
        trainers: ``trainers()`` returns trainers by the name of their model. In a module it
            returns the modules of the trainers.
        module: The dotted name of its module.
        runs_code: Loading a target runs code that the spec names, so a spec from a file of the
            project is announced before it is loaded, and a path without a scheme is not loaded.
            False only if a target is mere data.
        recognize: ``recognize(path)`` returns the rest of each spec with which it loads a file or
            a folder, seen from its content. The path exists, and is a file or a folder. A module
            may return one string or None.
        describe: ``describe(rest)`` returns the content of the files that ``load(rest)`` reads,
            or None if it reads none, or the adapter cannot describe them.
        write_file: ``write_file(description, folder)`` writes a file of a description into a
            folder, and returns the spec of the target that reads it; None for a description of
            another adapter's files.
        plain_files: Our own code reads a target from files, which it opens with Python's ``open``
            while the target is loaded; the target depends on nothing else.
        healthy: ``healthy(rest)`` returns the rest of the spec of each small healthy file of the
            same kind. A fault that all files show, and that the references of the small files do
            not show, is a fault of the library. A module may return one string or None.
        aliases: ``aliases()`` returns further names of targets, which are not listed.
        alone: ``alone(rest)`` returns the arguments of a program that serves the target without
            anything of ours in its process, by the protocol of ``command:``; empty without one. A
            target may recognize what checks it.
        also_reads: ``also_reads(path)`` returns the rest of the spec of each further program that
            is installed and reads a file, in which ``recognize`` does not see a target. A
            comparison of all that reads the file has them.
        versions_of: ``versions_of(rest)`` returns the versions of what a target needs besides.
        library: The library of which a spec ``SCHEME@RELEASE:REST`` names another release; "" if
            there are no other releases of its targets.
        load_release: ``load_release(release, rest)`` returns the tokenizer of another release.
        prepare: ``prepare(release)`` makes what a release needs, if it is not there. It may take
            minutes. A target is loaded in a limited time, so a command calls this first.
        chat_templates: ``chat_templates(rest)`` returns the chat templates in the file that
            ``load(rest)`` reads, by name; one that is not named is ``default``.

    """

    scheme: str
    page: str
    load: Callable[[str], Tokenizer]
    reference: Callable[[str], str | None]
    names: Callable[[], tuple[str, ...]]
    versions: Callable[[], dict[str, str]]
    guarded: bool = False
    trainers: Callable[[], Mapping[str, Trainer]] = dict
    module: str = ""
    runs_code: bool = True
    recognize: Callable[[Path], tuple[str, ...]] = lambda _: ()
    describe: Callable[[str], Description | None] = lambda _: None
    write_file: Callable[[Description, Path], str | None] = lambda *_: None
    plain_files: bool = False
    healthy: Callable[[str], tuple[str, ...]] = lambda _: ()
    aliases: Callable[[], tuple[str, ...]] = tuple
    alone: Callable[[str], tuple[str, ...]] = lambda _: ()
    also_reads: Callable[[Path], tuple[str, ...]] = lambda _: ()
    versions_of: Callable[[str], dict[str, str]] = lambda _: {}
    library: str = ""
    load_release: Callable[[str, str], Tokenizer] | None = None
    prepare: Callable[[str], object] = lambda _: None
    chat_templates: Callable[[str], Mapping[str, str]] = lambda _: {}


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: a module with ``NAME`` and ``render``.

    Attributes:
        name: Its name.
        page: The docstring of the module, which is its documentation.
        render: ``render(report, width=..., color=...)`` returns the whole output.
        measures: The format shows metrics, so a run for it collects them by default.
        compares: The format can show targets side by side.
        module: The dotted name of its module.

    """

    name: str
    page: str
    render: Callable[..., str]
    measures: bool = False
    compares: bool = False
    module: str = ""


# The constants of a plugin's module, checked when the module is loaded.
#
# Each function raises ValueError for a wrong value: a typo would otherwise skip a check in every
# run. The patterns are those of ``schemas/report.json``: a report has no other codes and names.

CODE = re.compile(r"[A-Z]+[0-9]+")
NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
FAMILY = re.compile(r"[A-Za-z0-9-]+")
LINE = re.compile(
    r"[^\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    r"\ue000-\uf8ff\ufeff\ufff9-\uffff\U000e0000-\U0010ffff]*"
)
"""Text in one line without controls, bidi controls and most invisible characters."""

OR = " or "
"""Separator of two names in ``REQUIRES`` if a check needs only one of them."""

NOT_OF_A_TARGET = ("reference", "cases", "corpus", "embeddings")


def code_of(module: ModuleType) -> str:
    """Return ``CODE``, capital letters and a number, such as ``TOK101``."""
    return _matching("CODE", module.CODE, CODE, "capital letters and a number, such as TOK101")


def name_of(module: ModuleType, constant: str = "NAME") -> str:
    """Return ``NAME`` or another constant that is a name: lower-case words, joined by hyphens."""
    value = getattr(module, constant)
    return _matching(constant, value, NAME, "lower-case words joined by hyphens")


def family_name_of(module: ModuleType) -> str:
    """Return the name of a family: its module's name, with hyphens in place of underscores."""
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    return _matching(
        "the name of the module", name, FAMILY, "ASCII letters, digits and underscores"
    )


def requirements_of(module: ModuleType) -> tuple[str, ...]:
    """Return ``REQUIRES``: names of optional methods, of attributes of a target, and the like."""
    names = _names("REQUIRES", getattr(module, "REQUIRES", ()))
    known = (*OPTIONAL_METHODS, *NOT_OF_A_TARGET)
    for name in chain.from_iterable(each.split(OR) for each in names):
        if name.removeprefix("reference.") not in known and not hasattr(Target, name):
            raise ValueError(f"REQUIRES has {name!r}, not one of {', '.join(known)}")
    return names


def columns_of(module: ModuleType) -> tuple[str, ...]:
    """Return ``COLUMNS``, or all of them if the module has no such constant."""
    names = _names("COLUMNS", getattr(module, "COLUMNS", COLUMNS))
    for name in names:
        if name not in COLUMNS:
            raise ValueError(f"COLUMNS has {name!r}, not one of {', '.join(COLUMNS)}")
    return names


def _matching(constant: str, value: Any, pattern: re.Pattern[str], what: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"{constant} is {value!r}, not {what}")
    return value


def _names(constant: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, tuple | list) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"{constant} is {value!r}, not a tuple of names")
    return tuple(value)
