"""Check the templates of a target, and return the report of all of them."""

from __future__ import annotations

import contextlib
import json
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tokharness import plugins
from tokharness.conversations.chat import Chat
from tokharness.conversations.examination import examine
from tokharness.conversations.other_renderers import OtherRenderer
from tokharness.conversations.rendering import Renderer
from tokharness.conversations.templates import SUFFIXES, NoTemplateError, find_templates
from tokharness.conversations.token_ids import Tokens, variables_of
from tokharness.engine.run.selection import select_of_kind
from tokharness.errors import NothingCheckedError, TargetError, UnknownNameError, UsageError
from tokharness.plugins.bare_paths import spec_of
from tokharness.plugins.spec_paths import spec_paths
from tokharness.results.locations import find_location
from tokharness.results.report import Report
from tokharness.results.versions import versions
from tokharness.targets.loading import automatic_reference, contained_target
from tokharness.targets.processes.isolated import isolated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokharness.config import Options
    from tokharness.conversations.shapes import Shape
    from tokharness.conversations.templates import Found
    from tokharness.model import Target

VARIABLES = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "sep_token": "<sep>",
    "cls_token": "<cls>",
    "mask_token": "<mask>",
}
"""Special tokens that a template alone gets as variables; a folder says which they are."""


USUAL = ("tokenizer.json", "tokenizer.model", "tekken.json")
"""Names of a tokenizer's file in the folder of a model."""


def chat(
    word: str,
    template: str | None,
    options: Options,
    *,
    given: Shape | None = None,
    renderers: Sequence[str] = (),
) -> Report:
    """Return the report on the chat templates of a target.

    Args:
        word: A spec, a folder, or a file with a template alone.
        template: A file with a template, or the name of one of several.
        options: What to select, and which findings fail.
        given: A conversation that is checked instead of all shapes.
        renderers: Names of other renderers, to compare.

    Raises:
        UsageError: there is no template, or no check of this name.
        TargetError: the target cannot be loaded.
        NothingCheckedError: no check could run.

    """
    chosen = select_of_kind(plugins.chat_checks().values(), options, "check of chat templates")
    others = [OtherRenderer(name) for name in dict.fromkeys(renderers)]
    is_template = Path(word).suffix in SUFFIXES and Path(word).is_file()
    spec = "" if is_template or not _has_tokenizer(word, template) else spec_of(word)
    path = Path(word) if not spec or os.path.exists(word) else _path_of(spec)  # noqa: PTH110
    found = find_templates(path, template, _templates_inside(spec))
    command = [word, *(["--template", template] if template else [])]
    targets = []
    locations = {}
    for view in views(spec, found, (given,) if given else (), others=others):
        one = view.template
        shown = word if len(found.templates) == 1 else f"{word} template {one.name}"
        named = command if template or len(found.templates) == 1 else [word, "--template", one.name]
        targets.append(examine(view, shown, chosen, named))
        locations[shown] = find_location("", [Path(one.place)])
    if not any(one.started.checks for one in targets):
        raise NothingCheckedError(f"no check could run: {targets[0].skips[0].reason}")
    return Report(
        options,
        tuple(targets),
        versions(),
        locations=locations,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def views(
    spec: str,
    found: Found,
    given: Sequence[Shape] = (),
    against: str | None = None,
    others: Sequence[OtherRenderer] = (),
) -> Iterator[Chat]:
    """Yield each template with its renderings, which are valid until the next one is asked for.

    Args:
        spec: The tokenizer; "" for templates alone.
        found: The templates.
        given: Conversations to try instead of all shapes.
        against: The reference; None for the automatic one, ``"none"`` for none.
        others: Renderers to compare.

    Raises:
        TargetError: the target cannot be loaded.

    """
    with ExitStack() as stack:
        renderer, other = stack.enter_context(Renderer()), stack.enter_context(Renderer(1))
        for another in others:
            stack.enter_context(another)
        target = stack.enter_context(_loaded(spec)) if spec else None
        reference = cache(partial(_loaded_reference, spec, against, stack))
        for one in found.templates.values():
            variables = found.variables or (variables_of(target) if target else VARIABLES)
            renderer.load(one.source, variables)
            other.load(one.source, variables, renderer.code)
            for another in others:
                another.load(one.source, variables)
            tokens = (
                Tokens(target, found.stop_ids, found.variables.get("eos_token", ""))
                if target
                else None
            )
            yield Chat(
                one,
                renderer,
                other=other,
                tokens=tokens,
                adds_begin=found.adds_begin and bool(variables.get("bos_token")),
                reference=reference,
                given=given,
                others=others,
            )


def templates_of(spec: str) -> Found | None:
    """Return the templates of a target's folder, or in its file; None if it has none.

    A template next to a file of an unusual name may be that of another tokenizer.

    Raises:
        UsageError: a file cannot be read.

    """
    path = None if plugins.runs_code(spec) else _path_of(spec)
    if path is None:
        return None
    inside = _templates_inside(spec)
    if not (inside or path.is_dir() or path.name in USUAL):
        return None
    try:
        return find_templates(path, None, inside)
    except NoTemplateError:
        return None


def _has_tokenizer(word: str, template: str | None) -> bool:
    """Whether a word names a tokenizer; a folder may have a template alone."""
    folder = Path(word)
    if not folder.is_dir():
        return True
    try:
        spec_of(word)
    except UsageError:
        with contextlib.suppress(UsageError):
            with contextlib.suppress(UnknownNameError):  # raised again where it is looked for
                find_templates(folder, template)
            return False
        raise
    return True


def _templates_inside(spec: str) -> dict[str, str]:
    """Return the templates in the file of a target, which is a stranger's.

    Its adapter reads them, or that of its automatic reference, which reads the same file.
    """
    if not spec:
        return {}

    def read() -> str:
        for one in (spec, automatic_reference(spec)):
            if one and (found := plugins.adapter(one).chat_templates(one.partition(":")[2])):
                return json.dumps(dict(found))
        return "{}"

    return dict(json.loads(isolated(read, [spec])))


def _path_of(spec: str) -> Path | None:
    """Return the first path of a spec that exists."""
    return next((path for path in map(Path, spec_paths(spec)) if path.exists()), None)


def _loaded_reference(spec: str, against: str | None, stack: ExitStack) -> Tokens | None:
    """Return the reference of a target, which ``stack`` closes; None without one that loads."""
    other = against or (automatic_reference(spec) if spec else None)
    if other in (None, "none"):
        return None
    try:
        return Tokens(stack.enter_context(_loaded(other)), None)
    except TargetError:
        return None


@contextlib.contextmanager
def _loaded(spec: str) -> Iterator[Target]:
    target = contained_target(spec)
    try:
        yield target
    finally:
        target.close()
