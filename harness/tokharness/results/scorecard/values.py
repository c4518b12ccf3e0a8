"""What each line of a scorecard says, with its numbers.

Each function takes the report of a target and the findings of the line, and returns a
:class:`Value`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.boundary.entry_points import ENTRY_POINTS, Result
from tokharness.checks.costs_more_than_twin import is_of_like_length
from tokharness.diagnosis.special.default_entry_point import KIND as DEFAULT
from tokharness.model import Verdict
from tokharness.results.language_costs import costs_in_parallel_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokharness.model import Finding
    from tokharness.results.report import TargetReport

MOST_UNCHANGED = 0.9
"""Share of unchanged texts above which the line counts changed texts, not unchanged texts."""

MOST_COMPARED = 0.9
"""Share of compared texts below which a comparison says little about the other texts."""

OF_TEXTS = ("TOK102", "TOK104", "TOK105")
"""Checks that count texts that end in a crash, a hang or an error."""

IMITATING = ("special-tokens", "chat-templates")
"""The families whose texts imitate special tokens."""

_OF_A_WHOLE_TEXT = (
    *(Result.IDS, Result.IDS_OF_EACH, Result.SPANS, Result.NUMBER),
    *(Result.TEXT, Result.TEXT_OF_EACH, Result.BYTES, Result.PARTS),
)
COMPARED = tuple(one.name for one in ENTRY_POINTS[2:] if one.gives in _OF_A_WHOLE_TEXT)
"""Optional methods that have to agree with ``encode`` and ``decode``."""


@dataclass(frozen=True, slots=True)
class Value:
    """The text of a line.

    Attributes:
        text: The measurement; None without a measurement.
        numbers: The numbers of the text, by name.
        reason: Why there is no measurement.
        named: The findings that the text already names.
        is_partial: Whether so little was measured that the line is not "ok".

    """

    text: str | None
    numbers: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    named: Sequence[Finding] = ()
    is_partial: bool = False


def round_trip(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the texts that decode to themselves, and describe designed changes of other texts."""
    unchanged, total = _sum(target, "unchanged"), _cases(target)
    if unchanged is None:
        return Value("texts that came back were not counted")
    text = f"{unchanged:,} of {total:,} texts came back unchanged"
    if unchanged == total:
        text = f"all {total:,} texts came back unchanged"
    elif unchanged > MOST_UNCHANGED * total:
        text = f"all but {total - unchanged:,} of {total:,} texts came back unchanged"
    facts = [
        one
        for one in target.findings
        if one.verdict is Verdict.FACT and one.code in ("TOK101", "TOK102")
    ]
    if facts and unchanged < total:
        changes = "; ".join(dict.fromkeys(one.message for one in facts))
        text = f"{text}; among the others by design: {changes}"
    return Value(text, {"unchanged": unchanged, "texts": total})


def reference(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the texts that have the ids of the reference."""
    same, compared = _sum(target, "same_ids"), _sum(target, "compared")
    if same is None or compared is None:
        return Value("texts with the ids of the reference were not counted")
    against = target.started.against
    if not compared:
        return Value(None, reason=f"no text has ids of the target and of {against}")
    families = plugins.families()
    total = sum(
        one.cases
        for one in target.families
        if one.family not in families or families[one.family].compared
    )
    number = f"all {same:,}" if same == compared else f"{same:,} of {compared:,}"
    text = f"{number} texts have the ids of {against}"
    if compared < total:
        missing = f"{total - compared:,} of {total:,} were not compared"
        why = "since the target or the reference gives no ids for them"
        scanned = ((target.measures or {}).get("corpus") or {}).get("comparison")
        if scanned is not None and scanned["share"] < 1:
            why = "since a sample of the documents is"
        text = f"{text}; {missing}, {why}"
    is_partial = compared < MOST_COMPARED * total
    return Value(text, {"same_ids": same, "texts": compared}, is_partial=is_partial)


def special_tokens(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Count the texts that get the id of a special token which they only resemble."""
    texts = sum(one.cases for one in target.families if one.family in IMITATING)
    forging = [f for f in findings if f.code == "TOK103" and f.verdict is not Verdict.FACT]
    forged = sum(one.count for one in forging)
    corpus = (target.measures or {}).get("corpus")
    if corpus is None and not texts and not forged:
        return Value(None, reason=f"no family of {' and '.join(IMITATING)} ran")
    imitate = f"of {texts:,} texts that imitate special tokens"
    if {name for one in forging for name in one.families} - {*IMITATING}:  # any text may have one
        texts = sum(one.cases for one in target.families)
        imitate = f"of {texts:,} texts"
    if corpus is not None:
        texts = corpus["encoded"]
        imitate = f"of {texts:,} documents"
    text = f"none {imitate} gets a special id"
    if forged:
        text = f"at least {forged:,} {imitate} get a special id"
    if corpus is not None:
        found = sum(one["count"] for one in (*corpus["control"], *corpus["near_misses"]))
        times = "1 time" if found == 1 else f"{found:,} times"
        what = f"texts of special tokens, or texts that look like them, occur {times}"
        text = f"{text}; {what}" if found else text
    default = next((one for one in findings if one.cause.kind == DEFAULT), None)
    if default is None:
        return Value(text, {"forged": forged, "texts": texts})
    safe = dict(default.cause.parameters).get("safe with", "the safe setting")
    text = f"encode reads special tokens from text by default; with {safe}, {text}"
    return Value(text, {"forged": forged, "texts": texts}, named=[default])


def entry_points(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Count the entry points that agree."""
    names = [name for name in COMPARED if name in target.started.capabilities]
    number = len(names) + 2
    if not names:
        return Value("encode and decode are the only entry points", {"entry_points": number})
    problems = any(one.verdict is not Verdict.FACT for one in findings)
    text = f"{number} entry points {'were compared' if problems else 'agree'}"
    return Value(text, {"entry_points": number})


def crashes(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Count the texts that crash or hang the target, or raise an exception that they must not.

    A text may have several causes, so that their counts have no sum.
    """
    texts = _cases(target)
    counts = [
        one.count for one in findings if one.verdict is not Verdict.FACT and one.code in OF_TEXTS
    ]
    failing, least = max(counts, default=0), "at least " if len(counts) > 1 else ""
    number = f"{least}{failing:,} of" if failing else "none on"
    return Value(f"{number} {texts:,} texts", {"failing": failing, "texts": texts})


OF_CHAT = "TOK5"
"""The beginning of the codes of the checks of chat templates."""


def chat_template(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Count the checks of the chat template, and those that have a bug or a risk."""
    codes = {one.code for one in findings if one.verdict is not Verdict.FACT}
    number = sum(code.startswith(OF_CHAT) for code in target.started.checks)
    what = f"{len(codes)} of" if codes else "none of"
    found = f"{what} {number} checks of conversations found a bug or a risk"
    return Value(found, {"failing": len(codes), "checks": number})


def unicode_versions(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Return the Unicode version of each stage."""
    beginning = "Unicode version of the "
    stages = {
        one.cause.kind.removeprefix(beginning): dict(one.cause.parameters).get("is", "")
        for one in findings
        if one.verdict is Verdict.FACT and one.cause.kind.startswith(beginning)
    }
    if not stages and target.started.unicode_version:
        stages = {"split": target.started.unicode_version}
    if not stages:
        return Value(None, reason="no text shows which one the target has")
    by_version: dict[str, list[str]] = {}
    for stage, version in stages.items():
        by_version.setdefault(version, []).append(stage)
    return Value(", ".join(f"{key} ({'; '.join(names)})" for key, names in by_version.items()))


def digits(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Return the digit policy."""
    for one in findings:
        if one.cause.kind == "digit policy":
            policy = dict(one.cause.parameters).get("is", one.message)
            return Value("no policy predicts all numbers" if policy == "mixed" else policy)
        if one.cause.kind == "unknown digits":
            return Value(one.message)
    return Value(None, reason="no number shows how its digits are split")


def leading_space(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Return the leading-space policy, with the number of words that follow it."""
    policy = next((one for one in findings if one.cause.kind == "leading-space policy"), None)
    if policy is None:
        return Value(None, reason="no word shows it")
    joined, words = policy.evidence.get("joined"), policy.evidence.get("words")
    name = dict(policy.cause.parameters).get("is", policy.message)
    if not isinstance(joined, int) or not isinstance(words, int) or not words:
        return Value(name)
    text = f"{name}; {joined / words:.0%} of {words:,} words join the space before them"
    if not joined and "not encoded" in name:
        text = name
    return Value(text, {"joined": joined, "words": words})


def unreachable(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the tokens that no text gives."""
    kinds = {"unreachable tokens": "no text gives", "tokens not reached": "no tried text gives"}
    found = [one for one in findings if one.cause.kind in kinds]
    if not found:
        text = "each token whose bytes are known has a text, except bytes that no text needs"
        return Value(text, {"tokens": 0})
    total = found[0].evidence.get("tokens", 0)
    first, *others = (f"that {kinds[one.cause.kind]}" for one in found)
    text = f"{found[0].count:,} of {total:,} tokens {first}"
    for one, other in zip(found[1:], others, strict=True):
        text = f"{text}, and {one.count:,} {other}"
    return Value(text, {"tokens": sum(one.count for one in found)}, named=found)


def known_vocabulary(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Which published vocabulary it is, or is near to."""
    facts = (one.message for one in findings if one.verdict is Verdict.FACT)
    return Value(next(facts, "none that tokharness knows"))


def trained_embeddings(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the tokens whose embeddings look untrained."""
    return _counted(
        [one for one in findings if one.verdict is not Verdict.FACT],
        "{} have embeddings that look untrained",
        "no token has an embedding that looks untrained",
    )


def unused(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the tokens that the vocabulary, or the corpus, only has as parts of longer tokens."""
    residues = [one for one in findings if one.cause.kind == "residue tokens"]
    scaffolds = [one for one in findings if one.code == "TOK409"]
    if residues and not scaffolds:
        return _counted(residues, "{} that the corpus has only inside of longer tokens", "")
    return _counted(
        scaffolds,
        "{} that the vocabulary uses only to make one longer token",
        "no token is used only to make one longer token, right after it",
    )


def partial_tokens(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the tokens that hold part of a character."""
    partial = [one for one in findings if one.code == "TOK402"]
    return _counted(partial, "{} with part of a character", "no token holds part of a character")


def token_texts(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Count the tokens with hidden or dangerous text."""
    return _counted(
        [one for one in findings if one.code == "TOK408" and one.verdict is not Verdict.FACT],
        "{} with hidden or dangerous text",
        "no token has hidden or dangerous text",
    )


def growth(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Whether time and memory grow faster than the length of the text."""
    if findings:
        return Value("; ".join(one.message for one in findings), named=findings)
    return Value("time and memory grow with the length of the runs that were measured, no faster")


def languages(target: TargetReport, findings: Sequence[Finding]) -> Value:
    """Return the costs of languages, from a parallel text or else estimated by names."""
    exact = costs_in_parallel_text((target.measures or {}).get("parallel"))
    if exact is not None:
        named = ", ".join(f"{one.name} {one.shown}" for one in exact.worst)
        return Value(
            f"{len(exact.languages)} languages in the parallel text {exact.source}: the median is "
            f"{exact.shown_median} the tokens of English; most cost {named}"
        )
    table = next((one for one in findings if one.cause.kind == "costs of languages"), None)
    if table is None:
        return Value(None, reason="no name of a language was encoded")
    return Value(table.message)


def costs(target: TargetReport, findings: Sequence[Finding]) -> Value:  # noqa: ARG001
    """Return the cases that cost most against their plain twins."""
    table = next((one for one in findings if one.cause.kind == "costs of families"), None)
    rows = [] if table is None else table.evidence.get("families", [])
    if not rows:
        return Value(None, reason="no case could be compared with its twin")
    dearest = max(rows, key=lambda row: float(row["median"]))
    like = [row for row in rows if is_of_like_length(row["worst text"], row["its twin"])]
    worst = max(like or rows, key=lambda row: float(row["worst"]))
    return Value(
        f"disguised text costs {dearest['median']:,.1f} times its plain text on the median of "
        f"{dearest['family']}, and {worst['worst']:,.0f} times at most ({worst['family']})"
    )


def _counted(findings: Sequence[Finding], counted: str, without: str) -> Value:
    """Return the number of tokens in findings, or the words for a line without findings."""
    if not findings:
        return Value(without, {"tokens": 0})
    first = findings[0]
    total = first.evidence.get("tokens")
    of = f" of {total:,}" if isinstance(total, int) else ""
    tokens = f"{first.count:,}{of} tokens"
    return Value(counted.format(tokens), {"tokens": first.count}, named=findings)


def _causes(findings: Sequence[Finding]) -> str:
    return ", ".join(dict.fromkeys(str(one.cause) for one in findings))


def _cases(target: TargetReport) -> int:
    return sum(family.cases for family in target.families)


def _sum(target: TargetReport, name: str) -> int | None:
    """Return the sum of a count over all families; None if a family has no count."""
    counts = [getattr(family, name) for family in target.families]
    return None if None in counts else sum(counts)
