"""Random edits of the content of a tokenizer file, each with its stages and with what it is about.

An edit is made in a description, so two edits can be made in one file. Items are found by what they
are, not by their place, which another edit may have changed.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import partial

from tokharness.edits import writing_of

ADDED, VOCABULARY, MODEL = "added tokens", "vocabulary", "model"

NORMALIZERS = (
    *({"type": form} for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents")),
    {"type": "Replace", "pattern": {"String": "-"}, "content": "_"},
    {"type": "Strip", "strip_left": True, "strip_right": True},
    {"type": "Prepend", "prepend": "_"},
)
PRE_TOKENIZERS = (
    {"type": "Digits", "individual_digits": True},
    {"type": "Punctuation", "behavior": "Isolated"},
    {"type": "WhitespaceSplit"},
    {"type": "Split", "pattern": {"Regex": r"\p{N}{1,3}"}, "behavior": "Isolated", "invert": False},
)
DECODERS = ({"type": "Fuse"}, {"type": "Strip", "content": "a", "start": 1, "stop": 0})
TRUNCATION = {"direction": "Right", "max_length": 6, "strategy": "LongestFirst", "stride": 0}
PADDING = {
    "direction": "Right",
    "pad_id": 0,
    "pad_to_multiple_of": None,
    "pad_token": "[PAD]",
    "pad_type_id": 0,
    "strategy": {"Fixed": 24},
}
FLAGS = ("lstrip", "rstrip", "single_word", "normalized", "special")
PATTERN_EDITS = (
    (r"\p{N}{1,3}", r"\p{N}"),
    (r"[\p{N}]+", r"[\p{N}]"),
    (r"\p{N}", r"\p{N}{1,3}"),
    (r"\s+(?!\S)|", ""),
    ("(?i:", "(?:"),
    (r"\p{L}", r"\p{L}\p{M}"),
    ("re|", ""),
)


@dataclass(frozen=True)
class FileEdit:
    """An edit, and how it is recognized: the stages to be named, and words of each sentence.

    Only texts with one of ``tokens`` can change; any text can if there are none.
    """

    name: str
    stages: tuple[str, ...]
    apply: object
    tokens: tuple = ()
    words: tuple[str, ...] = ()


def both(one, other):
    """Return two edits as one."""
    return FileEdit(
        f"{one.name} AND {other.name}",
        (*one.stages, *other.stages),
        lambda file: other.apply(one.apply(file)),
        (*one.tokens, *other.tokens) if one.tokens and other.tokens else (),
        (*one.words, *other.words),
    )


def edits_of_merges(file, rnd):
    """Yield edits of one merge, and of a token together with its merges."""
    show = writing_of(file).show_pair
    merges = list(dict.fromkeys(file.merges or ()))
    while merges:
        at = rnd.randrange(len(merges) - 1)
        one, behind, other = merges[at], merges[at + 1], rnd.choice(merges)
        tokens, words = ("".join(one),), (show(one),)
        two = ("".join(one), "".join(other))
        yield FileEdit(f"drop merge {at}", (MODEL,), partial(_merges, _drop, one), tokens, words)
        move = partial(_merges, _move, one, other)
        yield FileEdit(f"move merge {at}", (MODEL,), move, tokens, words)
        swap = partial(_merges, _swap, one, behind)
        yield FileEdit(f"move merge {at} by one", (MODEL,), swap, tokens)
        swap = partial(_merges, _swap, one, other)
        yield FileEdit(f"swap merge {at}", (MODEL,), swap, two, (show(one), show(other)))
        double = partial(_merges, _double, one, other)
        yield FileEdit(f"double merge {at}", (MODEL,), double, tokens, words)


def _merges(change, *items_and_file):
    *items, file = items_and_file
    merges = list(file.merges)
    change(merges, *items)
    return replace(file, merges=tuple(merges))


def _drop(merges, one):
    merges.remove(one)


def _move(merges, one, other):
    place = merges.index(other)
    merges.remove(one)
    merges.insert(place, one)


def _swap(merges, one, other):
    at, to = merges.index(one), merges.index(other)
    merges[at], merges[to] = other, one


def _double(merges, one, other):
    merges.insert(merges.index(other), one)


def edits_of_tokens(file, rnd):
    """Yield edits of ids, texts, scores and kinds of ordinary tokens."""
    show = writing_of(file).show
    special = {row["text"] for row in file.stages.get(ADDED) or ()}
    settings = file.stages["model"]
    special |= {value for value in settings.values() if isinstance(value, str)}
    rows = [row for row in file.tokens if row.token not in special and row.type in (None, "normal")]
    of_merges = file.merges is not None
    while True:
        one, other = (row.token for row in rnd.sample(rows, 2))
        score = next(row.score for row in rows if row.token == one)
        names = (show(one), show(other))
        swap = partial(_swap_ids, one, other)
        yield FileEdit(f"swap ids of {names}", (VOCABULARY,), swap, (one, other), names)
        new = one + (b"zq" if isinstance(one, bytes) else "zq")
        stages = (VOCABULARY, MODEL) if of_merges and _has_merge(file, one) else (VOCABULARY,)
        rename, words = partial(_rename, one, new), (show(one), show(new))
        yield FileEdit(f"rename token {names[0]}", stages, rename, (one, new), words)
        # Where ids are places, the others move.
        held = (one,) if file.format == "tiktoken" else ()
        dropped = partial(_drop_token, one)
        yield FileEdit(f"drop token {names[0]}", stages, dropped, held, names[:1])
        for step in (1e-3, -1.0) if score else ():
            scored = partial(_score, one, step)
            yield FileEdit(f"score of {names[0]} {step:+}", (MODEL,), scored, (one,), names[:1])
        if rows[0].type == "normal":
            kind = partial(_kind, one, rnd.choice(("control", "user defined", "unused")))
            yield FileEdit(f"kind of {names[0]}", (MODEL,), kind, (), names[:1])


def _has_merge(file, token):
    return any(token in (left, right, left + right) for left, right in file.merges)


def _swap_ids(one, other, file):
    ids = {row.token: row.id for row in file.tokens if row.token in (one, other)}
    places = {one: ids[other], other: ids[one]}
    rows = (row._replace(id=places.get(row.token, row.id)) for row in file.tokens)
    return replace(file, tokens=tuple(sorted(rows, key=lambda row: row.id)))


def _rename(one, new, file):
    rows = (row._replace(token=new) if row.token == one else row for row in file.tokens)
    return _without_merges(replace(file, tokens=tuple(rows)), one)


def _drop_token(one, file):
    rows, first = list(file.tokens), file.tokens[0].id
    kept = [row for row in rows if row.token != one]
    if rows[-1].id - first == len(rows) - 1 and file.format != "tiktoken":
        kept = [row._replace(id=first + place) for place, row in enumerate(kept)]
    return _without_merges(replace(file, tokens=tuple(kept)), one)


def _without_merges(file, token):
    """Return a file without the merges of a token, with which a library would not load it."""
    if file.merges is None:
        return file
    kept = (pair for pair in file.merges if token not in (*pair, pair[0] + pair[1]))
    return replace(file, merges=tuple(kept))


def _score(one, step, file):
    rows = (
        row._replace(score=row.score + step) if row.token == one else row for row in file.tokens
    )
    return replace(file, tokens=tuple(rows))


def _kind(one, kind, file):
    rows = (row._replace(type=kind) if row.token == one else row for row in file.tokens)
    return replace(file, tokens=tuple(rows))


def edits_of_added_tokens(file):
    """Return edits of added tokens: flags, special made ordinary, new ones, some that are gone."""
    rows = file.stages.get(ADDED)
    if rows is None:
        return []
    number = max(row.id for row in file.tokens) + len(rows) + 2
    tokens = {row.token for row in file.tokens}
    found = []
    for row in rows[:3]:
        text = row["text"]
        for flag in FLAGS if "lstrip" in row else ():
            changed = {**row, flag: not row[flag]}
            found.append(_of_row(f"{flag} of {text} changed", text, changed))
        found.append(_of_row(f"{text} gone", text, None))
        if text not in tokens:  # else its id is that of the model's token
            found.append(_of_row(f"{text} has another id", text, {**row, "id": number}))
    model = rows[0] if rows else {"special": True}
    for text, special in (("<|tool|>", True), ("the", False)):
        new = {**model, "id": number, "text": text, "special": special}
        if special or file.format != "tiktoken":
            found.append(_of_row(f"{text} added", text, new))
    return found


def _of_row(name, text, row):
    def apply(file):
        rows = [one for one in file.stages[ADDED] if one["text"] != text]
        rows = sorted([*rows, *([] if row is None else [row])], key=lambda one: one["id"])
        return replace(file, stages={**file.stages, ADDED: rows})

    return FileEdit(f"{ADDED}: {name}", (ADDED,), apply, (), (text,))


def edits_of_stages(file):
    """Return flags, numbers, patterns and components changed, replaced or left out."""
    found = []
    for stage, value in file.stages.items():
        for what, changed in _changed(value) if stage != ADDED else ():
            found.append(_of_stage(stage, what, changed))
    if file.format != "tokenizer.json":
        return found
    for stage, inner, components in (
        ("normalizer", "normalizers", NORMALIZERS),
        ("pre-tokenizer", "pretokenizers", PRE_TOKENIZERS),
        ("decoder", "decoders", DECODERS),
    ):
        old = file.stages[stage]
        for new in components:
            name = new["type"]
            found.append(_of_stage(stage, name, new))
            if old is not None:
                listed = old[inner] if old["type"] == "Sequence" else [old]
                both_ = {"type": "Sequence", inner: [*listed, new]}
                found.append(_of_stage(stage, f"{name} behind", both_))
        if old is not None:
            found.append(_of_stage(stage, "none", None))
    found += _surroundings(file)
    return [one for one in found if one.apply(file).stages != file.stages]


def _surroundings(file):
    first = file.tokens[5]
    template = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": first.token, "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [
            {"Sequence": {"id": "A", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 1}},
        ],
        "special_tokens": {
            first.token: {"id": first.token, "ids": [first.id], "tokens": [first.token]}
        },
    }
    return [
        _of_stage("post-processor", "another template", template),
        _of_stage("post-processor", "none", None),
        _of_stage("truncation", "6 ids", TRUNCATION),
        _of_stage("padding", "to 24", PADDING),
        _of_stage("padding", "of batches", {**PADDING, "strategy": "BatchLongest"}),
        _of_stage("template", "of chats", {"default": "{{ messages }}"}),
    ]


def _of_stage(stage, what, value):
    def apply(file):
        return replace(file, stages={**file.stages, stage: value})

    return FileEdit(f"{stage}: {what}", (stage,), apply)


def _changed(value):
    """Yield a JSON value with one flag, number or pattern in it changed, and which."""
    if isinstance(value, bool):
        yield "flag", not value
    elif isinstance(value, int):
        yield "number", value + 1
    elif isinstance(value, str):
        yield from (
            (f"pattern with {new or 'no ' + old}", value.replace(old, new, 1))
            for old, new in PATTERN_EDITS
            if old in value
        )
    elif isinstance(value, dict):
        for key, inner in value.items():
            for what, changed in _changed(inner):
                yield f"{what} {key}", {**value, key: changed}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for what, changed in _changed(inner):
                yield f"{what} of {place}", [*value[:place], changed, *value[place + 1 :]]


def some_edits(file, number, pairs, rnd):
    """Return so many edits, a third of them of stages and added tokens, and so many pairs."""
    of_stages = [*edits_of_stages(file), *edits_of_added_tokens(file)]
    rnd.shuffle(of_stages)
    of_merges, of_tokens = edits_of_merges(file, rnd), edits_of_tokens(file, rnd)
    some = of_stages[: number // 3 if file.merges else number // 2]
    some += itertools.islice(of_merges, (number - len(some)) // 2)
    some += itertools.islice(of_tokens, number - len(some))
    kinds = [[one for one in (next(of_tokens), next(of_merges, None)) if one] for _ in range(pairs)]
    others = [of_stages[(place * 7) % len(of_stages)] for place in range(pairs)]
    mixed = [
        (rnd.choice(of_items), other if place % 2 else next(of_tokens))
        for place, (of_items, other) in enumerate(zip(kinds, others, strict=True))
    ]
    return [*some, *(both(one, other) for one, other in mixed)]
