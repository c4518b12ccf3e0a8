"""Write a baseline file atomically: JSON in ASCII, one entry per line."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness.atomic_write import locked_folder, temporary_sibling
from tokharness.baseline import SCHEMA_VERSION, Acceptance, Baseline
from tokharness.errors import UsageError
from tokharness.targets.entry_lines import UNHASHED, digest_of_lines, entry_lines
from tokharness.targets.packed_digests import bits_for, pack, unpack

if TYPE_CHECKING:
    from tokharness.targets.snapshot import Golden

LARGE = 500_000
"""Characters of a file that takes most of a baseline's space."""


def baseline_text(baseline: Baseline) -> str:
    """Return the text of the file: JSON with one entry per line.

    Its ``digest`` covers everything but the acceptances, so that a lost line is detected.
    """
    parts = entry_lines(_parts(baseline))
    unhashed = entry_lines(
        {
            "digest": digest_of_lines(parts),
            "accepted": [_acceptance_record(one) for one in sorted(baseline.accepted, key=_order)],
        }
    )
    head = {key: parts.pop(key) for key in ("schema_version", "name", "target", "against", "run")}
    whole = [*head.values(), *unhashed.values(), *parts.values()]
    return "{\n" + ",\n".join(whole) + "\n}\n"


def keys_and_digest(baseline: Baseline) -> tuple[frozenset[str], str]:
    """Return the keys of the file, and a hash of all but the acceptances, which people may edit."""
    parts = entry_lines(_parts(baseline))
    return frozenset({*parts, *UNHASHED}), digest_of_lines(parts)


def _parts(baseline: Baseline) -> dict[str, Any]:
    """Return everything but the acceptances; a list is written with one entry per line."""
    head = {
        "schema_version": SCHEMA_VERSION,
        "name": baseline.name,
        "target": baseline.spec,
        "against": baseline.against,
        "run": asdict(baseline.run),
        "versions": dict(sorted(baseline.versions.items())),
    }
    fingerprint = asdict(baseline.fingerprint)
    special = fingerprint.pop("special_tokens")
    if fingerprint["case_version"] is None:  # as in the baselines of earlier releases
        del fingerprint["case_version"]
    return {
        **head,
        "fingerprint": fingerprint,
        "special_tokens": sorted(special.items(), key=lambda item: (item[1], item[0])),
        "capabilities": sorted(baseline.capabilities),
        "checks": sorted(baseline.checks),
        "skips": sorted(baseline.skips.items()),
        "facts": sorted(baseline.facts.items()),
        "metrics": sorted(baseline.metrics.items()),
        "file": None if baseline.file is None else asdict(baseline.file),
        "bodies": [[name, *body] for name, body in sorted(baseline.bodies.items())],
        "golden": _rows(baseline.golden),
        "entry_points": _rows(baseline.entries),
        **_digests(baseline),
        **_answers(baseline),
        **_templates(baseline),
    }


def _templates(baseline: Baseline) -> dict[str, Any]:
    """Return the chat templates; nothing without any, as in the baselines of earlier releases."""
    if not baseline.templates:
        return {}
    rows = [
        {
            "name": one.name,
            "syntax": one.syntax,
            "variables": dict(sorted(one.variables.items())),
            "open_fields": None if one.open_fields is None else list(one.open_fields),
            "source": one.source,
        }
        for one in baseline.templates
    ]
    renderings = [
        [one.name, shape, *digests]
        for one in baseline.templates
        for shape, digests in one.renderings.items()
    ]
    return {"templates": rows, "renderings": renderings}


def _answers(baseline: Baseline) -> dict[str, Any]:
    """Return the answers; nothing without answers, as in the baselines of earlier releases."""
    if not baseline.answers:
        return {}
    return {"comparison": baseline.comparison, "answers": sorted(baseline.answers.items())}


def _digests(baseline: Baseline) -> dict[str, Any]:
    """Return the digests; nothing without digests, as in the baseline of a run without cases."""
    if not baseline.digests:
        return {}
    unpacked = {unit: unpack(packed) for unit, packed in baseline.digests.items()}
    bits = bits_for(sum(one.count for one in unpacked.values()))
    if baseline.file is not None and len(baseline.file.packed) > LARGE:
        bits = 1  # the reference of the old file finds the texts that changed
    rows = [[*unit, pack(one, min(bits, one.bits))] for unit, one in sorted(unpacked.items())]
    return {"comparison": baseline.comparison, "digests": rows}


def _rows(golden: tuple[Golden, ...]) -> list[list[Any]]:
    return [
        [one.group, one.text, one.ids if isinstance(one.ids, str) else list(one.ids)]
        for one in sorted(golden, key=lambda one: (one.group, one.text))
    ]


def _order(acceptance: Acceptance) -> tuple[str, str, str]:
    return acceptance.kind, acceptance.what, acceptance.fingerprint


def _acceptance_record(acceptance: Acceptance) -> dict[str, Any]:
    expires = acceptance.expires
    dates = {
        "first_seen": acceptance.first_seen.isoformat(),
        "expires": None if expires is None else expires.isoformat(),
    }
    record = asdict(acceptance) | dates
    if not acceptance.library:  # as in the baselines of earlier releases
        del record["library"]
    return record


def file_stamp(path: Path) -> str:
    """Return a stamp of the file that changes with every write, "" if there is no file.

    The stamp includes the inode, so that a replaced file with the same content differs.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from error
    return f"{status.st_dev} {status.st_ino} {status.st_mtime_ns} {status.st_size}"


def write(baseline: Baseline, path: Path, before: str) -> None:
    """Replace the file atomically, if its :func:`file_stamp` is still ``before``.

    Raises:
        UsageError: another run has written the file since, or the file cannot be written.

    """
    text = baseline_text(baseline)
    try:
        path = Path(os.path.realpath(path))  # write to the target of a symbolic link
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"cannot write the baseline {path}: it is not a file")
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked_folder(path.parent), temporary_sibling(path) as temporary:
            if file_stamp(path) != before:
                raise UsageError(
                    f"another run wrote {path} during this one, so it is left unchanged: run this "
                    "again"
                )
            temporary.write_text(text, encoding="ascii")
            temporary.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the baseline {path}: {error.strerror}") from error
