"""Hugging Face's trainer learns the same merges with the same rule for ties."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from tokharness_tokenizers.reference.byte_bpe_training import count_pretokens, merges
from tokharness_tokenizers.reference.patterns import R50K

PYTHON = "TOKHARNESS_TEST_TOKENIZERS"
TRAINER = Path(__file__).parents[1] / "benchmarks" / "hugging_face_trainer.py"
# Source code, with many equally frequent pairs, and characters of two to four bytes.
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.rglob("*.py"))]
TEXTS += ["na\u00efve \u0928\u092e\u0938\u094d\u0924\u0947 \u4e2d\u6587 \U0001f600" * 3]
SIZE = 1500


@pytest.mark.slow
@pytest.mark.skipif(PYTHON not in os.environ, reason=f"{PYTHON} is no Python with tokenizers")
def test_with_its_rule_for_ties_the_merges_are_the_same(tmp_path: Path) -> None:
    names = []
    for number, text in enumerate(TEXTS):
        names.append(tmp_path / f"{number}.txt")
        names[-1].write_bytes(text.encode())
    out = tmp_path / "merges"
    command = [os.environ[PYTHON], str(TRAINER), str(SIZE), str(out)]
    files = "\n".join(map(str, names))
    subprocess.run(command, input=files, text=True, check=True, timeout=60)
    expected = [tuple(map(bytes.fromhex, pair)) for pair in json.loads(out.read_text())]
    counts = count_pretokens(TEXTS, R50K, "16.0")
    assert list(islice(merges(counts, "ids"), len(expected))) == expected
    assert list(islice(merges(counts, "bytes"), len(expected))) != expected
    assert len(expected) == SIZE - 256
