"""Run the checks of chat templates, and make the report."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokharness.conversations.drawing import parts_of
from tokharness.conversations.serve import LIMITS
from tokharness.conversations.shrinking import smallest
from tokharness.engine.events import FamilyFinished, TargetFinished, TargetStarted
from tokharness.escaping import shell
from tokharness.model import Finding, Skip
from tokharness.results.detectors import CONVERSATION, CONVERSATIONS, RENDERED
from tokharness.results.report import TargetReport

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.conversations.chat import Chat, Conversation, Problem
    from tokharness.model import Cause
    from tokharness.plugins import ChatCheck

DIFFERENTIAL = "TOK517"
"""Code of the check that compares with the reference."""

REFERENCE = "the reference"
"""Key of the evidence that says whether the reference gives the same ids."""

WITHOUT_IDS = "ids were not checked: there is no tokenizer; name one with --template FILE"
"""Why a check does not run, or looks at the text alone."""

MOST_RENDERED = 2_000
"""Characters of a rendering in the evidence of a finding."""


def examine(
    chat: Chat, spec: str, chosen: Sequence[ChatCheck], command: Sequence[str]
) -> TargetReport:
    """Return the report of the checks of one template.

    Args:
        chat: The template and its renderings.
        spec: What the report calls it.
        chosen: The checks to run.
        command: The arguments of ``tokharness chat`` with which a user examines it.

    """
    start = time.monotonic()
    findings: list[Finding] = []
    skips: list[Skip] = []
    ran: list[str] = []
    renders = bool(chat.rendered_shapes)
    for check in chosen:
        reason = _reason(check, chat, renders=renders)
        if reason:
            skips.append(Skip(spec, f"{check.code} {check.name}", reason))
            continue
        if check.needs_tokens and chat.tokens is None:
            skips.append(Skip(spec, f"{check.code} {check.name}", WITHOUT_IDS))
        ran.append(check.code)
        findings += _findings(check, chat, spec, command)
    if chat.gave_up and not any(one.cause.kind in LIMITS for one in findings):
        reason = "the template exceeds a limit, and the rest was not tried"
        skips.append(Skip(spec, "conversations", reason, unfinished=True))
    if not (chat.is_given or _has_begun(chat)) and _is_refused(chat):
        reason = "the template refuses them: give it one that it accepts with --conversation"
        skips.append(Skip(spec, "conversations", reason, unfinished=True))
    for other in chat.others:
        if other.is_full:
            reason = "its texts and ids take too much memory, and the rest was not compared"
            skips.append(Skip(spec, f"the renderer {other.name}", reason, unfinished=True))
    cases = len(chat.shapes)
    started = TargetStarted(spec, None, (), None, None, (CONVERSATIONS,), tuple(ran))
    return TargetReport(
        started=started,
        families=(FamilyFinished(spec, CONVERSATIONS, cases, failing=0),),
        findings=tuple(sorted(findings, key=lambda one: (one.rank, one.code, str(one.cause)))),
        skips=tuple(skips),
        finished=TargetFinished(spec, cases, time.monotonic() - start, 0.0),
    )


def _has_begun(chat: Chat) -> bool:
    """Whether a conversation renders that a user begins, perhaps behind a system message."""
    roles = ([row.get("role") for row in one.messages] for _, one, _ in chat.rendered_shapes)
    return any("user" in (row[0], *(row[1:2] if row[0] == "system" else ())) for row in roles)


def _is_refused(chat: Chat) -> bool:
    """Whether a single message of a user is refused."""
    return chat.rendered(chat.all[0][1]).failure == "refusal"


def _reason(check: ChatCheck, chat: Chat, *, renders: bool) -> str:
    """Return why a check does not run, or ""."""
    instead = check.needs_tokens
    is_said = isinstance(instead, str) and getattr(chat, instead)
    if check.needs_tokens and chat.tokens is None and not is_said:
        return WITHOUT_IDS
    if not renders and check.code not in ("TOK501", "TOK508", "TOK509"):
        return "no conversation renders"
    return check.not_applicable(chat)


def _findings(check: ChatCheck, chat: Chat, spec: str, command: Sequence[str]) -> list[Finding]:
    """Return a finding for each cause, with the smallest of its conversations."""
    by_cause: dict[Cause, list[Problem]] = {}
    for problem in check.examine(chat):
        by_cause.setdefault(problem.cause, []).append(problem)
    return [_finding(check, chat, problems, spec, command) for problems in by_cause.values()]


def _finding(
    check: ChatCheck,
    chat: Chat,
    problems: Sequence[Problem],
    spec: str,
    command: Sequence[str],
) -> Finding:
    rank = min(one.cause.verdict.rank for one in problems)
    best = min((one for one in problems if one.cause.verdict.rank == rank), key=_size)
    conversation, evidence = best.conversation, best.evidence
    if conversation is not None and best.smaller is not None:
        conversation = smallest(conversation, best.smaller, chat)
        if best.evidence_of is not None:
            evidence = best.evidence_of(conversation)
    if conversation is not None and not {RENDERED, "given", "raised"} & evidence.keys():
        evidence = {RENDERED: (chat.text(conversation) or "")[:MOST_RENDERED], **evidence}
    if check.needs_tokens and check.code != DIFFERENTIAL:
        evidence = {**evidence, **_of_reference(chat, conversation, evidence)}
    if conversation is not None and (parts := parts_of(chat, conversation)):
        evidence = {**evidence, CONVERSATION: parts}
    conversation = None if conversation is None else chat.sent(conversation)
    shapes = tuple(dict.fromkeys(name for one in problems for name in one.shapes))
    named = {"shapes": list(shapes)} if len(shapes) > 1 else {}
    return Finding(
        spec,
        check.code,
        check.name,
        best.cause,
        max(len(shapes), 1),
        None if conversation is None else conversation.as_json,
        (CONVERSATIONS,) if shapes else (),
        _command(check, best.cause, command, None if best.smaller is None else conversation),
        {**evidence, **named},
    )


def _of_reference(
    chat: Chat, one: Conversation | None, evidence: Mapping[str, Any]
) -> dict[str, str]:
    """Return whether the reference gives the ids that a finding is about; nothing if unknown.

    They are those of the rendering, or of the text of the evidence, which is a plain text.
    """
    tokens, reference = chat.tokens, chat.reference
    if tokens is None or reference is None or one is None or not reference.reads_special:
        return {}
    text = evidence.get("text")
    is_plain = isinstance(text, str) and "token" in evidence
    shown = text if is_plain else chat.text(one)
    if not isinstance(shown, str):
        return {}
    pair = [each.plain(shown) if is_plain else each.read(shown) for each in (tokens, reference)]
    if None in pair:
        return {}
    return {REFERENCE: "does the same" if pair[0] == pair[1] else "gives different ids"}


def _size(problem: Problem) -> tuple[bool, int, int]:
    """Return how far a conversation is from a small one that clients send."""
    one = problem.conversation
    if one is None:
        return False, 0, 0
    roles = [message.get("role") for message in one.messages]
    return "user" not in roles[:2], len(one.messages), len(one.as_json)


def _command(
    check: ChatCheck, cause: Cause, command: Sequence[str], one: Conversation | None
) -> str:
    words = ["tokharness", "chat", *command, "--select", check.code]
    renderer = dict(cause.parameters).get("renderer")
    words += [] if renderer is None else ["--renderer", renderer]
    if one is not None:
        words += ["--conversation", one.as_json]
    return " ".join(map(str, map(shell, words)))
