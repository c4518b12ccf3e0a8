"""The library has loaded a vocabulary or a stage that differs from the file.

Why it matters: a library may load a file and change it. It may give an added token an id that
differs from the file, leave out a token that it takes for a duplicate, or ignore a newer field.
Each later id then means a different token than for the model, and nothing raises.

Oracle: differential. The reference reads the same file. The text of each id is compared as it
stands in the vocabulary (``token_text``), before any decoder; so are size, holes, known ids, and
the ids of special and other added tokens. TOK106 and TOK201 compare tokens that have bytes and no
texts. If the library writes what it has loaded (``load_differences``), the type and the settings of
each loaded stage are compared with the file. Of a library that constrains what a model writes
(``grammar:``), the bytes of each id are compared, and which ids are special.

Verdicts: *bug*, one for each kind of difference: ids with *other tokens*, *missing ids*, *further
ids*, *other special tokens*, *other added tokens*; and one for each type or setting of a stage that
is loaded with another value. *Risk* for a field of the file that the library ignores, such as a
misspelled field, and for another post-processor, which only changes the ids around a text. *Fact*:
ids without a token below the largest id. Of a grammar library, each way in which ids differ is a
*bug*, but for added tokens that it takes for special ones, a *risk*, and for tokens of bytes that
no UTF-8 text has, a *fact*.

Example: an added token whose id in the file is not the next free id::

    TOK203 bug  loaded vocabulary: other special tokens   <far> (282, in the file 5000)

What to do: write the file again with the release of the library that loads it, and compare the ids
with the ids that the model was trained on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokharness.diagnosis.comparisons import compared_call
from tokharness.diagnosis.vocabulary.shared_ids import shared_ids
from tokharness.diagnosis.vocabulary.token_tables import table_differences, table_of
from tokharness.errors import TargetDeath
from tokharness.model import Cause, Failure, Verdict
from tokharness.outcome import Raised

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokharness.model import Target
    from tokharness.targets.subject import Subject

__all__ = ["CODE", "NAME", "OF_TOKENS_ALONE", "REQUIRES", "audit"]


# Stages that a library has loaded with another type or other settings than its file says.

KIND = "loaded stage"
STAGES_METHOD = "load_differences"
MOST_STAGES = 20


def loaded_stage_failures(subject: Subject) -> Iterator[Failure]:
    """Report each field that is loaded with another value: a bug, or a risk."""
    if not subject.target.can(STAGES_METHOD):
        return
    rows = subject.target.call(STAGES_METHOD, MOST_STAGES)
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, list | tuple) and [type(part) for part in row] == [str] * 4:
            yield _failure(*row)


def _failure(stage: str, field: str, written: str, loaded: str) -> Failure:
    ignored = loaded == "none" and field.rpartition(".")[2] != "type"
    what = "the library ignores it" if ignored else f"the library has loaded {loaded}"
    message = f"{stage}: {field} is {written} in the file, and {what}"
    only_around = stage == "post-processor"  # the ids around a text, which a class may declare
    verdict = Verdict.RISK if ignored or only_around else Verdict.BUG
    cause = Cause(KIND, (("stage", stage), ("field", field)), verdict, message)
    evidence = {"entry point": f"loading {field}", "given": loaded, "expected": written}
    return Failure(cause, evidence={"stage": stage, **evidence})


CODE = "TOK203"
NAME = "vocabulary-differs-from-reference"
REQUIRES = ("reference", "token_text", "reference.token_text")
OF_TOKENS_ALONE = True

METHOD = "token_text"
MOST_SHOWN = 20
Texts = dict[int, str]


def audit(subject: Subject) -> Iterator[Failure]:
    """Compare stages with the file and all tokens with the reference, and report holes."""
    yield from loaded_stage_failures(subject)
    target, reference = subject.target, subject.reference
    if reference is None:
        return
    if target.tokens_alone:
        yield from _table_failures(subject, reference)
        return
    size = max(target.n_vocab or 0, reference.n_vocab or 0)
    ours, theirs = (_tokens(one, size) for one in (target, reference))
    moved: set[int] = set()
    for kind in ("special tokens", "added tokens"):
        name = kind.replace(" ", "_")
        both = (dict(getattr(target, name)), dict(getattr(reference, name)))
        differ = sorted({text for text, _ in both[0].items() ^ both[1].items()})
        moved.update(one[text] for one in both for text in differ if text in one)
        if differ:
            yield _special_tokens(kind, differ, *both, subject)
    differences = {
        "other tokens": {n for n in ours.keys() & theirs.keys() if ours[n] != theirs[n]},
        "missing ids": theirs.keys() - ours.keys(),
        "further ids": ours.keys() - theirs.keys(),
    }
    for kind, ids in differences.items():
        # Moved ids are reported as special or added tokens, and shared ids by TOK407.
        if left := ids - moved - shared_ids(subject).keys():
            yield _difference(kind, sorted(left), ours, theirs, subject)
    holes = size - len(ours.keys() | theirs.keys())
    if holes and not target.can("decode_single_token_bytes"):  # else TOK407 reports them
        message = f"{holes:,} of {size:,} ids have no token"
        yield Failure(Cause("loaded vocabulary", (("has", "holes"),), Verdict.FACT, message))


def _table_failures(subject: Subject, reference: Target) -> Iterator[Failure]:
    """Report what a library that shows its tokens alone takes ids for."""
    expected = table_of(replace(subject, target=reference, state=type(subject.state)()))
    for one in table_differences(table_of(subject), expected) if expected.tokens else ():
        cause = Cause("loaded vocabulary", (("has", one.name),), one.verdict, one.message)
        yield Failure(cause, count=len(one.ids), tokens={"": one.ids})


def _tokens(target: Target, size: int) -> Texts:
    """Return the text of each id that has a token."""
    texts = target.call_each(METHOD, range(size))
    for text in texts:
        if isinstance(text, Raised) and isinstance(text.error, TargetDeath):
            raise text.error  # a death does not mean that the id has no token
    return {number: str(text) for number, text in enumerate(texts) if not isinstance(text, Raised)}


def _difference(kind: str, ids: list[int], ours: Texts, theirs: Texts, subject: Subject) -> Failure:
    file = _file_of(subject)
    texts = [
        f"{number:,} ({ours.get(number, 'none')}, in {file} {theirs.get(number, 'none')})"
        for number in ids[:MOST_SHOWN]
    ]
    number = f"{kind}: {len(ids):,}"
    message = f"the loaded vocabulary is not the vocabulary of {file}; {number}, such as {texts[0]}"
    cause = Cause("loaded vocabulary", (("has", kind),), message=message)
    first = ids[0]
    given, expected = ours.get(first, "no token"), theirs.get(first, "no token")
    evidence = compared_call(METHOD, given, expected, subject, [first])
    return Failure(cause, count=len(ids), evidence=evidence | {"tokens": texts})


def _file_of(subject: Subject) -> str:
    """Return what the vocabulary is compared with: a named reference may have another file."""
    return "the reference" if subject.claims_parity else "the file"


def _special_tokens(
    kind: str,
    differ: list[str],
    ours: Mapping[str, int],
    theirs: Mapping[str, int],
    subject: Subject,
) -> Failure:
    """Report special or other added tokens whose id differs, or that only one side has."""
    file = _file_of(subject)
    texts = [
        f"{text} ({ours.get(text, 'none')}, in {file} {theirs.get(text, 'none')})"
        for text in differ[:MOST_SHOWN]
    ]
    message = f"{kind} that differ from the {kind} of {file}: {len(differ):,}, such as {texts[0]}"
    cause = Cause("loaded vocabulary", (("has", f"other {kind}"),), message=message)
    given, expected = ours.get(differ[0], "none"), theirs.get(differ[0], "none")
    evidence = compared_call(f"id in the {kind}", given, expected, subject, differ[0])
    return Failure(cause, count=len(differ), evidence=evidence | {"tokens": texts})
