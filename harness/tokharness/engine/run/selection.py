"""Select checks and families, and say which checks cannot run on a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tokharness import plugins
from tokharness.config import PROFILES, Options
from tokharness.engine.regressions import read_regressions
from tokharness.errors import UnknownNameError, UsageError
from tokharness.plugins.kinds import OR, AnyCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokharness.plugins import ChatCheck, Check, Family
    from tokharness.targets.loading import LoadedSubject
    from tokharness.targets.subject import Subject

Kind = TypeVar("Kind", bound=AnyCheck)

LACKS = "the target has no "
"""Start of the reason to skip a check if the target lacks an entry point."""

NO_REFERENCE = "there is no reference to compare with: "
"""Start of the reason to skip a check that needs a reference."""

OF_TEXT = "token_text"
NO_IDS = "the target shows its tokens alone, and encodes no text"

SMALLEST_FAMILY = "plain-words"
"""The family of runs that need no family, such as those of an audit."""

CORPUS, EMBEDDINGS = "corpus", "embeddings"
"""Requirements of checks that read a file of the user, named by an option."""

OF_VOCABULARY = "TOK4"
"""The beginning of the codes of the checks that an audit runs."""

CASES = "cases"
"""The requirement of a check that needs the enumerated cases of families, with their twins."""

N_VOCAB = "n_vocab"
"""The requirement of every check that examines the vocabulary."""

NOT_OF_THE_SUBJECT = (CASES, CORPUS, EMBEDDINGS)

OF_REFERENCE = "reference."
"""Start of a requirement that names a method of the reference."""


def select_checks(options: Options) -> list[Check]:
    """Return the checks that ``select`` names and ``ignore`` does not, in the order of their codes.

    Checks of chat templates are not among them.

    Raises:
        UnknownNameError: a selector matches no check.
        UsageError: no check is left.

    """
    checks = list(plugins.checks().values())
    for selector in (*options.select, *options.ignore):
        if not any(check.matches(selector) for check in checks) and not is_of_chat(selector):
            everything = plugins.all_checks().values()
            names = [name for check in everything for name in (check.code, check.name)]
            raise UnknownNameError("check", selector, names)
    selected = [check for check in _selected(checks, options) if _has_files(check, options)]
    if not selected and any(map(is_of_chat, options.select)):
        raise UsageError(
            "--select leaves no check of texts, but only checks of chat templates: run "
            "`tokharness chat` or `tokharness check`"
        )
    if not selected:
        raise UsageError("no check is left: --ignore removes every check that --select names")
    return selected


def select_chat_checks(options: Options) -> list[ChatCheck]:
    """Return the checks of chat templates that the options select; perhaps none."""
    return _selected(plugins.chat_checks().values(), options)


def select_of_kind(checks: Iterable[Kind], options: Options, kind: str) -> list[Kind]:
    """Return the checks that the options select among the checks of one kind of target.

    Args:
        checks: All checks of the kind.
        options: What to select and to ignore.
        kind: The name of such a check in an error, such as ``check of parsers``.

    Raises:
        UnknownNameError: a selector matches no check.
        UsageError: no check is left.

    """
    known = list(checks)
    for name in (*options.select, *options.ignore):
        if not any(check.matches(name) for check in known):
            raise UnknownNameError(kind, name, [word for c in known for word in (c.code, c.name)])
    if not (chosen := _selected(known, options)):
        raise UsageError("--select and --ignore leave no check: omit one")
    return chosen


def _selected(checks: Iterable[Kind], options: Options) -> list[Kind]:
    return [
        check
        for check in checks
        if not options.select or any(check.matches(name) for name in options.select)
        if not any(check.matches(name) for name in options.ignore)
    ]


def is_of_chat(selector: str) -> bool:
    """Whether a selector names checks of chat templates, which run after those of texts."""
    return any(check.matches(selector) for check in plugins.chat_checks().values())


def is_of_chat_alone(options: Options) -> bool:
    """Whether options select checks of chat templates, and no check of texts."""
    checks = plugins.checks().values()
    return bool(options.select) and all(
        is_of_chat(one) and not any(check.matches(one) for check in checks)
        for one in options.select
    )


def _has_files(check: Check, options: Options) -> bool:
    """Whether the run has the files that a check reads, or the user selects the check by name."""
    asked = {check.code, check.name} & set(options.select)
    return bool(asked) or not _missing_files(check, options)


def _missing_files(check: Check, options: Options) -> list[str]:
    files = {CORPUS: options.corpus, EMBEDDINGS: options.embeddings}
    return [name for name, path in files.items() if path is None and name in check.requires]


def select_families(options: Options) -> list[Family]:
    """Return the families that the options name, or all; replayed families come first.

    If no family is named, checks of the vocabulary get no families, since they read no texts.

    Raises:
        UnknownNameError: a family or the profile is unknown.
        UsageError: the regressions cannot be read.

    """
    if options.profile not in PROFILES:
        raise UnknownNameError("profile", options.profile, PROFILES)
    selected = list(plugins.families().values())
    if options.families:
        selected = [plugins.family(name) for name in dict.fromkeys(options.families)]
    elif options.enumerated and all(map(is_of_vocabulary, select_checks(options))):
        return []
    regressions_to_replay(options, selected)
    return sorted(selected, key=lambda family: not family.replayed)


def is_of_vocabulary(check: Check) -> bool:
    """Whether a check examines the tokens of the target, and neither texts nor cases."""
    return check.failing is None and CASES not in check.requires and N_VOCAB in check.requires


def refuse_other_checks(selectors: Sequence[str]) -> None:
    """Raise UsageError for a selector without a check, or with a check that no audit runs."""
    for selector in selectors:
        if not all(map(is_of_vocabulary, select_checks(Options(select=(selector,))))):
            raise UsageError(
                f"an audit does not run {selector}: it runs checks of the vocabulary only, such as "
                f"{OF_VOCABULARY}; for other checks use `tokharness check --select`"
            )


def regressions_to_replay(
    options: Options, families: Iterable[Family]
) -> tuple[tuple[str, str], ...]:
    """Return the project's regressions, each text with its reason, if a family replays them.

    Raises:
        UsageError: a line of their files is not a regression.

    """
    if options.regressions is None or not any(family.replayed for family in families):
        return ()
    regressions = read_regressions(Path(options.regressions))
    return tuple((regression.text, regression.why) for regression in regressions)


def reason_to_skip(check: Check, loaded: LoadedSubject, options: Options) -> str:
    """Return why a check does not run on this target; "" if it does."""
    if check.profiles and options.profile not in check.profiles and not options.select:
        return f"it does not run in the {options.profile} profile"
    if CASES in check.requires and not options.enumerated:
        return "it needs the enumerated cases of families: run `tokharness check`"
    if files := _missing_files(check, options):
        return f"it reads a file: run `tokharness audit` with --{files[0]}"
    required = [name for name in check.requires if name not in NOT_OF_THE_SUBJECT]
    if loaded.subject.target.tokens_alone:
        if not check.of_tokens_alone:
            return NO_IDS
        # Bytes of tokens stand for their texts.
        required = [name for name in required if not name.endswith(OF_TEXT)]
    missing = [name for name in required if not _has(loaded.subject, name)]
    if not missing:
        return ""
    own = [name for name in missing if not name.startswith(OF_REFERENCE)]
    if "reference" in missing or (not own and loaded.subject.reference is None):
        return f"{NO_REFERENCE}{loaded.no_reference}"
    if not own:
        names = [name.removeprefix(OF_REFERENCE) for name in missing]
        return f"the reference has no {' and no '.join(names)}"
    return f"{LACKS}{' and no '.join(own)}"


def _has(subject: Subject, requirement: str) -> bool:
    return any(_has_one(subject, name) for name in requirement.split(OR))


def _has_one(subject: Subject, name: str) -> bool:
    if name == "reference":
        return subject.reference is not None
    if name.startswith(OF_REFERENCE):
        method = name.removeprefix(OF_REFERENCE)
        return subject.reference is not None and subject.reference.can(method)
    return subject.target.can(name) or getattr(subject.target, name, None) is not None
