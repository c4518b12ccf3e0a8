"""What a session is asked to check: options of the command line, which go before ini options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tokharness.config import PROFILES, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Asked", "add_options", "asked_of", "words_of_mark"]

FAIL_ON = ("bug", "risk")
PROFILE = "quick"


@dataclass(frozen=True, slots=True)
class Asked:
    """Targets to check, without repetition, and how."""

    targets: tuple[str, ...]
    options: Options


@dataclass(frozen=True, slots=True)
class Setting:
    """One option and its ini equivalent, which is of a ``kind`` that pytest knows."""

    option: str
    ini: str
    help: str
    kind: Literal["string", "linelist", "args"] = "string"
    metavar: str = "NAME"
    choices: tuple[str, ...] = ()

    @property
    def many(self) -> bool:
        """Whether it may be given more than once."""
        return self.kind != "string"


SETTINGS = (
    Setting("target", "targets", "Check this target; repeatable.", "linelist", "SPEC"),
    Setting("against", "against", "Compare with this target, or with none.", metavar="SPEC|none"),
    Setting("profile", "profile", f"How thorough (default: {PROFILE}).", choices=tuple(PROFILES)),
    Setting("select", "select", "Only these checks: a code, its beginning, or a name.", "args"),
    Setting("ignore", "ignore", "Leave these checks out.", "args"),
    Setting("family", "families", "Only these case families.", "args"),
    Setting("fail-on", "fail_on", "How bad a finding fails (default: bug).", choices=FAIL_ON),
    Setting(
        "regressions",
        "regressions",
        "Folder of texts that are tried first, beside pytest's ini file (default: the policy's).",
        metavar="FOLDER",
    ),
    Setting("seed", "seed", "Seed of the random cases (default: 0).", metavar="N"),
)


def add_options(parser: pytest.Parser) -> None:
    """Add all settings, as options and as ini options."""
    group = parser.getgroup("tokharness", "tokharness: hostile Unicode for tokenizers")
    for one in SETTINGS:
        shown: dict[str, Any] = (
            {"choices": one.choices} if one.choices else {"metavar": one.metavar}
        )
        action = "append" if one.many else "store"
        dest = f"tokharness_{one.ini}"
        name = f"--tokharness-{one.option}"
        group.addoption(name, dest=dest, action=action, default=None, help=one.help, **shown)
        parser.addini(dest, one.help, type=one.kind, default=None)


def asked_of(config: pytest.Config) -> Asked:
    """What the options ask for; the names in it are not looked at.

    Raises:
        pytest.UsageError: an ini option has a value that it cannot have.

    """
    given = {one.ini: _value(config, one) for one in SETTINGS}
    return Asked(
        tuple(dict.fromkeys(given["targets"])),
        Options(
            against=given["against"] or None,
            select=_words(given["select"]),
            ignore=_words(given["ignore"]),
            families=_words(given["families"]),
            fail_on=_chosen("fail_on", given["fail_on"] or FAIL_ON[0], FAIL_ON),  # type: ignore[arg-type]
            profile=_chosen("profile", given["profile"] or PROFILE, tuple(PROFILES)),
            seed=_number(given["seed"] or "0"),
            regressions=str(config.rootpath / given["regressions"])
            if given["regressions"]
            else None,
        ),
    )


def words_of_mark(mark: pytest.Mark | None) -> tuple[str, ...]:
    """Specs that a mark names; none without a mark."""
    if mark is None:
        return ()
    if not mark.args or not all(isinstance(spec, str) for spec in mark.args):
        pytest.fail('the mark takes specs: tokharness_target("SPEC", ...)', pytrace=False)
    return tuple(dict.fromkeys(mark.args))


def _value(config: pytest.Config, one: Setting) -> Any:
    name = f"tokharness_{one.ini}"
    value = config.getoption(name)
    if value is None:
        value = config.getini(name)
    return value or ([] if one.many else "")


def _words(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _chosen(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise pytest.UsageError(f"tokharness_{name} is {value!a}: choose from {', '.join(choices)}")
    return value


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise pytest.UsageError(f"tokharness_seed is a number, not {value!a}") from None
