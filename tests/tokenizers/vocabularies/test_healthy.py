"""The small healthy files are those that the code makes, and each kind of file has one."""

import json
from pathlib import Path

import pytest
from planted._sentencepiece_models import MODELS

import tokharness
from tokharness import plugins
from tokharness_tokenizers.adapters import sentencepiece_processor
from tokharness_tokenizers.hugging_face.token_files import folders_of_kind
from tokharness_tokenizers.reference.sentencepiece.model_file import model_bytes
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER, SMALL
from tokharness_tokenizers.vocabularies.make_healthy import main


@pytest.mark.slow
@pytest.mark.nightly
def test_the_files_are_those_that_the_code_makes(tmp_path):
    assert main(["--to", str(tmp_path)]) == 0
    assert files_in(tmp_path) == files_in(HEALTHY_FOLDER)


def files_in(folder):
    paths = filter(Path.is_file, folder.rglob("*"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize(
    ("small", "name"),
    [
        ("byte-level-bpe", "byte-level-bpe"),
        ("sentencepiece-bpe", "byte-fallback-bpe"),
        ("character-bpe", "character-bpe"),
        ("unigram", "unigram"),
        ("wordpiece", "wordpiece"),
    ],
)
def test_a_file_has_a_healthy_one_of_its_kind(small, name):
    assert folders_of_kind(SMALL[small])[0] == HEALTHY_FOLDER / name


@pytest.mark.parametrize(
    ("small", "normalizer", "name"),
    [
        ("byte-level-bpe", "NFKC", "byte-level-bpe-composed"),
        ("unigram", "Precompiled", "unigram-precompiled"),
    ],
)
def test_a_part_of_the_normalizer_makes_the_kind(tmp_path, small, normalizer, name):
    record = json.loads(SMALL[small].read_text())
    record["normalizer"] = {"type": "Sequence", "normalizers": [{"type": normalizer}]}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(record))
    assert [one.name for one in folders_of_kind(file)] == [name, f"{name}-other"]


def test_a_file_of_an_unknown_model_has_none(tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps({"model": {"type": "Other"}, "added_tokens": []}))
    assert folders_of_kind(file) == []


CHECK = {"profile": "quick", "examples": 0, "jobs": 0}
TARGETS = (
    *(f"hf:{HEALTHY_FOLDER / name}" for name in ("byte-level-bpe", "byte-fallback-unigram")),
    *(f"hf:{HEALTHY_FOLDER / name}" for name in ("byte-fallback-bpe", "unigram", "wordpiece")),
    *(f"hf:{HEALTHY_FOLDER / name}" for name in ("character-bpe", "word-level")),
    f"hf:{HEALTHY_FOLDER / 'unigram-precompiled'}",
    *(f"sentencepiece:{HEALTHY_FOLDER / name}" for name in ("bpe.model", "unigram.model")),
    f"mistral:{HEALTHY_FOLDER / 'tekken.json'}",
    f"mistral:{HEALTHY_FOLDER / 'bpe.model'}",
    f"rwkv:{HEALTHY_FOLDER / 'rwkv.txt'}",
    f"subword-nmt:{HEALTHY_FOLDER / 'codes.txt'}",
)


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_a_fault_of_the_library_does_not_fail_a_file():
    report = tokharness.check(SMALL["byte-level-bpe"], **CHECK, families="noncharacters")
    assert "TOK108" in {one.code for one in report.of_library}
    assert report.ok


@pytest.mark.parametrize("start", ["", "unknown-"])
@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_model_has_two_healthy_models_of_its_kind(kind, start):
    names = [f"{start}{kind}-other.model", f"{start}{kind}.model"]
    assert sentencepiece_processor.healthy(str(HEALTHY_FOLDER / names[1])) == [
        str(HEALTHY_FOLDER / name) for name in names
    ]


@pytest.mark.parametrize("name", ["sp_words", "sp_characters"])
def test_a_model_of_characters_or_words_has_the_healthy_models_of_both_kinds(tmp_path, name):
    file = tmp_path / "own.model"
    file.write_bytes(model_bytes(MODELS[name]))
    names = [Path(path).name for path in sentencepiece_processor.healthy(str(file))]
    unknown = ("bpe-other", "bpe", "unigram-other", "unigram")
    assert names == [f"unknown-{kind}.model" for kind in unknown]


@pytest.mark.slow
@pytest.mark.needs("sentencepiece")
@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_fault_of_the_library_for_unknown_characters_does_not_fail_a_model(kind, tmp_path):
    file = tmp_path / "own.model"
    file.write_bytes((HEALTHY_FOLDER / f"unknown-{kind}.model").read_bytes())
    options = {**CHECK, "families": "byte-alphabet", "select": "TOK110"}
    report = tokharness.check(f"sentencepiece:{file}", **options)
    causes = {str(one.cause) for one in report.of_library}
    assert any(one.startswith("entry points: ParallelEncodeAsIds, ") for one in causes)
    assert report.ok


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_a_fault_that_needs_ids_which_no_text_of_a_small_file_has_is_the_librarys(tmp_path):
    record = json.loads(SMALL["byte-level-bpe"].read_text())
    model, first = record["model"], record["added_tokens"][0]
    lead = "\u00ce"  # stands for the byte CE, the first of Greek letters
    vocab = {token: number for token, number in model["vocab"].items() if lead not in token}
    left = {*model["vocab"].values()} - {*vocab.values()}
    vocab |= {f"unused {number}": number for number in left}
    merges = [one for one in model["merges"] if lead not in str(one)]
    record["model"] = {**model, "vocab": vocab, "merges": merges, "unk_token": first["content"]}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(record))
    report = tokharness.check(file, **CHECK, families="homoglyphs", select="TOK108")
    assert [str(one.cause) for one in report.bugs] == []
    assert "stream: lost at the end" in {str(one.cause) for one in report.of_library}


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_a_token_of_the_replacement_character_does_not_fail_a_file(tmp_path):
    record = json.loads(SMALL["character-bpe"].read_text())
    record["model"]["vocab"]["\ufffd"] = len(record["model"]["vocab"])
    record["added_tokens"] = record["added_tokens"][:1]
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(record))
    report = tokharness.check(file, **CHECK, families="noncharacters", select="TOK108")
    assert [str(one.cause) for one in report.bugs] == []
    assert report.of_library


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_a_fault_of_the_decoder_of_a_file_is_its_own(tmp_path):
    record = json.loads(SMALL["byte-level-bpe"].read_text())
    strip = {"type": "Strip", "content": "\ufffd", "start": 0, "stop": 1}
    record["decoder"] = {"type": "Sequence", "decoders": [record["decoder"], strip]}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(record))
    report = tokharness.check(file, **CHECK, families="noncharacters", select=["TOK101", "TOK108"])
    assert report.bugs


@pytest.mark.slow
@pytest.mark.needs("tokenizers")
def test_a_fault_that_is_planted_in_the_library_is_found_in_the_small_file(monkeypatch):
    from tokharness_tokenizers.hugging_face import engine

    whole = engine.load

    def load(path):
        tokenizer = whole(path)
        encode = tokenizer.encode_ordinary
        tokenizer.encode_ordinary = lambda text: encode(text.replace("\u200b", ""))
        return tokenizer

    monkeypatch.setattr(engine, "load", load)
    options = {**CHECK, "families": "zero-width", "select": "TOK101"}
    report = tokharness.check(SMALL["byte-level-bpe"], **options)
    assert [str(one.cause) for one in report.of_library] == [
        "dropped characters: U+200B ZERO WIDTH SPACE"
    ]
    assert report.ok


LIKE_ANOTHER = {"byte-level-bpe", "unigram", "character-bpe", "bpe.model", "word-level"} | {
    "unigram-precompiled"
}
"""Files whose model and stages another file has too, or the small files of other tests."""

NO_BUGS = ("TOK302", "TOK303")
"""Checks that report no bugs, whose audits would take a quarter of the time."""


@pytest.mark.slow(every=4)
@pytest.mark.parametrize("spec", TARGETS)
def test_a_healthy_file_has_no_bug_of_its_own(spec):
    versions = plugins.adapter(spec).versions()
    if not versions:
        pytest.skip("the library is not installed")
    is_like = spec.rpartition("/")[2] in LIKE_ANOTHER
    families = {*plugins.families()} - ({"scalar-sweep", "short-strings"} if is_like else set())
    # One worker: a second one would load and search the file again.
    options = {"profile": "quick", "families": sorted(families), "ignore": NO_BUGS, "jobs": 1}
    assert not tokharness.check(spec, **options).bugs
