"""The state of a tokenizer at one time: its fingerprint, its file, and what it gives for texts.

A snapshot keeps golden texts with their ids. It keeps only a digest of the texts of a *body*: every
token's own text, ordinary text in many languages, and the corpus of the user.

Of a chat template a baseline keeps its syntax, and what it makes of conversations.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from tokharness.model import Cause, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ENTRY_POINTS = ("encode", "encode_special")
"""Entry points that may return special ids, in addition to the entry point for plain text."""

WITH_SPECIAL = ("everyday", "family:special-tokens", "family:chat-templates")
"""Groups of the golden texts that are tried at these entry points."""

GOLDEN = "golden texts"
"""Group of a changed text that is a golden text."""

NO_CAUSE = "no cause was found"
"""Kind of the cause of unexplained changed ids; its parameter is the place of the difference."""

NOT_TRIED = "not tried"
"""Replaces the ids of a text that was skipped because it resembles a crashing text."""

Ids: TypeAlias = tuple[int, ...] | str
"""The ids of a text, or the name of the exception or of the death of the process."""


@dataclass(frozen=True, slots=True)
class Golden:
    """A text of the golden set, with its ids.

    ``group`` says why the text is in the set: ``everyday``, ``family:NAME``, ``language:CODE``,
    ``script:CODE`` or ``unicode:VERSION``.
    """

    group: str
    text: str
    ids: Ids


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Properties that distinguish a tokenizer from others; None if a property is unknown.

    ``vocabulary`` is a hash of the bytes of all ids. ``unicode_version`` is the version of the
    pre-tokenizer, ``normalizer_version`` the version of the normalizer, and ``case_version``
    the version of its case mapping.
    """

    vocabulary: str | None = None
    n_vocab: int | None = None
    pattern: str | None = None
    unicode_version: str | None = None
    normalizer: str | None = None
    normalizer_version: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    case_version: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A cause that explains why the ids of some golden texts changed."""

    cause: Cause
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileState:
    """The file of a target.

    ``format`` is its format, ``stages`` has a digest for each stage, and ``packed`` is its
    description in ASCII, from which the file can be written again; "" if it is too large to keep.
    """

    format: str
    stages: Mapping[str, str] = field(default_factory=dict)
    packed: str = ""

    def changed_stages(self, other: FileState) -> tuple[str, ...]:
        """Return the stages that both files mention and that differ."""
        shared = [name for name in self.stages if name in other.stages]
        return tuple(name for name in shared if self.stages[name] != other.stages[name])


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A text whose ids are not those of the earlier snapshot.

    ``group`` is ``golden text``, or the name of a body or family. ``before`` is None if only a
    digest of the ids was kept.
    """

    group: str
    text: str
    before: Ids | None
    after: Ids


@dataclass(frozen=True, slots=True)
class EarlierState:
    """What a snapshot is compared with, apart from the golden texts.

    ``file`` is None if the earlier target showed no file, and ``bodies`` has its packed digests.
    ``versions`` has the known Unicode versions of its stages.
    """

    file: FileState | None = None
    bodies: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FileEdit:
    """A difference between the file of the earlier snapshot and the present file.

    Attributes:
        stage: The stage of the file.
        what: The difference in a few words, such as ``merge 300 ('r', 'ite') is gone``.
        number: The number of equal differences that the edit represents.
        counts: How many texts of each group have different ids because of it.
        sampled: Groups of which only the shortest texts that may have changed were tried: more of
            their texts may have different ids.
        tokens: The change of the number of tokens of these texts by this edit, after the earlier
            edits; without cases of the run, of which only the shortest are tried.
        examples: The smallest texts, with their ids before and now.
        texts: The texts that it explains, of all groups.
        note: The effect of the edit that plain text does not show, in a few words.
        untried: Why texts were not tried with this edit, "" if they were.
        is_shared: Whether the first example also shows other edits.
        content: A digest of the whole difference, which ``what`` may abridge.

    """

    stage: str
    what: str
    number: int = 1
    counts: Mapping[str, int] = field(default_factory=dict)
    sampled: tuple[str, ...] = ()
    tokens: int = 0
    examples: tuple[ChangedText, ...] = ()
    texts: tuple[str, ...] = ()
    note: str = ""
    untried: str = ""
    is_shared: bool = False
    content: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a tokenizer at one time.

    Attributes:
        fingerprint: Properties that distinguish the tokenizer from others.
        golden: The golden texts with their ids.
        figures: Numbers about the vocabulary: the tokens with bytes, their mean and their largest
            length.
        explanations: Causes of the golden texts whose ids changed since the earlier snapshot.
        entries: Golden texts with special tokens whose ids at another entry point differ from their
            plain ids. Their group is the name of the other entry point.
        file: The file of the target, if it shows one.
        bodies: The packed digest of each body of texts, by its name.
        sizes: The number of texts of each body.
        changed: The shortest texts of each body and family whose ids changed since the earlier
            snapshot.
        changed_counts: The number of changed texts, by body or family.
        not_compared: The number of texts of each body that the earlier snapshot does not have.
        edits: The differences between the file of the earlier snapshot and the present file.

    """

    fingerprint: Fingerprint
    golden: tuple[Golden, ...]
    figures: Mapping[str, float] = field(default_factory=dict)
    explanations: tuple[Explanation, ...] = ()
    entries: tuple[Golden, ...] = ()
    file: FileState | None = None
    bodies: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    changed: tuple[ChangedText, ...] = ()
    changed_counts: Mapping[str, int] = field(default_factory=dict)
    not_compared: Mapping[str, int] = field(default_factory=dict)
    edits: tuple[FileEdit, ...] = ()


def fertility(golden: Sequence[Golden]) -> dict[str, float]:
    """Return the tokens per code point of each group, except groups of Unicode versions."""
    tokens: dict[str, list[int]] = {}
    for text in golden:
        if not isinstance(text.ids, str) and not text.group.startswith("unicode:"):
            counts = tokens.setdefault(text.group, [0, 0])
            counts[0] += len(text.ids)
            counts[1] += len(text.text)
    return {group: count / size for group, (count, size) in sorted(tokens.items()) if size}


def snapshot_record(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as plain data."""
    return asdict(snapshot) | {
        "explanations": [_explanation_record(item) for item in snapshot.explanations]
    }


def snapshot_of(record: Mapping[str, Any]) -> Snapshot:
    """Return the snapshot of a record; raises KeyError or TypeError if the record is invalid."""
    return Snapshot(
        fingerprint=Fingerprint(**record["fingerprint"]),
        golden=tuple(map(_golden_of, record["golden"])),
        figures=record["figures"],
        explanations=tuple(map(_explanation_of, record["explanations"])),
        entries=tuple(map(_golden_of, record["entries"])),
        file=None if record["file"] is None else FileState(**record["file"]),
        bodies=record["bodies"],
        sizes=record["sizes"],
        changed=tuple(map(_changed_of, record["changed"])),
        changed_counts=record["changed_counts"],
        not_compared=record["not_compared"],
        edits=tuple(map(_edit_of, record["edits"])),
    )


def earlier_record(earlier: EarlierState) -> dict[str, Any]:
    """Return the earlier state that a snapshot is compared with as plain data."""
    return asdict(earlier)


def earlier_of(record: Mapping[str, Any]) -> EarlierState:
    """Return the earlier state that a snapshot is compared with, from its record."""
    file = record["file"]
    return EarlierState(
        None if file is None else FileState(**file), record["bodies"], record["versions"]
    )


def _golden_of(record: Mapping[str, Any]) -> Golden:
    return Golden(record["group"], record["text"], ids_of(record["ids"]))


def _changed_of(record: Mapping[str, Any]) -> ChangedText:
    before = record["before"]
    return ChangedText(
        record["group"],
        record["text"],
        None if before is None else ids_of(before),
        ids_of(record["after"]),
    )


def _edit_of(record: Mapping[str, Any]) -> FileEdit:
    examples = tuple(map(_changed_of, record["examples"]))
    sampled, texts = tuple(record["sampled"]), tuple(record["texts"])
    return FileEdit(**{**record, "sampled": sampled, "examples": examples, "texts": texts})


def ids_of(value: Any) -> Ids:
    """Return the ids of a JSON value: a list of ids, or the name of the reason without ids."""
    return value if isinstance(value, str) else tuple(value)


def _explanation_record(explanation: Explanation) -> dict[str, Any]:
    cause = explanation.cause
    return {
        "kind": cause.kind,
        "parameters": dict(cause.parameters),
        "verdict": cause.verdict.value,
        "message": cause.message,
        "texts": list(explanation.texts),
    }


def _explanation_of(record: Mapping[str, Any]) -> Explanation:
    cause = Cause(
        record["kind"],
        tuple(record["parameters"].items()),
        Verdict(record["verdict"]),
        record["message"],
    )
    return Explanation(cause, tuple(record["texts"]))


@dataclass(frozen=True, slots=True)
class TemplateState:
    """A chat template at one time.

    Attributes:
        name: Its name, such as ``default``.
        source: Its text.
        syntax: A digest of its syntax tree, 16 hex digits; "" if it has none.
        variables: The special tokens that it gets as variables.
        renderings: For each shape of a conversation two digests of 16 hex digits, of the
            conversation and of what the template makes of it, message by message.
        open_fields: The kinds of texts that become control tokens; None if they were not looked
            for.

    """

    name: str
    source: str
    syntax: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    renderings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    open_fields: tuple[str, ...] | None = None
