"""Scripts that a target loses, such as a model of characters whose corpus had no such text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.unicode.scripts import characters_by_script, script_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

__all__ = ["describe_lost_scripts"]

LEAST_CHARACTERS = 20
"""Lost characters without which no script is asked about."""

SAMPLE = 12
"""Letters, marks and digits of a script that are tried first."""

LEAST_SHARE = 0.8
"""Share of them that is lost if the script is; and of the lost characters that scripts explain."""

MOST_COUNTED = 2_000
"""A script with more characters counts as lost in whole."""

MOST_NAMED = 5


def describe_lost_scripts(
    lost: Collection[str], is_lost: Callable[[Sequence[str]], Sequence[bool]]
) -> str | None:
    """Name the scripts of lost characters, with their number; None if scripts do not explain them.

    ``is_lost`` says of each of some characters whether it is lost in the same way.
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
