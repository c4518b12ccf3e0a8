"""Check a chunker, and return the report."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.chunking.chunker import SCHEME, Chunker
from tokharness.chunking.examination import examine
from tokharness.chunking.splitting import Splitting
from tokharness.chunking.texts import Trial, trials
from tokharness.engine.run.selection import select_of_kind
from tokharness.errors import NothingCheckedError, UsageError
from tokharness.model import Verdict
from tokharness.plugins.bare_paths import spec_of
from tokharness.results.report import Report
from tokharness.results.versions import versions
from tokharness.targets.loading import contained_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokharness.config import Options
    from tokharness.model import Target


def chunk(
    spec: str,
    options: Options,
    *,
    tokenizer: str | None = None,
    given: Sequence[Trial] = (),
) -> Report:
    """Return the report on a chunker.

    Args:
        spec: Its spec, ``chunker:...``.
        options: What to select, and which findings fail.
        tokenizer: The spec of the tokenizer that counts; None for what the chunker declares.
        given: Trials that are made instead of all others.

    Raises:
        UsageError: the spec is not one of a chunker, or no check has this name.
        TargetError: the chunker or the tokenizer cannot be loaded.
        NothingCheckedError: no check could run.

    """
    chosen = select_of_kind(plugins.chunk_checks().values(), options, "check of chunkers")
    if spec.partition(":")[0] != SCHEME:
        raise UsageError(_not_a_chunker(spec))
    with contextlib.ExitStack() as stack:
        chunker = stack.enter_context(Chunker(spec))
        counting = tokenizer or chunker.counts_with
        target = _loaded(counting) if counting else None
        if target is not None:
            stack.callback(target.close)
        rows = given or trials(overlaps=chunker.has_overlap)
        view = Splitting(chunker, rows, target)
        command = [spec, *(["--tokenizer", tokenizer] if tokenizer else [])]
        report = examine(view, chosen, command)
        has_split = "split" in chunker.methods
        if (
            has_split
            and not view.splits
            and not any(one.verdict is Verdict.BUG for one in report.findings)
        ):
            raise NothingCheckedError("no text was split: " + view.answer(rows[0]).message)
    if not report.started.checks:
        raise NothingCheckedError(f"no check could run: {report.skips[0].reason}")
    created = datetime.now(UTC).isoformat(timespec="seconds")
    found = {**versions(), **plugins.adapter(spec).versions_of(spec.partition(":")[2])}
    return Report(options, (report,), found, created=created)


def _not_a_chunker(word: str) -> str:
    path = Path(word.partition(":")[2] if plugins.has_known_scheme(word) else word)
    where = path.name if path.suffix == ".py" else "FILE.py"
    return (
        f"{word!r} is not a chunker: write {SCHEME}:{where}:FACTORY, {SCHEME}:MODULE:FACTORY or "
        f"{SCHEME}:PACKAGE:SPLITTER"
    )


def _loaded(spec: str) -> Target:
    """Load the tokenizer that counts, which may be a path."""
    return contained_target(spec_of(spec))
