"""The settings of a session: command-line options, which override ini options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tokharness.config import PROFILES, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

FAIL_ON = ("bug", "risk")
BOOLEAN = ("false", "true")
PROFILE = "quick"


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """The targets to check, without duplicates, and the options of the runs."""

    specs: tuple[str, ...]
    options: Options


@dataclass(frozen=True, slots=True)
class PluginSetting:
    """An option and its ini equivalent; ``kind`` is a type of pytest's ini options."""

    option: str
    ini: str
    help: str
    kind: Literal["string", "linelist", "args"] = "string"
    metavar: str = "NAME"
    choices: tuple[str, ...] = ()

    @property
    def repeatable(self) -> bool:
        """Whether the option is repeatable."""
        return self.kind != "string"


SETTINGS = (
    PluginSetting("target", "targets", "Check this target; repeatable.", "linelist", "SPEC"),
    PluginSetting(
        "against", "against", "Compare with this target; none: do not compare.", metavar="SPEC|none"
    ),
    PluginSetting(
        "profile",
        "profile",
        f"How thorough the run is (default: {PROFILE}).",
        choices=tuple(PROFILES),
    ),
    PluginSetting(
        "select", "select", "Run only these checks: codes, prefixes of codes, or names.", "args"
    ),
    PluginSetting("ignore", "ignore", "Skip these checks.", "args"),
    PluginSetting("family", "families", "Run only these case families.", "args"),
    PluginSetting(
        "fail-on",
        "fail_on",
        "Fail if a finding has this verdict or worse (default: bug).",
        choices=FAIL_ON,
    ),
    PluginSetting(
        "fail-on-library",
        "fail_on_library",
        "Whether what is the library's, whatever the file, fails too (default: false).",
        choices=BOOLEAN,
    ),
    PluginSetting(
        "regressions",
        "regressions",
        "Folder with regressions, relative to the rootdir (default: that of the policy).",
        metavar="FOLDER",
    ),
    PluginSetting("seed", "seed", "Seed of the random cases (default: 0).", metavar="N"),
)


def add_options(parser: pytest.Parser) -> None:
    """Add all settings, as options and as ini options."""
    group = parser.getgroup("tokharness", "tokharness: Unicode robustness checks for tokenizers")
    for setting in SETTINGS:
        values: dict[str, Any] = (
            {"choices": setting.choices} if setting.choices else {"metavar": setting.metavar}
        )
        action = "append" if setting.repeatable else "store"
        dest = f"tokharness_{setting.ini}"
        name = f"--tokharness-{setting.option}"
        group.addoption(name, dest=dest, action=action, default=None, help=setting.help, **values)
        parser.addini(dest, setting.help, type=setting.kind, default=None)


def parse_settings(config: pytest.Config) -> CheckRequest:
    """Parse the settings; names of checks, families and targets are not looked up yet.

    A target that is named by a path becomes a spec, which reads the path.

    Raises:
        pytest.UsageError: an ini option has an invalid value, or a path is not recognized.

    """
    values = {setting.ini: _value(config, setting) for setting in SETTINGS}
    specs = _specs(values["targets"], "--tokharness-target")
    against = values["against"] or None
    if specs and against:
        (against,) = _specs([against], "--tokharness-against")
    return CheckRequest(
        specs,
        Options(
            against=against,
            select=_split_commas(values["select"]),
            ignore=_split_commas(values["ignore"]),
            families=_split_commas(values["families"]),
            fail_on=_choice("fail_on", values["fail_on"] or FAIL_ON[0], FAIL_ON),  # type: ignore[arg-type]
            fail_on_library=_choice(
                "fail_on_library", values["fail_on_library"] or BOOLEAN[0], BOOLEAN
            )
            == BOOLEAN[1],
            profile=_choice("profile", values["profile"] or PROFILE, tuple(PROFILES)),
            seed=_number(values["seed"] or "0"),
            regressions=str(config.rootpath / values["regressions"])
            if values["regressions"]
            else None,
        ),
    )


def specs_of_mark(mark: pytest.Mark | None) -> tuple[str, ...]:
    """Return the specs of a mark; none if there is no mark.

    A word that is neither a spec nor a recognized path stays as it is: the fixture reports it.
    """
    if mark is None:
        return ()
    if not mark.args or not all(isinstance(spec, str) for spec in mark.args):
        pytest.fail('the mark needs specs: tokharness_target("SPEC", ...)', pytrace=False)
    from tokharness.errors import TokharnessError
    from tokharness.plugins.bare_paths import spec_of

    specs = []
    for word in mark.args:
        try:
            specs.append(spec_of(word))
        except TokharnessError:
            specs.append(word)
    return tuple(dict.fromkeys(specs))


def _specs(words: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the specs of targets, without duplicates; the word none stays."""
    if not words:
        return ()
    from tokharness.errors import TokharnessError
    from tokharness.escaping import visible
    from tokharness.plugins.bare_paths import spec_of

    try:
        specs = [word if word == "none" else spec_of(word, before=option) for word in words]
    except TokharnessError as error:
        raise pytest.UsageError(visible(str(error))) from error
    return tuple(dict.fromkeys(specs))


def _value(config: pytest.Config, setting: PluginSetting) -> Any:
    name = f"tokharness_{setting.ini}"
    value = config.getoption(name)
    given = [value] if isinstance(value, str) else value or []
    if not all(_split_commas([one]) for one in given):
        raise pytest.UsageError(f"--tokharness-{setting.option} has an empty value")
    if value is None:
        value = config.getini(name)
    return value or ([] if setting.repeatable else "")


def _split_commas(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    if value not in choices:
        raise pytest.UsageError(f"tokharness_{name} is {value!a}: choose from {', '.join(choices)}")
    return value


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise pytest.UsageError(f"tokharness_seed must be a number, not {value!a}") from None
