from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import train
from tokharness_tokenizers.reference.patterns import O200K
from tokharness_tokenizers.vocabularies import make_embedded, make_small
from tokharness_tokenizers.vocabularies.locate import EMBEDDED_PATH

if TYPE_CHECKING:
    from pathlib import Path

    from tokharness_tokenizers.reference.byte_bpe import ByteBPE

SMALL = """
from pathlib import Path
import sys
from tokharness_tokenizers.reference import ranks_file
from tokharness_tokenizers.reference.byte_bpe_training import train
from tokharness_tokenizers.reference.patterns import O200K
texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[2:]]
ranks_file.save(sys.argv[1], train(texts, vocab_size=700, pattern=O200K, unicode_version="16.0"))
"""


def test_the_embedded_vocabulary_has_the_documented_attributes(embedded: ByteBPE) -> None:
    assert len(embedded.ranks) == make_embedded.SIZE
    assert tuple(embedded.special_tokens) == make_embedded.SPECIAL_TOKENS
    assert embedded.n_vocab == make_embedded.SIZE + len(make_embedded.SPECIAL_TOKENS)
    assert embedded.unicode_version == make_embedded.UNICODE_VERSION
    assert embedded.pattern == O200K
    assert embedded.name == "embedded"


def test_the_side_file_says_how_it_was_made() -> None:
    made = ranks_file.read_side_file(EMBEDDED_PATH).made
    assert made["by"] == "python -m tokharness_tokenizers.vocabularies.make_embedded"
    assert {"python", "babel", "cldr", "regex", "corpus_sha256"} <= made.keys()


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("def __init__(self, *arguments):\n        return None\n", 14),
        ("\u0438\u044e\u043b\u044f", 3),  # July, in Russian
        ("\u0938\u093f\u0924\u0902\u092c\u0930", 4),  # September, in Hindi
        ("\u4e2d\u6587", 3),  # Chinese, in Chinese
        ("\u0627\u0644\u0639\u0631\u0628\u064a\u0629", 4),  # Arabic, in Arabic
    ],
)
def test_it_has_tokens_for_code_and_many_scripts(embedded: ByteBPE, text: str, most: int) -> None:
    assert embedded.count(text) <= most


@pytest.mark.slow
def test_training_does_not_depend_on_hash_seed_and_locale(tmp_path: Path) -> None:
    sources = [make_small.__file__, make_embedded.__file__]
    results = []
    for seed, locale in (("1", "C"), ("2", "C.UTF-8")):
        target = tmp_path / f"{seed}.tiktoken"
        environment = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": locale}
        command = [sys.executable, "-c", SMALL, str(target), *sources]
        subprocess.run(command, env=environment, check=True, timeout=60)
        results.append((target.read_bytes(), ranks_file.side_path(target).read_bytes()))
    assert results[0] == results[1]


@pytest.mark.slow
def test_the_corpus_is_the_same_each_time() -> None:
    modules = list(make_small.standard_library())
    assert make_small.digest(modules) == make_small.digest(make_small.standard_library())
    assert sum(map(len, modules)) > 1_000_000


@pytest.mark.slow
def test_the_names_are_the_same_each_time() -> None:
    names = list(make_small.locale_names())
    assert make_small.digest(names) == make_small.digest(make_small.locale_names())
    assert len(names) > 100


def test_the_digest_of_a_corpus_depends_on_the_ends_of_texts() -> None:
    assert make_small.digest(["ab", "c"]) != make_small.digest(["a", "bc"])


def test_the_command_writes_to_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_small, "texts", lambda: ["some text, some text"])
    assert make_embedded.main(["--to", str(tmp_path)]) == 0
    made = ranks_file.load(tmp_path / "embedded.tiktoken")
    expected = train(["some text, some text"], vocab_size=make_embedded.SIZE, pattern=O200K)
    assert made.ranks == expected.ranks
    side = json.loads((tmp_path / "embedded.tiktoken.json").read_text())
    assert side["made"]["corpus_bytes"] == 20


def test_check_with_another_corpus_cannot_compare(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = EMBEDDED_PATH.read_bytes()
    monkeypatch.setattr(make_small, "texts", lambda: ["another"])
    assert make_embedded.main(["--check"]) == 2
    assert "cannot compare" in capsys.readouterr().err
    assert EMBEDDED_PATH.read_bytes() == before


@pytest.mark.slow
@pytest.mark.nightly
def test_the_embedded_vocabulary_is_reproducible() -> None:
    """In a separate process, since the data of babel depends on its earlier use."""
    command = [sys.executable, "-m", make_embedded.__spec__.name, "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    made = ranks_file.read_side_file(EMBEDDED_PATH).made
    if (platform.python_version(), version("babel")) != (made["python"], made["babel"]):
        assert result.returncode in {0, 2}, result.stderr
        if result.returncode == 2:
            pytest.skip(result.stderr.strip())
    assert result.returncode == 0, result.stdout + result.stderr
