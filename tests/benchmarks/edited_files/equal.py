"""Files with other bytes and the same content: order of keys, white space, comments, defaults.

Some have an edit that no text shows, such as a merge that is never used: a gate fails by the digest
of the stage, and says that no text was found.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

UNUSED = "a merge that is never used"
DEFAULTS = {"dropout": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False}


def equal_files(path, folder):
    """Yield the name and the path of files with the same content."""
    if path.suffix == ".json":
        data = path.read_bytes()
        equal = [*_equal_json(json.loads(data)), ("ends of lines", data + b"\r\n\r\n")]
        yield from _written(equal, folder, "tokenizer.json")
        yield from _written([("another name", data)], folder, "other.json")
        yield from _written([("no suffix", data)], folder, "vocabulary")
    elif path.suffix == ".tiktoken":
        yield from _equal_ranks(path, folder)
    else:
        yield from _written(_equal_models(path.read_bytes()), folder, "tokenizer.model")
        yield from _written([("another name", path.read_bytes())], folder, "other.model")


def _written(files, folder, name):
    for number, (what, data) in enumerate(files):
        place = folder / f"{name}-{number}"
        place.mkdir()
        (place / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        yield what, place / name


def _equal_json(record):
    """Yield texts of JSON that stand for the same tokenizer."""
    model, rnd = record["model"], random.Random(0)
    yield "reversed keys", json.dumps(_reordered(record, reversed))
    yield "sorted keys", json.dumps(_reordered(record, sorted))
    yield "indented by 2", json.dumps(record, indent=2)
    yield "indented by tabs", json.dumps(record, indent="\t", ensure_ascii=False)
    yield "compact", json.dumps(record, separators=(",", ":"))
    yield "not escaped", json.dumps(record, ensure_ascii=False)
    yield "space between", json.dumps(record, separators=(" , ", " : "))
    yield "lines of CRLF", json.dumps(record, indent=1).replace("\n", "\r\n")
    yield "a comment", json.dumps({"comment": "made by hand", **record})
    yield "a note of the model", json.dumps({**record, "model": {**model, "_note": "made"}})
    yield (
        "no version",
        json.dumps({key: value for key, value in record.items() if key != "version"}),
    )
    first = dict(record)
    yield "model first", json.dumps({"model": first.pop("model"), **first})
    short = {key: value for key, value in model.items() if DEFAULTS.get(key, key) != value}
    yield "no defaults", json.dumps({**record, "model": short})
    whole = {key: value for key, value in record.items() if value is not None}
    yield "no empty stages", json.dumps(whole)
    if isinstance(model["vocab"], dict):
        rows = list(model["vocab"].items())
        rnd.shuffle(rows)
        yield (
            "order of the vocabulary",
            json.dumps({**record, "model": {**model, "vocab": dict(rows)}}),
        )
    else:
        whole = [
            [text, int(score) if score == int(score) else score] for text, score in model["vocab"]
        ]
        yield "whole scores", json.dumps({**record, "model": {**model, "vocab": whole}})
    if "merges" in model:
        joined = [" ".join(pair) for pair in model["merges"]]
        yield "merges in one text", json.dumps({**record, "model": {**model, "merges": joined}})
        twice = [*model["merges"][:100], model["merges"][-1], *model["merges"][100:]]
        yield UNUSED, json.dumps({**record, "model": {**model, "merges": twice}})
        last = model["merges"][-1]
        unused = next(
            (
                [left, right]
                for left, right in _parts(last)
                if left in model["vocab"] and right in model["vocab"]
            ),
            None,
        )
        if unused and unused != list(last):
            merges = [*model["merges"], unused]
            yield UNUSED, json.dumps({**record, "model": {**model, "merges": merges}})


def _parts(pair):
    whole = "".join(pair)
    return ((whole[:at], whole[at:]) for at in range(1, len(whole)))


def _reordered(value, order):
    """Return a JSON value with another order of keys, but for the vocabulary, which is long."""
    if isinstance(value, dict):
        return {key: _reordered(value[key], order) for key in order(list(value))}
    return value


def _equal_ranks(path, folder):
    lines, side = path.read_bytes().splitlines(), json.loads(Path(f"{path}.json").read_bytes())
    side.pop("sha256", None)
    mixed = list(lines)
    random.Random(0).shuffle(mixed)
    ranks = {
        "ends of lines": b"\n".join(lines),
        "empty line": b"\n".join(lines) + b"\n\n",
        "order of lines": b"\n".join(mixed) + b"\n",
        "reversed lines": b"\n".join(reversed(lines)) + b"\n",
        "CRLF": b"\r\n".join(lines) + b"\r\n",
    }
    sides = {
        "reversed keys": json.dumps(dict(reversed(side.items()))),
        "sorted keys": json.dumps(side, sort_keys=True),
        "indented": json.dumps(side, indent=2),
        "tabs": json.dumps(side, indent="\t"),
        "compact": json.dumps(side, separators=(",", ":")),
        "not escaped": json.dumps(side, ensure_ascii=False),
        "space between": json.dumps(side, separators=(" , ", " : ")),
        "another name": json.dumps({**side, "name": "other"}),
        "made": json.dumps({**side, "made": {"by": "hand"}}),
        "no unicode version": json.dumps({k: v for k, v in side.items() if k != "unicode_version"}),
    }
    whole = json.dumps(side)
    tried = [(what, data, whole) for what, data in ranks.items()]
    tried += [(what, b"\n".join(lines) + b"\n", text) for what, text in sides.items()]
    for number, (what, data, text) in enumerate(tried):
        place = folder / f"ranks-{number}"
        place.mkdir()
        (place / "mine.tiktoken").write_bytes(data)
        (place / "mine.tiktoken.json").write_text(text, encoding="utf-8")
        yield what, place / "mine.tiktoken"


def _equal_models(data):
    """Yield protocol buffers that stand for the same model."""
    fields = list(_fields(data))
    pieces = [one for number, one in fields if number == 1]
    others = [one for number, one in fields if number != 1]
    yield "pieces first", b"".join([*pieces, *others])
    yield "reversed settings", b"".join([*pieces, *reversed(others)])
    yield "settings between pieces", b"".join([*pieces[:9], *others, *pieces[9:]])
    for number in (199, 200, 201):
        yield f"unknown field {number}", data + _field(number, b"a comment")
    sample = _field(1, _field(1, b"a") + _field(2, b"a"))
    yield "a sample for a self-test", data + _field(4, sample)
    # Fields of one message are merged: these are settings of training.
    settings = {1: b"other.txt", 2: b"other", 36: b"abc", 5: b"en"}
    for number, value in settings.items():
        yield f"setting {number} of training", data + _field(2, _field(number, value))
    for number, value in {4: 9, 11: 7, 16: 3, 6: 5, 18: 2, 25: 1, 50: 1}.items():
        field = _varint(number << 3) + _varint(value)
        yield f"number {number} of training", data + _field(2, field)
    yield "name of the rules", data + _field(3, _field(1, b"mine"))


def _field(number, value):
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(number):
    parts = bytearray()
    while number > 0x7F:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def _fields(data):
    """Yield the number and the bytes of each field, of which all have a length."""
    at = 0
    while at < len(data):
        start, key = at, 0
        key, at = _number(data, at)
        length, at = _number(data, at)
        at += length
        yield key >> 3, data[start:at]


def _number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
