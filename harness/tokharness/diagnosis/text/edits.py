"""Losses of a round trip that no normal form explains: the end, a script, or single edits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from tokharness.model import Cause
from tokharness.unicode import properties
from tokharness.unicode.properties import characters_by_script, script_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tokharness.targets.subject import Subject

# Whether a target truncates texts at a number of characters, bytes or tokens.

LONG, VERY_LONG = 150_000, 1_200_000
"""Lengths in characters of the probe texts: above common buffer sizes, and above a million."""

LAST = 3
"""Bytes of a split character that may be missing or replaced at the end."""

Limit = tuple[int, str]


def length_limit_causes(
    text: str, result: str, subject: Subject, transform: Callable[[str], str | None], via: str
) -> list[Cause]:
    """Return the cause that names a length limit, if a limit explains why only a prefix is left."""
    prefix = result if text.startswith(result) else result.rstrip("\ufffd")
    if not prefix or len(prefix) >= len(text) or not text.startswith(prefix):
        return []
    long = LONG if len(prefix) < LONG else VERY_LONG
    limit = subject.cache.get_or_compute(
        f"{via}: limit to {long}", lambda: _limit(subject, transform, long)
    )
    if limit is None or not _is_limited_to(text, prefix, limit, subject):
        return []
    return [truncated_after(*limit)]


def truncated_after(most: int, unit: str) -> Cause:
    """Return the cause of a limit, such as 512 "tokens"."""
    message = f"the text is truncated after {most:,} {unit}"
    return Cause("truncated", (("after", f"{most} {unit}"),), message=message)


def _limit(subject: Subject, transform: Callable[[str], str | None], long: int) -> Limit | None:
    """Limit that two long texts show, one of 1-byte and one of 2-byte characters.

    None if the target raises on either text, which another check reports.
    """
    narrow, wide = "ab " * (long // 3), "\u00e9\u00e8 " * (long // 3)
    results = transform(narrow), transform(wide)
    if results[0] is None or results[1] is None:
        return None
    prefixes = [result.rstrip("\ufffd") for result in results if result is not None]
    cut = prefixes[0] != narrow
    if not (narrow.startswith(prefixes[0]) and wide.startswith(prefixes[1]) and cut):
        return None
    characters = [len(prefix) for prefix in prefixes]
    if characters[0] == characters[1]:
        return characters[0], "characters"
    if 0 <= characters[0] - len(prefixes[1].encode("utf-8", "replace")) <= LAST:
        return characters[0], "bytes of UTF-8"
    ids = subject.encode(narrow), subject.encode(wide)
    if ids[0] is None or ids[1] is None or len(ids[0]) != len(ids[1]):
        return None
    return len(ids[0]), "tokens"


def _is_limited_to(text: str, prefix: str, limit: Limit, subject: Subject) -> bool:
    """Whether the limit explains that just this prefix of the text is left."""
    most, unit = limit
    if unit == "characters":
        return len(prefix) == most
    if unit == "tokens":
        return len(subject.encode(text) or ()) == most
    return 0 <= most - len(prefix.encode()) <= LAST


# Scripts that a target loses, such as a model of characters whose corpus had no such text.

LEAST_CHARACTERS = 20
"""Least number of lost characters for which scripts are looked at."""

SAMPLE = 12
"""Letters, marks and digits of a script that are tried first."""

LEAST_SHARE = 0.8
"""Least share of a lost script's sample that is lost, and of lost letters in lost scripts."""

MOST_COUNTED = 2_000
"""Most characters of a script that are tried one by one; a larger lost script counts as whole."""

MOST_NAMED = 5


def describe_lost_scripts(
    lost: Collection[str], is_lost: Callable[[Sequence[str]], Sequence[bool]]
) -> str | None:
    """Name the scripts of lost characters, with their number; None if scripts do not explain them.

    ``is_lost`` says for each character whether it is lost in the same way.
    """
    if len(lost) < LEAST_CHARACTERS:
        return None
    scripts = characters_by_script()
    counts = {code: _count(members, is_lost) for code, members in scripts.items()}
    gone = [code for code, count in counts.items() if count]
    explained = set().union(*(scripts[code] for code in gone))
    letters = set().union(*scripts.values()).intersection(lost)
    if (
        not gone
        or len(gone) == len(scripts)
        or len(letters & explained) < LEAST_SHARE * len(letters)
    ):
        return None
    return f"{_listed(gone, list(scripts))} ({sum(counts.values()):,} characters)"


def _count(members: Sequence[str], is_lost: Callable[[Sequence[str]], Sequence[bool]]) -> int:
    """Count the lost characters of a script; 0 if most of it is not lost."""
    sample = is_lost(members[:: -(-len(members) // SAMPLE)])
    if sum(sample) < LEAST_SHARE * len(sample):
        return 0
    if all(sample) or len(members) > MOST_COUNTED:
        return len(members)
    return sum(is_lost(members))


def _listed(gone: Sequence[str], scripts: Sequence[str]) -> str:
    names = sorted(script_name(code).replace("_", " ") for code in gone)
    others = sorted(script_name(code).replace("_", " ") for code in set(scripts) - set(gone))
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    if len(others) <= MOST_NAMED:
        return f"every script but {', '.join(others)}"
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more scripts"


MARK = regex.compile(r"\p{M}")
REORDERED = Cause(
    "reordered characters", message="the characters come back in a different order", weak=True
)
REORDERED_MARKS = Cause(
    "reordered characters",
    (("characters", "combining marks"),),
    message="combining marks come back in a different order",
    weak=True,
)

CHANGED = Cause(
    "text changed",
    message="the text comes back changed, and no normal form or class of characters explains it",
    weak=True,
)


def edit_causes(text: str, result: str) -> list[Cause]:
    """Causes that name edited characters and their place; both ends if either is possible."""
    if reordered := order_causes(text, result):
        return [*reordered, CHANGED]
    added, dropped = len(result) - len(text), len(text) - len(result)
    at_ends = []
    if added > 0 and result.endswith(text):
        at_ends.append(_edit("added characters", result[:added], "at the start"))
    if added > 0 and result.startswith(text):
        at_ends.append(_edit("added characters", result[-added:], "at the end"))
    if dropped > 0 and text.endswith(result):
        at_ends.append(_edit("dropped characters", text[:dropped], "at the start"))
    if dropped > 0 and text.startswith(result):
        at_ends.append(_edit("dropped characters", text[-dropped:], "at the end"))
    edits = at_ends or [_inner_edit(text, result)]
    anywhere = _without_place(edits[0])
    return [*edits, anywhere, *_without_characters(anywhere), CHANGED]


def order_causes(text: str, result: str) -> list[Cause]:
    """Causes of two texts that have the same characters in a different order."""
    if Counter(text) != Counter(result):
        return []
    if MARK.sub("", text) == MARK.sub("", result):
        return [REORDERED_MARKS, REORDERED]
    return [REORDERED]


def _inner_edit(text: str, result: str) -> Cause:
    dropped, added = Counter(text) - Counter(result), Counter(result) - Counter(text)
    if not added and _is_subsequence(result, text):
        return _edit("dropped characters", "".join(dropped), "inside")
    if not dropped and _is_subsequence(text, result):
        return _edit("added characters", "".join(added), "inside")
    return CHANGED


def _without_place(cause: Cause) -> Cause:
    """Remove the place from a cause, so that texts with different places share the cause."""
    parameters = dict(cause.parameters)
    if "place" not in parameters:
        return cause
    place = parameters.pop("place")
    message = cause.message.removesuffix(f" {place}")
    return replace(cause, parameters=tuple(parameters.items()), message=message)


def _without_characters(cause: Cause) -> list[Cause]:
    """Remove the characters from a cause, too."""
    if "characters" not in dict(cause.parameters):
        return []
    change = "with several characters added" if _adds(cause.kind) else "without several characters"
    message = f"the text comes back {change}"
    return [replace(cause, parameters=(("characters", "several"),), message=message)]


def _is_subsequence(part: str, whole: str) -> bool:
    """Whether ``whole`` has the characters of ``part`` in the same order."""
    rest = iter(whole)
    return all(character in rest for character in part)


def _edit(kind: str, characters: str, place: str) -> Cause:
    """Make the cause of an edit; it names a single character, but not several."""
    named = "several" if len(set(characters)) > 1 else properties.label(characters[0])
    what = "several characters" if named == "several" else named
    change = f"with {what} added" if _adds(kind) else f"without {what}"
    message = f"the text comes back {change} {place}"
    return Cause(kind, (("characters", named), ("place", place)), message=message, weak=True)


def _adds(kind: str) -> bool:
    return kind.startswith("added")
