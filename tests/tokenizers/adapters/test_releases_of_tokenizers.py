"""Other releases of tokenizers, each in its own Python, give the ids of the reference."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import regex

ROOT = Path(__file__).parents[3]
RELEASES = {
    "0.20": "TOKHARNESS_TEST_TOKENIZERS_0_20",
    "1.0": "TOKHARNESS_TEST_TOKENIZERS_1_0",
}
"""Environment variables with the path of a Python that has this release, and numpy for 1.0."""

ENCODES_OR_DECODES = re.compile("encode(?!_special_tokens$)|decode(?!r$)|tokenize$")
FILE: dict[str, Any] = json.loads(Path(__file__).with_name("tokenizer.json").read_bytes())

SCRIPT = r"""
import json, sys
sys.path.append(sys.argv[2])  # for what the library does not need
from importlib.metadata import version
from pathlib import Path
from tokharness.model import target_of
from tokharness_tokenizers.adapters import hugging_face
from tokharness_tokenizers.reference import tokenizer_json
from tokharness_tokenizers.hugging_face import engine as of_hugging_face

texts = json.loads(sys.argv[3])
engine = hugging_face.load(sys.argv[1])
target = target_of("hf:x", engine)
reading = tokenizer_json.load(Path(sys.argv[1]))
reading = reading.with_stage_versions({
    table: engine.stage_versions[table] for table in reading.stage_versions
})
unknown = []
for number in (260, -1, 1 << 40):
    try:
        unknown.append(engine.token_text(number))
    except KeyError:
        continue

other = Path(sys.argv[1]).with_name("without-padding.json")
other.write_text(json.dumps({**json.loads(Path(sys.argv[1]).read_bytes()), "padding": None}))
without_padding = hugging_face.load(str(other))

def both(method):
    return [[getattr(one, method)(text) for text in texts] for one in (engine, reading)]

rows, own = engine.encode_batch(texts), reading.encode_batch(texts)
print(json.dumps({
    "release": version("tokenizers"),
    "capabilities": target.capabilities,
    "special": engine.special_tokens,
    "added": engine.added_tokens,
    "n_vocab": engine.n_vocab,
    "encode_ordinary": both("encode_ordinary"),
    "encode_special": both("encode_special"),
    "encode": both("encode"),
    "batch": [rows, own],
    "decoded": [list(map(engine.decode, rows)), list(map(reading.decode, own))],
    "texts": [list(map(one.token_text, (256, 258))) for one in (engine, reading)],
    "unknown": unknown,
    "variants": without_padding.encode_variants(texts),
    "same ids": without_padding.encode_batch(texts),
    "public": [name for name in dir(type(engine._plain)) if not name.startswith("_")],
    "called": ["encode", "encode_batch", "decode", "decode_batch", "decode_tokens"],
    "not_called": list(of_hugging_face.NOT_CALLED),
    "stages": [dict(one.stages("e\u0301 a")) for one in (engine, reading)],
}))
"""
TEXTS = ["", "<s> a", "e\u0301 a<t>x", "\U0001f600\u0301", "a" * 50]


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """What the adapter gives with another release of the library."""
    python = os.environ.get(RELEASES[request.param])
    if not python:
        pytest.skip(f"{RELEASES[request.param]} is no Python with tokenizers {request.param}")
    has_numpy = subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False)
    if request.param == "1.0" and has_numpy.returncode:
        pytest.skip(f"{RELEASES[request.param]} has no numpy, without which tokenizers 1.0 panics")
    # An id that the file leaves out, which the library does not leave out.
    tokens = [FILE["added_tokens"][0], {**FILE["added_tokens"][1], "id": 400}]
    padding = {
        "strategy": "BatchLongest",
        "direction": "Left",
        "pad_to_multiple_of": 4,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "\u0100",
    }
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**FILE, "padding": padding, "added_tokens": tokens}))
    roots = os.pathsep.join(str(ROOT / name) for name in ("harness", "tokenizers"))
    site = str(Path(regex.__file__).parents[1])
    completed = subprocess.run(
        [python, "-c", SCRIPT, str(path), site, json.dumps(TEXTS)],
        env={**os.environ, "PYTHONPATH": roots},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    shown: dict[str, Any] = json.loads(completed.stdout)
    assert shown["release"].startswith(request.param)
    return shown


@pytest.mark.slow
def test_another_release_gives_the_ids_of_the_reference(release: dict[str, Any]) -> None:
    def at_library_ids(rows: list[list[int]]) -> list[list[int]]:
        return [[259 if number == 400 else number for number in row] for row in rows]

    for name in ("encode_ordinary", "encode_special", "encode", "batch"):
        library, reference = release[name]
        assert library == at_library_ids(reference), name
    assert release["encode_ordinary"][0] == release["batch"][0]
    assert release["decoded"][0] == release["decoded"][1]


@pytest.mark.slow
def test_another_release_has_its_own_facts(release: dict[str, Any]) -> None:
    assert release["special"] == {"<s>": 258}
    assert release["added"] == {"<t>": 259}
    assert release["n_vocab"] == 260
    assert release["texts"][0] == release["texts"][1] == ["\u0120a", "<s>"]
    assert release["unknown"] == []
    library, reference = release["stages"]
    assert {name: reference[name] for name in library} == library
    has_offsets = "encode_with_offsets" in release["capabilities"]
    assert has_offsets is release["release"].startswith("0.")


@pytest.mark.slow
def test_entry_points_of_another_release_agree_and_none_is_left_out(
    release: dict[str, Any],
) -> None:
    for row, ids in zip(release["variants"], release["same ids"], strict=True):
        assert row
        assert [(given, error) for _, given, error in row] == [(ids, "")] * len(row)
    entry_points = {name for name in release["public"] if ENCODES_OR_DECODES.search(name)}
    called = {name.partition(" ")[0] for name, *_ in release["variants"][0]}
    assert entry_points - called - {*release["called"], *release["not_called"]} == set()
