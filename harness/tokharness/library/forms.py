"""``parity``: compare forms of one tokenizer, and get the result as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tokharness.atomic_write import write_text
from tokharness.config import PROFILES, FailOn, Options
from tokharness.engine.option_values import (
    names_of,
    parse_examples,
    parse_jobs,
    parse_seconds,
)
from tokharness.engine.run.selection import select_families
from tokharness.errors import UnknownNameError
from tokharness.library.reports import frame
from tokharness.library.running import outermost
from tokharness.library.specs import AnyTarget, spec_of
from tokharness.parity_matrix.folder import contents_of
from tokharness.parity_matrix.formats import FORMATS
from tokharness.parity_matrix.model import exit_code
from tokharness.parity_matrix.running import parity as run_parity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from tokharness.parity_matrix.model import Cause, Cell, Disagreement, Form, Parity


@dataclass(frozen=True, slots=True, repr=False)
class ParityReport:
    """Forms of one tokenizer, what each pair has in common, and why it differs.

    A notebook shows it as the HTML page; ``print`` shows what the command prints.

    Attributes:
        result: The result, with everything that the formats show.
        fail_on: The least severe verdict with which it is not ``ok``.

    """

    result: Parity
    fail_on: FailOn = "bug"

    @property
    def forms(self) -> tuple[Form, ...]:
        """The targets; ``problem`` of one says why it is not compared."""
        return self.result.forms

    @property
    def cells(self) -> tuple[Cell, ...]:
        """A cell for each pair of forms and aspect."""
        return self.result.cells

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Why forms differ, each with the smallest text and the tokens of all forms."""
        return self.result.causes

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """What the files of a folder contradict each other in."""
        return self.result.disagreements

    @property
    def ok(self) -> bool:
        """Whether forms were compared and none differs: the command exits with 0."""
        return exit_code(self.result, self.fail_on) == 0

    def render(self, format: str = "terminal") -> str:  # noqa: A002 - as the option is called
        """Return the result in a format: terminal, json, markdown, html or sarif.

        Raises:
            UnknownNameError: there is no other format.

        """
        if format not in FORMATS:
            raise UnknownNameError("format of a parity", format, FORMATS)
        return FORMATS[format].render(self.result, width=None, color=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data: the object that ``--format json`` prints."""
        record: dict[str, Any] = json.loads(self.render("json"))
        return record

    def save(self, path: str | PathLike[str], format: str | None = None) -> None:  # noqa: A002
        """Write the result to a file; by default the suffix of the file is the format.

        Raises:
            UnknownNameError: no format has this name.
            OSError: the file cannot be written.

        """
        file = Path(path)
        suffix = {".md": "markdown"}.get(file.suffix, file.suffix.removeprefix("."))
        write_text(file, self.render(format or suffix))

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<ParityReport of {len(self.forms)} forms, causes: {len(self.causes)}>"

    def _repr_html_(self) -> str:
        """Return the page for a notebook, in a frame of its own."""
        return frame(self.render("html"))


def parity(  # noqa: PLR0913 - the options of the command
    *targets: AnyTarget,
    profile: str = "quick",
    families: str | Iterable[str] = (),
    seed: int = 0,
    examples: int | None = None,
    time_limit: float = 5.0,
    load_limit: float = 60.0,
    jobs: int | Literal["auto"] = "auto",
    fail_on: FailOn = "bug",
) -> ParityReport:
    """Compare targets that claim to be one tokenizer, as ``tokharness parity`` does.

    ::

        report = tokharness.parity("hf:tokenizer.json", "reference:tokenizer.model")
        for cause in report.causes:
            print(cause.stage, cause.name, ascii(cause.text))

    Args:
        targets: Targets, named as for :func:`tokharness.check`, or one folder with several forms.
        profile: How many texts are compared: ``quick``, ``standard`` or ``thorough``.
        families: The families to run; all by default.
        seed: The seed of the random texts.
        examples: The number of random texts per family.
        time_limit: Seconds for one text; long texts get more.
        load_limit: Seconds for loading a target; a busy machine gives it more time.
        jobs: The number of targets that run at once; ``"auto"`` for one per core.
        fail_on: The least severe verdict with which the report is not ``ok``.

    Raises:
        UsageError: an argument is invalid, or there are fewer than two targets.

    """
    if profile not in PROFILES:
        raise UnknownNameError("profile", profile, PROFILES)
    options = Options(
        families=names_of(families, "families"),
        profile=profile,
        seed=seed,
        examples=None if examples is None else parse_examples(examples, "examples"),
        time_limit=parse_seconds(time_limit, "time_limit"),
        load_limit=parse_seconds(load_limit, "load_limit"),
    )
    select_families(options)
    workers = parse_jobs(jobs, "jobs")
    folder = Path(targets[0]) if len(targets) == 1 and isinstance(targets[0], str | Path) else None
    with outermost("parity"):
        is_folder = folder is not None and folder.is_dir()
        if folder is not None and is_folder:
            found = contents_of(folder)
            specs, disagreements = found.specs, found.disagreements
        else:
            specs, disagreements = tuple(map(spec_of, targets)), ()
        result = run_parity(
            specs, options, jobs=workers, disagreements=disagreements, named=not is_folder
        )
        if result.error is not None:
            raise result.error
    return ParityReport(result, fail_on)
