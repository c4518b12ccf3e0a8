"""Tokens of a text in several tokenizers, a row for each, and tokenizers with one vocabulary."""

from __future__ import annotations

import functools
import io
from collections import Counter
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.cli._drawing import (
    BYTE,
    SAME,
    UNKNOWN,
    console_for,
    encode_and_decode,
    has_box_drawing,
    pieces_of,
)
from tokharness.errors import PluginError, TokharnessError
from tokharness.escaping import Shown, drawn, shorten, styled, terminal
from tokharness.formats._wording import pluralize
from tokharness.outcome import Raised
from tokharness.targets.loading import automatic_reference, guarded_target

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.text import Text

    from tokharness.cli._drawing import Piece
    from tokharness.model import Target

# Targets that read the same file, or have the same vocabulary.

METHODS = ("decode_single_token_bytes", "token_text")
SAMPLE = 500
"""Ids whose tokens are compared, spread over the vocabulary."""


def reference_among(
    targets: Sequence[Target], stack: contextlib.ExitStack
) -> Callable[[Target], Target | None]:
    """Return a function that returns the automatic reference of a target.

    The reference is one of the targets, or it is loaded, and closed at the end of the stack. It is
    None if the target has no reference, or if it cannot be loaded.
    """

    @functools.cache
    def load(spec: str) -> Target | None:
        try:
            reference = guarded_target(spec)
        except PluginError:
            raise
        except TokharnessError:
            return None
        stack.callback(reference.close)
        return reference

    given = {target.spec: target for target in targets}

    def reference_of(target: Target) -> Target | None:
        spec = automatic_reference_spec(target)
        return None if spec is None else given.get(spec) or load(spec)

    return reference_of


def are_meant_to_be_equal(one: Target, other: Target) -> bool:
    """Whether two targets read one file, or may have one algorithm and one vocabulary.

    Properties that a target does not show are not known to differ. Vocabularies differ if most of
    their tokens differ.
    """
    if _read_one_file(one, other):
        return True
    algorithms = {one.algorithm, other.algorithm} - {None}
    return len(algorithms) < 2 and _share_most_tokens(one, other)


def _read_one_file(one: Target, other: Target) -> bool:
    """Whether both have the same reference, or one is the other's reference."""
    specs = {target.spec: automatic_reference_spec(target) for target in (one, other)}
    ours, theirs = specs[one.spec], specs[other.spec]
    return ours == other.spec or theirs == one.spec or (ours is not None and ours == theirs)


def automatic_reference_spec(target: Target) -> str | None:
    """Return the spec of the reference that a run uses for a target; None without a reference."""
    if not plugins.has_known_scheme(target.spec):
        return None
    try:
        return automatic_reference(target.spec)
    except PluginError:
        raise
    except TokharnessError:
        return None


def _share_most_tokens(one: Target, other: Target) -> bool:
    """Whether most ids have the same token, by its bytes, by its text, or by its decoded text.

    The bytes and the texts are compared only if both targets show them.
    """
    size = min(one.n_vocab or 0, other.n_vocab or 0)
    numbers = range(0, size, -(-size // SAMPLE) or 1)
    methods = [name for name in METHODS if one.can(name) and other.can(name)]
    ours, theirs = (_tokens(target, numbers, methods) for target in (one, other))
    pairs = zip(ours, theirs, strict=True)
    equal = [a == b for a, b in pairs if not isinstance(a, Raised) and not isinstance(b, Raised)]
    return bool(2 * sum(equal) >= len(equal))


def _tokens(target: Target, numbers: Sequence[int], methods: Sequence[str]) -> list[Any]:
    if methods:
        return target.call_each(methods[0], numbers)
    texts = (target.decode([number]) for number in numbers)
    return [text if isinstance(text, Raised) else text.strip() for text in texts]


INDENT, SMALLEST = 12, 20
MAX_TEXT = 200
"""Most columns of the text in the heading."""
STYLES = {UNKNOWN: "bold red", BYTE: "yellow"}
ALTERNATING = ("", "cyan")


def are_drawn_as_rows(targets: Sequence[Target]) -> bool:
    """Whether targets are drawn as rows: three or more, or two that are not meant to be equal.

    If two targets are meant to be equal, a table with a column for each shows where they differ.
    """
    return len(targets) > 2 or (len(targets) == 2 and not are_meant_to_be_equal(*targets))


def token_rows(
    text: str,
    targets: Sequence[Target],
    failing: Mapping[str, str],
    *,
    width: int | None,
    color: bool,
) -> Shown:
    """Render the tokens of each target, and the round trip of the text.

    ``failing`` has the names of the checks that the text fails, by spec; "" for none.
    """
    stream = io.StringIO()
    console = console_for(stream, width=width, color=color)
    room = max(console.width - INDENT, SMALLEST)
    size = pluralize(len(text.encode("utf-8", "surrogatepass")), "byte")
    head = Shown('"{}": {}, {}').format(
        shorten(text, MAX_TEXT), pluralize(len(text), "character"), size
    )
    console.print(styled((head, "bold")), overflow="fold")
    for target in targets:
        console.print()
        for line in _target_lines(text, target, failing.get(target.spec, ""), room):
            console.print(line, overflow="fold")
    return drawn(stream.getvalue())


def _target_lines(text: str, target: Target, failing: str, room: int) -> Iterator[Text]:
    ids, note = encode_and_decode(text, target)
    count = "no tokens" if ids is None else pluralize(len(ids), "token")
    words = [terminal(target.algorithm)] if target.algorithm else []
    if target.n_vocab is not None:
        words.append(Shown("vocabulary {:,}").format(target.n_vocab))
    words.append(terminal(target.spec))
    label = Shown("{:>10}  ").format(count)
    for number, line in enumerate(_wrapped(Shown(", ").join(words), room)):
        yield _indented(line) if number else styled((label, "bold")) + line
    pieces = pieces_of(ids or [], target)
    yield from map(_indented, _strip(pieces, room))
    kinds = Counter(piece.kind for piece in pieces if piece.kind)
    notes = []
    if kinds[UNKNOWN]:
        notes.append(terminal(pluralize(kinds[UNKNOWN], UNKNOWN)))
    if kinds[BYTE]:
        names = "token with a part of a character", "tokens with a part of a character"
        notes.append(terminal(pluralize(kinds[BYTE], *names)))
    if note != SAME:
        notes.append(note)
    if failing:
        notes.append(Shown("fails {}").format(failing))
    if notes:
        yield from map(_indented, _wrapped(Shown("; ").join(notes), room))


def _strip(pieces: Sequence[Piece], room: int) -> Iterator[Text]:
    """Yield lines of tokens, a bar around each; a token longer than a line is folded."""
    bar = styled((Shown("\u2502") if has_box_drawing() else Shown("|"), "dim"))
    line = bar.copy()
    for number, piece in enumerate(pieces):
        style = STYLES.get(piece.kind) or ALTERNATING[number % len(ALTERNATING)]
        token = styled((piece.shown, style)) + bar
        if line.cell_len > 1 and line.cell_len + token.cell_len > room:
            yield line
            line = bar.copy()
        line += token
        while line.cell_len > room:
            folded = _fold(line, room)
            yield folded[0]
            line = folded[1]
    if line.cell_len > 1:
        yield line


def _fold(line: Text, room: int) -> tuple[Text, Text]:
    """Divide a line into a part that fits, and the rest."""
    at = next(at for at in range(len(line), 0, -1) if line[:at].cell_len <= room or at == 1)
    head, rest = line.divide([at])
    return head, rest


def _wrapped(words: Shown, room: int) -> Sequence[Text]:
    text = styled((words, ""))
    return list(
        text.wrap(console_for(io.StringIO(), width=room, color=False), room, overflow="fold")
    )


def _indented(line: Text) -> Text:
    return styled((Shown("{:<12}").format(""), "")) + line
