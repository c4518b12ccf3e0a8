"""From modules to plugins; the functions of a plugin become calls that name it if they fail."""

from __future__ import annotations

import functools
import inspect
from collections import deque
from typing import TYPE_CHECKING, Any

from tokharness.model import Description
from tokharness.plugins.calls import (
    PluginFunction,
    checked_audit,
    checked_cases,
    checked_diagnose,
    checked_failing,
    checked_load,
    checked_recognize,
    checked_render,
    checked_result,
    checked_strings,
    checked_texts,
    checked_unpack,
    checked_versions,
    named_errors,
)
from tokharness.plugins.kinds import (
    Adapter,
    ChatCheck,
    Check,
    ChunkCheck,
    Family,
    Format,
    ParserCheck,
    Trainer,
    code_of,
    columns_of,
    family_name_of,
    name_of,
    requirements_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType

    from tokharness.model import TargetFacts


def check_of(module: ModuleType) -> Check:
    """Return the check of a module; raises AttributeError or ValueError."""
    audit = getattr(module, "audit", None)
    failing = getattr(module, "failing", None)
    if not (audit or failing):
        raise AttributeError(f"{module.__name__} has neither audit nor failing")
    call = functools.partial(PluginFunction, "check", module.__name__)
    diagnose = module.diagnose if failing else None
    evidence = getattr(module, "evidence", None)
    predicts = getattr(module, "predicts", None)
    if diagnose:
        diagnose = checked_diagnose(call("diagnose", "text, subject"), diagnose)
    return Check(
        code=code_of(module),
        name=name_of(module),
        page=_page(module),
        requires=requirements_of(module),
        columns=columns_of(module) if failing else (),
        failing=checked_failing(call("failing", "batch, subject"), failing) if failing else None,
        diagnose=diagnose,
        audit=checked_audit(call("audit", "subject"), audit) if audit else None,
        profiles=tuple(getattr(module, "PROFILES", ())),
        owned_causes=tuple(getattr(module, "OWNED_CAUSES", ())),
        needs_reach=bool(getattr(module, "NEEDS_REACH", False)),
        of_tokens_alone=bool(getattr(module, "OF_TOKENS_ALONE", False)),
        promise=str(getattr(module, "PROMISE", "")),
        module=module.__name__,
        evidence=named_errors(call("evidence", "text, cause, subject"), evidence)
        if evidence
        else None,
        predicts=named_errors(call("predicts", "cause, texts, subject"), predicts)
        if predicts
        else None,
    )


def chat_check_of(module: ModuleType) -> ChatCheck:
    """Return the check of chat templates of a module; raises AttributeError."""
    return ChatCheck(
        code_of(module),
        name_of(module),
        _page(module),
        module.examine,
        getattr(module, "NEEDS_TOKENS", False),
        getattr(module, "not_applicable", lambda _: ""),
    )


def chunk_check_of(module: ModuleType) -> ChunkCheck:
    """Return the check of chunkers of a module; raises AttributeError."""
    problems, audit = (getattr(module, name, None) for name in ("problems", "audit"))
    if problems is None and audit is None:
        raise AttributeError(f"{module.__name__} has neither problems nor audit")
    return ChunkCheck(
        code_of(module),
        name_of(module),
        _page(module),
        problems or (lambda _, __: ()),
        audit or (lambda _: ()),
        getattr(module, "not_applicable", lambda _: ""),
    )


def parser_check_of(module: ModuleType) -> ParserCheck:
    """Return the check of stream parsers of a module; raises AttributeError."""
    return ParserCheck(code_of(module), name_of(module), _page(module), module.problems)


def family_of(module: ModuleType) -> Family:
    """Return the case family of a module; raises AttributeError or ValueError."""
    name = family_name_of(module)
    call = functools.partial(PluginFunction, "family", module.__name__)
    cases = checked_cases(call("cases", "facts"), module.cases)

    def texts_of_cases(facts: TargetFacts) -> Sequence[str]:
        try:
            return [case.text for case in module.cases(facts)]
        except AttributeError:
            deque(cases(facts), maxlen=0)  # raises if an item is not a case
            raise

    texts = getattr(module, "texts", None)
    unpack = getattr(module, "unpack", None)
    return Family(
        name,
        _page(module),
        cases,
        named_errors(call("strategy", "facts"), module.strategy),
        checked_texts(call("texts", "facts"), texts)
        if texts
        else checked_texts(call("cases", "facts"), texts_of_cases),
        unpack=checked_unpack(call("unpack", "text"), unpack) if unpack else None,
        exhaustive=bool(getattr(module, "EXHAUSTIVE", False)),
        compared=bool(getattr(module, "COMPARED", True)),
        replayed=bool(getattr(module, "REPLAYED", False)),
        module=module.__name__,
    )


def adapter_of(module: ModuleType) -> Adapter:
    """Return the target adapter of a module; raises AttributeError or ValueError."""
    call = functools.partial(PluginFunction, "target adapter", module.__name__)
    return Adapter(
        name_of(module, "SCHEME"),
        _page(module),
        checked_load(call("load", "rest"), module.load),
        checked_result(
            call("reference", "rest"), getattr(module, "reference", lambda _: None), str
        ),
        checked_strings(call("names"), getattr(module, "names", tuple)),
        checked_versions(call("versions"), getattr(module, "versions", dict)),
        bool(getattr(module, "GUARDED", False)),
        lambda: _trainers(call("trainers"), getattr(module, "trainers", tuple)),
        module.__name__,
        bool(getattr(module, "RUNS_CODE", True)),
        checked_recognize(call("recognize", "path"), getattr(module, "recognize", lambda _: None)),
        checked_result(
            call("describe", "rest"), getattr(module, "describe", lambda _: None), Description
        ),
        checked_result(
            call("write_file", "description, folder"),
            getattr(module, "write_file", lambda *_: None),
            str,
        ),
        bool(getattr(module, "PLAIN_FILES", False)),
        checked_strings(call("healthy", "rest"), getattr(module, "healthy", lambda _: None)),
        checked_strings(call("aliases"), getattr(module, "aliases", tuple)),
        checked_strings(call("alone", "rest"), getattr(module, "alone", lambda _: ())),
        checked_recognize(
            call("also_reads", "path"), getattr(module, "also_reads", lambda _: None)
        ),
        checked_versions(call("versions_of", "rest"), getattr(module, "versions_of", lambda _: {})),
        str(getattr(module, "LIBRARY", "")),
        _load_release(call("load_release", "release, rest"), module),
        named_errors(call("prepare", "release"), getattr(module, "prepare", lambda _: None)),
        named_errors(
            call("chat_templates", "rest"), getattr(module, "chat_templates", lambda _: {})
        ),
    )


def _load_release(call: PluginFunction, module: ModuleType) -> Callable[[str, str], Any] | None:
    load = getattr(module, "load_release", None)
    return None if load is None else named_errors(call, load)


def trainer_of(module: ModuleType) -> Trainer:
    """Return the trainer of a module; raises AttributeError or ValueError."""
    call = functools.partial(PluginFunction, "trainer", module.__name__)
    return Trainer(
        name_of(module),
        _page(module),
        frozenset(module.OPTIONS),
        module.train,
        named_errors(call("spec", "path"), module.spec),
        tuple(getattr(module, "SIDE_SUFFIXES", ())),
        module.__name__,
    )


def _trainers(
    call: PluginFunction, trainers: Callable[[], Iterable[ModuleType]]
) -> Mapping[str, Trainer]:
    with call:
        found = map(trainer_of, trainers())
        return {trainer.name: trainer for trainer in found}


def format_of(module: ModuleType) -> Format:
    """Return the output format of a module; raises AttributeError or ValueError."""
    measures, compares = (bool(getattr(module, name, False)) for name in ("MEASURES", "COMPARES"))
    arguments = "report, width=..., color=..."
    call = PluginFunction("format", module.__name__, "render", arguments)
    render = checked_render(call, module.render)
    return Format(name_of(module), _page(module), render, measures, compares, module.__name__)


def _page(module: ModuleType) -> str:
    if not module.__doc__:
        raise AttributeError(f"{module.__name__} has no docstring, which is its page")
    return inspect.cleandoc(module.__doc__)
