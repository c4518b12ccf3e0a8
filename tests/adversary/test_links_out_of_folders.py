"""Folders whose files are links to files of the user, which errors would quote."""

import json
import struct

import pytest

from tokharness.diagnosis.vocabulary.corpus import texts_of_corpus
from tokharness.embeddings.choice import check_file
from tokharness.parallel import reading as parallel
from tokharness.plugins.bare_paths import spec_of
from tokharness.targets.loading import load_target
from tokharness_tokenizers.vocabularies.locate import HEALTHY_FOLDER, SMALL

VOCABULARY = json.loads(SMALL["byte-level-bpe"].read_bytes())["model"]
MERGES = "".join(f"{' '.join(pair)}\n" for pair in VOCABULARY["merges"]).encode()
HEADER = b'{"emb.weight": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}'
FOLDERS = {
    "a tokenizer.json": ("tokenizer.json", SMALL["wordpiece"].read_bytes(), {}),
    "a file with another name": ("my.json", SMALL["wordpiece"].read_bytes(), {}),
    "a model": ("tokenizer.model", (HEALTHY_FOLDER / "bpe.model").read_bytes(), {}),
    "merges": ("merges.txt", MERGES, {"vocab.json": json.dumps(VOCABULARY["vocab"]).encode()}),
    "settings": (
        "tokenizer_config.json",
        b"{}",
        {"vocab.json": json.dumps(VOCABULARY["vocab"]).encode(), "merges.txt": MERGES},
    ),
    "parallel text": ("eng_Latn.txt", b"a\n", {"deu_Latn.txt": b"a\n"}),
    "declarations": ("eng.html", b"<html lang=en><header>a", {"deu.html": b"<html><header>a"}),
    "a corpus": ("a.txt", b"a", {"b.txt": b"a"}),
    "embeddings": (
        "a.safetensors",
        struct.pack("<Q", len(HEADER)) + HEADER + bytes(4),
        {"model.safetensors.index.json": b'{"weight_map": {"emb.weight": "a.safetensors"}}'},
    ),
}


def read(words, folder):
    if words in ("parallel text", "declarations"):
        return parallel.read(folder)
    if words == "a corpus":
        return list(texts_of_corpus(str(folder)))
    if words == "embeddings":
        return check_file(str(folder / "model.safetensors.index.json"))
    return load_target(spec_of(str(folder)).replace("hf:", "reference:"))


@pytest.mark.parametrize("words", FOLDERS)
def test_a_link_out_of_a_folder_is_refused(words, tmp_path, sentence_of):
    name, content, others = FOLDERS[words]
    folder, secret = tmp_path / "folder", tmp_path / "secret"
    folder.mkdir()
    for other, data in others.items():
        (folder / other).write_bytes(data)
    (folder / name).write_bytes(content)
    assert sentence_of(lambda: read(words, folder)) == ""
    (folder / name).rename(secret)
    (folder / name).symlink_to(secret)
    said = f"{name} is a link that leads out of the folder {folder}"
    assert said in sentence_of(lambda: read(words, folder))


@pytest.mark.parametrize("words", [words for words in FOLDERS if words != "declarations"])
@pytest.mark.parametrize("inner", ["", "tokenizer"])
def test_a_snapshot_of_the_hub_is_read(words, inner, tmp_path, sentence_of):
    name, content, others = FOLDERS[words]
    model = tmp_path / "models--a--b"
    folder = model / "snapshots" / "0123" / inner
    for one in (model / "blobs", folder):
        one.mkdir(parents=True)
    for number, (file, data) in enumerate({name: content, **others}.items()):
        (model / "blobs" / f"{number}").write_bytes(data)
        up = "../" * (3 if inner else 2)
        (folder / file).symlink_to(f"{up}blobs/{number}")
    assert sentence_of(lambda: read(words, folder)) == ""


@pytest.mark.slow
def test_a_link_that_is_named_itself_is_read(tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "tokenizer.json"
    link.symlink_to(SMALL["wordpiece"])
    assert spec_of(str(link)) == f"hf:{link}"
    assert load_target(f"reference:{link}").encode("a")
