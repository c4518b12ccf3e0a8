"""Drawings of ``tokharness show``: the tokens of a text in each tokenizer, and its round trip."""

from __future__ import annotations

import functools
import io
import re
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import PluginError, TargetDeath, TokharnessError
from tokharness.escaping import Shown, drawn, shorten, styled, terminal
from tokharness.outcome import Raised
from tokharness.targets.loading import automatic_reference, guarded_target
from tokharness.targets.subject import is_scalar, scalar_text

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tokharness.model import Target


# The tokens of a text as a reader sees them, whatever the algorithm of the tokenizer.

UNKNOWN, BYTE = "unknown token", "part of a character"

WORD_START, REPLACEMENT = "\u2581", "\ufffd"
BYTE_TOKEN = re.compile(r"<0x[0-9A-F]{2}>")
"""Pattern of the token of a byte in vocabularies with byte fallback (SentencePiece)."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A token in its display form; its kind is UNKNOWN, BYTE or ""."""

    shown: Shown
    kind: str = ""


def pieces_of(ids: Sequence[Any], target: Target) -> list[Piece]:
    """Return the tokens with these ids.

    A token has the text of its vocabulary, with marks such as ``##`` and U+2581. A byte-level
    vocabulary writes bytes as other characters; its tokens are shown as the bytes that they stand
    for. A token whose text and bytes are unknown is shown as its id.
    """
    texts = _values("token_text", ids, target)
    data = _values("decode_single_token_bytes", ids, target)
    return [
        _piece(number, *known, is_unknown=number == target.unknown_id)
        for number, *known in zip(ids, texts, data, strict=True)
    ]


def _values(method: str, ids: Sequence[Any], target: Target) -> list[Any]:
    return target.call_each(method, ids) if target.can(method) else [None] * len(ids)


def _piece(number: Any, text: Any, data: Any, *, is_unknown: bool) -> Piece:
    has_text = isinstance(text, str)
    if is_unknown:
        return Piece(terminal(text if has_text else str(number)), UNKNOWN)
    if isinstance(data, bytes) and not (has_text and _is_own_text(text, data)):
        return Piece(shown_bytes(data), "" if _is_utf8(data) else BYTE)
    if not has_text:
        return Piece(terminal(str(number)))
    return Piece(terminal(text), BYTE if BYTE_TOKEN.fullmatch(text) else "")


def _is_own_text(text: str, data: bytes) -> bool:
    """Whether a vocabulary writes a token as text, and not each byte as a character."""
    plain = text.replace(WORD_START, " ").encode("utf-8", "surrogatepass")
    return plain == data or (len(text) != len(data) and REPLACEMENT not in text)


def shown_bytes(data: bytes) -> Shown:
    """Return bytes as the text that they spell, with escapes for bytes that are not text."""
    return terminal(data.decode() if _is_utf8(data) else data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


# The round trip of a text through a target, in words.

SAME = Shown("decodes to the same text")


def encode_and_decode(text: str, target: Target) -> tuple[list[int] | None, Shown]:
    """Return the ids of a text, None if the target raises, and a note on the round trip."""
    ids = target.encode(text)
    if isinstance(ids, Raised):
        return None, _error_note(ids.error)
    back = target.decode(ids)
    if isinstance(back, Raised):
        return None, _error_note(back.error)
    return ids, _note(text, back)


def _error_note(error: BaseException) -> Shown:
    """Say how encoding or decoding failed; an error of the program itself is raised."""
    if isinstance(error, TokharnessError):
        raise error
    if isinstance(error, TargetDeath):
        return Shown("crashes or hangs: {}").format(str(error))
    return Shown("raises {}: {}").format(type(error).__name__, str(error))


def _note(text: str, back: str) -> Shown:
    if back == text:
        return SAME
    if not is_scalar(text) and back == scalar_text(text):
        return Shown("decodes to the text with {}").format(_surrogate_changes(text))
    return Shown('decodes to "{}"').format(back)


def _surrogate_changes(text: str) -> str:
    """Describe what replaces the surrogates of a text in its scalar form."""
    plain = scalar_text(text)
    joined = ["its surrogate pairs joined"] if len(plain) < len(text) else []
    lost = plain.count("\ufffd") > text.count("\ufffd")
    return " and ".join([*joined, *(["U+FFFD for each lone surrogate"] if lost else [])])


NARROW = 80
"""Width of a terminal below which tables have fewer columns."""


def console_for(stream: io.StringIO, *, width: int | None, color: bool) -> Console:
    """Return a console that writes to a stream and changes no text."""
    from rich.console import Console

    return Console(
        file=stream,
        width=width or 120,
        force_terminal=color,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
    )


def has_box_drawing() -> bool:
    """Whether stdout can show lines of box drawing."""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def is_narrow(console: Console) -> bool:
    """Whether a table of names, bytes and specs would break words."""
    return console.width < NARROW


def table_with(headings: Iterable[Shown], unbroken: Container[int] = ()) -> Table:
    """Return an empty table with these columns, in ASCII if stdout is not UTF-8.

    Columns of the numbers in ``unbroken`` are as wide as their cells.
    """
    from rich.box import ASCII, SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD if has_box_drawing() else ASCII, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(styled((heading, "")), overflow="fold", no_wrap=number in unbroken)
    return table


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
    from tokharness.formats._wording import pluralize

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
    from tokharness.formats._wording import pluralize

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
