"""The forms of a tokenizer in a folder, and what its files contradict each other in.

The files are a stranger's, so they are read in a copy of this process with limits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokharness import plugins
from tokharness.errors import TokharnessError, UsageError
from tokharness.json_content import parse_json
from tokharness.parity_matrix.model import Disagreement
from tokharness.parity_matrix.opened import REFERENCE, counterpart
from tokharness.regular_files import read_file, read_lines, require_inside_folder
from tokharness.results.untrusted import shortened
from tokharness.targets.description import describe
from tokharness.targets.processes.isolated import isolated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokharness.model import Description

MAX_FILES = 100
"""Most files of a folder that are looked at."""

MAX_JSON = 64 << 20
MOST_DIGITS = 20
"""Digits of an id in a file; the ids of all libraries are shorter."""

MAX_NAMED = 5
"""Most tokens or merges that a sentence names."""

TOKENIZER, CONFIG, MODEL_CONFIG = "tokenizer.json", "tokenizer_config.json", "config.json"
VOCAB, MERGES, ADDED = "vocab.json", "merges.txt", "added_tokens.json"
SPECIAL_MAP, GENERATION = "special_tokens_map.json", "generation_config.json"
FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
NAMED_TOKENS = (
    *("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token"),
    *("mask_token", "additional_special_tokens"),
)

TOO_LARGE = 1.25
"""How many times more rows than tokens a model has if it has those of another tokenizer."""

MOST_ADDED = 1024
"""Rows that any model may have more than tokens: they are filled up to a round number."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The specs of all forms in a folder, and what its files contradict each other in."""

    specs: tuple[str, ...]
    disagreements: tuple[Disagreement, ...]


def contents_of(folder: Path) -> Contents:
    """Look at the files of a folder.

    Raises:
        UsageError: the folder has too many files, or fewer than two forms.
        TargetError: reading the files takes too much time or memory.

    """
    specs = list(dict.fromkeys(_specs(folder)))
    if len(specs) < 2:
        found = f"only {specs[0]}" if specs else "no file of a tokenizer"
        raise UsageError(
            f"the folder {str(folder)!r} has {found}, and parity compares at least two forms: name "
            "a folder with tokenizer.json, a .model, a .gguf or other files, or several targets"
        )
    rows = json.loads(isolated(partial(_disagreements, folder, specs), specs))
    return Contents(tuple(specs), tuple(Disagreement(tuple(f), message) for f, message in rows))


def _specs(folder: Path) -> Iterator[str]:
    """Yield the spec of each library that reads a file of the folder, and of our reference."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    if len(paths) > MAX_FILES:
        raise UsageError(
            f"the folder {str(folder)!r} has more than {MAX_FILES} files: name the targets"
        )
    recognized = [(path, specs) for path in paths if (specs := _recognized(path))]
    try:
        require_inside_folder(folder, [path for path, _ in recognized])
    except OSError as error:
        raise UsageError(f"cannot read the folder {str(folder)!r}: {error.strerror}") from error
    whole = [] if any(path.name == TOKENIZER for path, _ in recognized) else _recognized(folder)
    for spec in (*(spec for _, specs in recognized for spec in specs), *whole):
        other = counterpart(spec)
        both = [spec] if other is None else [spec, other]
        yield from sorted(both, key=lambda one: one.partition(":")[0] == REFERENCE)
    classes = plugins.adapters().get("transformers")
    if (folder / CONFIG).is_file() and classes is not None and classes.versions():
        yield f"transformers:{folder}"


def _recognized(path: Path) -> list[str]:
    return [
        f"{scheme}:{rest}"
        for scheme, adapter in plugins.adapters().items()
        if not adapter.runs_code
        for rest in (*adapter.recognize(path), *adapter.also_reads(path))
    ]


# What the files say.


def _disagreements(folder: Path, specs: Sequence[str]) -> str:
    """Return the rows of all disagreements, as JSON."""
    described = _described(specs)
    found = [
        *_other_size(folder, described),
        *_other_added_tokens(folder),
        *_other_names_and_ids(folder, described.get(TOKENIZER)),
        *_other_vocabulary(folder, described.get(TOKENIZER)),
        *_other_merges(folder, described.get(TOKENIZER)),
    ]
    return json.dumps([[list(one.files), one.message] for one in found])


def _described(specs: Sequence[str]) -> Mapping[str, Description]:
    """Return the content of each file, by its name; a file that is damaged is a form's problem."""
    found: dict[str, Description] = {}
    for spec in specs:
        scheme, _, rest = spec.partition(":")
        name = Path(rest).name
        if scheme != REFERENCE or name in found:
            continue
        try:
            content = describe(spec)
        except TokharnessError:
            continue
        if content is not None:
            found[name] = content
    return found


def _record(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file; nothing if there is no such file, or no object in it."""
    try:
        content = parse_json(read_file(path, MAX_JSON))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _other_size(folder: Path, described: Mapping[str, Description]) -> Iterator[Disagreement]:
    """Compare the rows of the model with the tokens of each file."""
    config = _record(folder / MODEL_CONFIG)
    size = config.get("text_vocab_size", _of_text_model(config, "vocab_size"))
    if type(size) is not int:
        return
    rows = shortened(f"{size:,}")
    for name, content in described.items():
        last = max(_ids(content).values(), default=-1)
        said = f"vocab_size of {MODEL_CONFIG} is {rows}, and the largest id of {name} is {last:,}"
        if last >= size:
            lacking = shortened(f"{last + 1 - size:,}")
            message = f"{said}: the model has no row for {lacking} of its ids"
            yield Disagreement((MODEL_CONFIG, name), message)
        elif size > max(TOO_LARGE * (last + 1), last + 1 + MOST_ADDED):
            yield Disagreement((MODEL_CONFIG, name), f"{said}: the model is of another tokenizer")


def _of_text_model(config: Mapping[str, Any], key: str) -> Any:
    """Return a value of a model's configuration; that of its text model, if it has several."""
    inner = config.get("text_config")
    return inner.get(key, config.get(key)) if isinstance(inner, dict) else config.get(key)


def _ids(content: Description) -> dict[str, int]:
    """Return the id of each token as the file writes it, the added tokens last."""
    added = content.stages.get("added tokens") or ()
    rows = [row for row in added if isinstance(row, dict) and type(row["id"]) is int]
    own = {str(one.token): one.id for one in content.tokens}
    return own | {str(row.get("text")): row["id"] for row in rows}


def _other_added_tokens(folder: Path) -> Iterator[Disagreement]:
    """Compare the added tokens of ``tokenizer_config.json`` with those of ``tokenizer.json``."""
    tokenizer, config = _record(folder / TOKENIZER), _record(folder / CONFIG)
    rows = tokenizer.get("added_tokens")
    declared = config.get("added_tokens_decoder")
    if not isinstance(rows, list):
        return
    own = {row["id"]: row for row in rows if _is_token(row) and type(row.get("id")) is int}
    for key, row in declared.items() if isinstance(declared, dict) else ():
        if _is_token(row) and key.isdecimal() and len(key) <= MOST_DIGITS:
            yield from _other_token(int(key), row, own.get(int(key)))


def _other_names_and_ids(folder: Path, described: Description | None) -> Iterator[Disagreement]:
    """Compare the named tokens, the ids of added tokens and the end of text with the tokens."""
    if described is None:
        return
    ids = _ids(described)
    config, special = _record(folder / CONFIG), _record(folder / SPECIAL_MAP)
    declared = config.get("added_tokens_decoder")
    said = {row["content"] for row in _rows(declared) if _is_token(row)}  # these are compared
    added = {t: n for t, n in _record(folder / ADDED).items() if type(n) is int}
    if other := [text for text, number in added.items() if ids.get(text) != number]:
        said.update(other)
        shown = [
            f"{shortened(text)!r} ({shortened(f'{added[text]:,}')}, there {ids.get(text, 'none')})"
            for text in other[:MAX_NAMED]
        ]
        message = f"{len(other):,} tokens of {ADDED} have another id, or none, in {TOKENIZER}"
        yield Disagreement((ADDED, TOKENIZER), f"{message}: {', '.join(shown)}")
    for name in NAMED_TOKENS:
        texts = {
            file: _texts(one.get(name)) for file, one in ((CONFIG, config), (SPECIAL_MAP, special))
        }
        for file, names in texts.items():
            if lacking := [text for text in names if text not in ids and text not in said]:
                said.update(lacking)
                which = f"{len(lacking):,} texts of {name} of {file} are no tokens of {TOKENIZER}: "
                if len(lacking) == 1:
                    which = f"{name} of {file} is no token of {TOKENIZER}: "
                yield Disagreement((file, TOKENIZER), which + _some(lacking))
        one, other = texts.values()
        if len(one) == len(other) == 1 and one != other and name != NAMED_TOKENS[-1]:
            words = " and ".join(f"{shortened(t[0])!r} in {file}" for file, t in texts.items())
            yield Disagreement((CONFIG, SPECIAL_MAP), f"{name} is {words}")
    ends = _texts(config.get("eos_token")) or _texts(special.get("eos_token"))
    yield from _other_end(folder, ids, "".join(ends[:1]))


def _other_end(folder: Path, ids: Mapping[str, int], end: str) -> Iterator[Disagreement]:
    """Compare the ids that end a generated text with the tokens.

    A model may end a text with further tokens than that of the tokenizer, so that has to be among
    them. Without a configuration of generation, the libraries use that of the model. A model with a
    decoder of its own, such as one of sound, ends its output with ids that are no tokens.
    """
    generation, config = _record(folder / GENERATION), _record(folder / MODEL_CONFIG)
    file = GENERATION if "eos_token_id" in generation else MODEL_CONFIG
    value = _of_text_model(generation if file == GENERATION else config, "eos_token_id")
    numbers = [n for n in (value if isinstance(value, list) else [value]) if type(n) is int]
    if isinstance(config.get("decoder"), dict):
        return
    taken = set(ids.values())
    for number in numbers:
        if number >= 0 and number not in taken:
            which = f"eos_token_id of {file} is {shortened(f'{number:,}')}"
            message = f"{which}, which is the id of no token of {TOKENIZER}"
            yield Disagreement((file, TOKENIZER), message)
    if numbers and end and end in ids and ids[end] not in numbers:
        shown = ", ".join(shortened(f"{number:,}") for number in numbers[:MAX_NAMED])
        which = f"eos_token is {shortened(end)!r} with the id {ids[end]:,}"
        message = f"{which}, which is not among eos_token_id of {file}: {shown}"
        yield Disagreement((CONFIG, file), message)


def _rows(value: Any) -> list[Any]:
    """Return the values of an object of a file; nothing for anything else."""
    return list(value.values()) if isinstance(value, dict) else []


def _texts(value: Any) -> list[str]:
    """Return the texts of a named token, or of a list of such tokens."""
    rows = value if isinstance(value, list) else [value]
    texts = [row.get("content") if isinstance(row, dict) else row for row in rows]
    return [text for text in texts if isinstance(text, str) and text]


def _is_token(row: object) -> bool:
    """Whether a value of a file is an added token with a text; anything else is the reader's."""
    return isinstance(row, dict) and isinstance(row.get("content"), str)


def _other_token(number: int, row: Mapping[str, Any], own: Any) -> Iterator[Disagreement]:
    files, text = (CONFIG, TOKENIZER), shortened(row["content"])
    if own is None:
        message = f"{CONFIG} adds the token {text!r} with the id {number:,}, {TOKENIZER} does not"
        yield Disagreement(files, message)
        return
    if own["content"] != row["content"]:
        theirs = shortened(own["content"])
        message = f"the id {number:,} is {text!r} in {CONFIG}, and {theirs!r} in "
        yield Disagreement(files, f"{message}{TOKENIZER}")
        return
    flags = [flag for flag in FLAGS if type(row.get(flag)) is type(own.get(flag)) is bool]
    other = [flag for flag in flags if row[flag] != own[flag]]
    if other:
        words = ", ".join(f"{flag} is {row[flag]} and {own[flag]}" for flag in other)
        message = f"of the added token {text!r}, in {CONFIG} and {TOKENIZER}, {words}"
        yield Disagreement(files, message)


def _other_vocabulary(folder: Path, described: Description | None) -> Iterator[Disagreement]:
    """Compare ``vocab.json`` with the vocabulary of ``tokenizer.json``."""
    rows = _record(folder / VOCAB)
    if described is None or not rows:
        return
    own = {str(one.token): one.id for one in described.tokens}
    other = sorted(token for token, number in rows.items() if own.get(token) != number)
    lacking = own.keys() - rows.keys()
    added = described.stages.get("added tokens") or ()
    lacking -= {row.get("text") for row in added if isinstance(row, dict)}
    if other:
        message = f"{len(other):,} tokens of {VOCAB} have another id, or none, in {TOKENIZER}"
        yield Disagreement((VOCAB, TOKENIZER), f"{message}: {_some(other)}")
    if lacking:
        message = f"{len(lacking):,} tokens of {TOKENIZER} are not in {VOCAB}"
        yield Disagreement((VOCAB, TOKENIZER), f"{message}: {_some(sorted(lacking))}")


def _other_merges(folder: Path, described: Description | None) -> Iterator[Disagreement]:
    """Compare ``merges.txt`` with the merges of ``tokenizer.json``."""
    if described is None or described.merges is None:
        return
    try:
        lines = read_lines(folder / MERGES).decode().split("\n")
    except (OSError, ValueError):
        return
    rows = [line.removesuffix("\r") for line in lines if not line.startswith("#version")]
    rows = [row for row in rows if row]
    own = [f"{one!s} {other!s}" for one, other in described.merges]
    theirs, ours = set(rows), set(own)
    for kind, left in (
        (f"merges of {TOKENIZER} are not in {MERGES}", [one for one in own if one not in theirs]),
        (f"merges of {MERGES} are not in {TOKENIZER}", [one for one in rows if one not in ours]),
    ):
        if left:
            message = f"{len(left):,} {kind}: {_some(left)}"
            yield Disagreement((TOKENIZER, MERGES), message)
    if sorted(own) == sorted(rows) and own != rows:
        place = next(
            at for at, pair in enumerate(zip(own, rows, strict=True)) if pair[0] != pair[1]
        )
        message = f"the merges of {TOKENIZER} and {MERGES} have another order, from the "
        yield Disagreement((TOKENIZER, MERGES), f"{message}{place + 1:,}. merge on")


def _some(items: Sequence[str]) -> str:
    return ", ".join(repr(shortened(item)) for item in islice(items, MAX_NAMED))
