"""What a baseline keeps of the answers of a reference holds for the file that it is of."""

import json
from pathlib import Path

import pytest

from tokharness.baseline.reading import read
from tokharness_tokenizers.vocabularies import locate

LINE = b"YXV0aGtleQ== 16376"
FEW = ("--config", "none", "--no-cache", "--jobs", "1")
PLANTED = {"merge orphans": b"cXp4ag== 16376", "unreachable tokens": b"ZSB0aA== 16376"}
"""By kind, a line for the token "qzxj", to which no merges lead, and for "e th"."""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.tiktoken"
    path.write_bytes(locate.EMBEDDED_PATH.read_bytes())
    side = json.loads(Path(f"{locate.EMBEDDED_PATH}.json").read_text("utf-8"))
    del side["sha256"]
    Path(f"{path}.json").write_text(json.dumps(side), "utf-8")
    return path


@pytest.mark.slow
def test_a_gate_finds_planted_tokens_with_the_answers_for_the_healthy_file(file, tmp_path, command):
    path = tmp_path / "baseline.json"
    words = (f"tiktoken:{file}", "--baseline", str(path), *FEW)
    assert command("baseline", *words, "--profile", "quick", "--select", "TOK401").code == 0
    assert {question.split()[0] for question in read(path).answers} == {"reach", "merge_orphans"}
    passed = command("gate", *words)
    assert passed.code == 0
    healthy = file.read_bytes()
    for kind, line in PLANTED.items():
        file.write_bytes(healthy.replace(LINE, line))
        failed = command("gate", *words)
        assert failed.code == 1
        assert kind in failed.out
        assert kind not in passed.out
