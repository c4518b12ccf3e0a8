"""Find, read and validate the file of a policy; a value without an effect is refused."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.config import Options
from tokharness.engine.run.selection import (
    is_of_chat_alone,
    select_chat_checks,
    select_checks,
)
from tokharness.errors import UnknownNameError, UsageError
from tokharness.json_content import not_unicode
from tokharness.model import Verdict
from tokharness.policy import (
    NO_POLICY,
    OPTIONS,
    ExpectedDifference,
    NamedTarget,
    Policy,
    matches_check,
)
from tokharness.project import folders_upwards, is_of_another_user, require_inside, root_of
from tokharness.regular_files import read_file
from tokharness.results.untrusted import refuse_deep, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokharness.plugins import ChatCheck, Check

# Refuse a policy with a value that has no effect, or another effect than it seems to have.


def refuse_contradictions(policy: Policy) -> None:
    """Raise UsageError for names that are unknown, taken or excluded, and for outside paths."""
    _ = policy.folder, policy.regressions_folder  # raise for a path that leads out of the project
    for name in policy.targets:
        if ":" in name or name in plugins.adapters():
            raise UsageError(
                f"targets.{name}: the name of a target cannot be a spec or have a colon, since "
                "another target than the one on the command line would run: rename it"
            )
    families = _names(policy, "family")
    for name in families:
        if "." not in name:  # a module is imported only when it runs
            plugins.family(name)
    _refuse_checks_that_never_run(policy)


def _refuse_checks_that_never_run(policy: Policy) -> None:
    options = Options(select=_names(policy, "select"), ignore=_names(policy, "ignore"))
    of_texts = () if is_of_chat_alone(options) else select_checks(options)
    checks: list[Check | ChatCheck] = [*of_texts, *select_chat_checks(options)]
    keys = {"expect": policy.expect, "verdicts": policy.verdicts}
    keys |= {f"targets.{name}.expect": target.expect for name, target in policy.targets.items()}
    for key, selectors in keys.items():
        for selector in selectors:
            check = selector.partition(":")[0]
            if not any(matches_check(check, one.code, one.name) for one in checks):
                raise UsageError(
                    f"{key}: {selector!r} has no effect, since select and ignore exclude its "
                    "check: remove it, or let the check run"
                )


def _names(policy: Policy, key: str) -> tuple[str, ...]:
    return tuple(name.strip() for one in policy.options.get(key, ()) for name in one.split(","))


INTEGERS = ("seed", "examples", "jobs")
OWN, SHARED = "tokharness.toml", "pyproject.toml"
LARGEST = 1 << 63
"""Numbers of a policy are smaller than this; TOML has integers of 64 bits."""

MAX_SIZE = 1 << 20
"""Largest size in bytes of a file that has, or may have, a policy."""


def find(start: Path) -> Policy:
    """Read the nearest policy of a folder's project; an empty one if there is none.

    The policy is in the folder or above it, up to the root of the repository. Code that a policy
    names is run (``against``, ``targets``, ``family``), so a policy that others may have planted is
    not used.

    Raises:
        UsageError: the policy is invalid, or its file is a link that leads out of the project.

    """
    for path in _candidates(folders_upwards(start)):
        if not is_of_another_user(path, start):
            require_inside(path, root_of(start), "the policy")
            table = _table(path)
            if table is not None:
                return _policy(path, table)
    return NO_POLICY


def find_unused(start: Path) -> Path | None:
    """Return the nearest file with a policy that :func:`find` would not use, if it found none."""
    whole = Path(os.path.realpath(start))
    for path in _candidates([whole, *whole.parents]):
        with contextlib.suppress(OSError, UsageError):
            is_small = path.stat().st_size <= MAX_SIZE
            is_policy = path.name == OWN or (is_small and _table(path) is not None)
            is_used = path.parent in folders_upwards(start) and not is_of_another_user(path, start)
            if is_policy and not is_used:
                return path
    return None


def _candidates(folders: Iterable[Path]) -> Iterator[Path]:
    paths = (folder / name for folder in folders for name in (OWN, SHARED))
    return (path for path in paths if os.path.isfile(path))  # noqa: PTH113 - it raises nothing


def read(path: Path) -> Policy:
    """Read the policy of a file.

    Raises:
        UsageError: the file cannot be read, is not TOML, or has no policy or an invalid policy.

    """
    table = _table(path)
    if table is None:
        raise UsageError(f"{path} has no [tool.tokharness]")
    return _policy(path, table)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a policy (draft 2020-12)."""
    text = (Path(__file__).parent.parent / "schemas" / "policy.json").read_text(encoding="utf-8")
    policy_schema: dict[str, Any] = json.loads(text)
    return policy_schema


def _table(path: Path) -> dict[str, Any] | None:
    try:
        whole = tomllib.loads(read_file(path, MAX_SIZE).decode())
    except OSError as error:
        raise UsageError(f"cannot read the policy {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {not_unicode(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid TOML: {shortened(str(error))}") from error
    if path.name == SHARED:
        tool = whole.get("tool", {})
        table: dict[str, Any] | None = tool.get("tokharness") if isinstance(tool, dict) else None
        return table
    return whole


def _policy(path: Path, table: dict[str, Any]) -> Policy:
    _validate(path, table)
    try:
        policy = _build_policy(path, table)
        refuse_contradictions(policy)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return policy


def _build_policy(path: Path, table: dict[str, Any]) -> Policy:
    targets = {
        name: NamedTarget(
            spec=target["spec"],
            against=target.get("against"),
            expect=_expectations(target),
            budgets=_budgets(target),
        )
        for name, target in table.get("targets", {}).items()
    }
    for selector in table.get("verdicts", {}):
        _check_selector(selector.partition(":")[0])
    return Policy(
        path=path,
        options={key: table[key] for key in OPTIONS if key in table},
        baselines=table.get("baselines", NO_POLICY.baselines),
        regressions=table.get("regressions", NO_POLICY.regressions),
        corpus=table.get("corpus"),
        tolerance=table.get("tolerance", NO_POLICY.tolerance),
        verdicts={key: Verdict(value) for key, value in table.get("verdicts", {}).items()},
        expect=_expectations(table),
        budgets=_budgets(table),
        targets=targets,
        parity=tuple(map(_expected_difference, table.get("parity", {}).get("expect", ()))),
    )


def _expected_difference(row: Mapping[str, str]) -> ExpectedDifference:
    """Return the expectation of a row; raises UsageError for a blank or a wrong date."""
    if blank := [key for key, value in row.items() if not value.strip()]:
        raise UsageError(f"parity.expect: {blank[0]} is blank, and would mean any: write it")
    day = row.get("expires")
    try:
        expires = None if day is None else dt.date.fromisoformat(day)
    except ValueError as error:
        message = (
            f'parity.expect: expires takes a date such as "2027-03-31", not {shortened(str(day))!r}'
        )
        raise UsageError(message) from error
    return ExpectedDifference(row["cause"], row["reason"], expires, row.get("form", ""))


def _validate(path: Path, table: dict[str, Any]) -> None:
    """Raise UsageError for what the schema does not allow, with the nearest name for a key."""
    from jsonschema import Draft202012Validator

    try:
        refuse_deep(table)  # dotted keys nest as deep as they are long
    except ValueError as depth:
        raise UsageError(f"{path} is not a policy: {depth}") from depth
    for error in Draft202012Validator(schema()).iter_errors(table):
        where = ".".join(map(str, error.absolute_path))
        if error.validator == "additionalProperties" and isinstance(error.schema, dict):
            known = error.schema["properties"]
            unknown = min(set(error.instance) - set(known))
            inside = f" in {where}" if where else ""
            raise UsageError(f"{path}{inside}: {UnknownNameError('key', unknown, known)}")
        raise UsageError(f"{path}: {where or 'the policy'}: {shortened(error.message)}")
    for where, number in _numbers("", table):  # the schema accepts NaN, and 1.0 as an integer
        if not abs(number) < LARGEST:
            shown = shortened(str(number))
            raise UsageError(f"{path}: {where}: {shown} is not a finite number below 2^63")
        if isinstance(number, float) and where in INTEGERS:
            raise UsageError(f"{path}: {where}: {number} is not an integer")


def _numbers(where: str, value: Any) -> Iterator[tuple[str, float]]:
    if isinstance(value, int | float):
        yield where, value
    for key, item in value.items() if isinstance(value, dict) else ():
        yield from _numbers(f"{where}.{key}" if where else key, item)


def _expectations(table: Mapping[str, Any]) -> tuple[str, ...]:
    for expectation in table.get("expect", ()):
        _check_selector(expectation.partition(":")[0])
    return tuple(table.get("expect", ()))


def _check_selector(selector: str) -> None:
    checks = plugins.all_checks().values()
    if not any(matches_check(selector, check.code, check.name) for check in checks):
        names = [name for check in checks for name in (check.code, check.name)]
        raise UnknownNameError("check", selector, names)


def _budgets(table: Mapping[str, Any]) -> dict[str, float]:
    """Return budgets by group; Burmese, my and language:my are all ``language:my``."""
    from tokharness.unicode.languages import LANGUAGES, language_name
    from tokharness.unicode.properties import SCRIPT_NAMES

    budgets = table.get("budgets", {})
    if not budgets:
        return {}
    names = {language_name(code).lower(): code for code in LANGUAGES}
    kinds = {
        "language": LANGUAGES,
        "script": tuple(SCRIPT_NAMES),
        "family": tuple(name for name, one in plugins.families().items() if not one.replayed),
    }
    by_group = {}
    for key, budget in budgets.items():
        kind, colon, name = key.partition(":")
        if not colon:
            kind, name = "language", names.get(key.lower(), key)
        if kind not in kinds:
            raise UnknownNameError("kind of budget", kind, kinds)
        if name not in kinds[kind]:
            display_names = names if kind == "language" else ()
            raise UnknownNameError(kind, name, (*kinds[kind], *display_names))
        by_group[f"{kind}:{name}"] = float(budget)
    return by_group
