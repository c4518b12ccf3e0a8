"""Matrices of embeddings are found in safetensors files, and read in blocks."""

import json
import struct
import sys

import numpy as np
import pytest

from tokharness import extras
from tokharness.embeddings.choice import open_matrices
from tokharness.errors import UsageError

pytestmark = pytest.mark.needs("safetensors")

IDS = 40
INPUT = "model.embed_tokens.weight"


def written(path, **tensors):
    """Write tensors, each an array or its type, shape and bytes, and return the path."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        if isinstance(tensor, np.ndarray):
            kind = f"F{tensor.itemsize * 8}" if tensor.dtype.kind == "f" else "I32"
            tensor = (kind, tensor.shape, tensor.tobytes())  # noqa: PLW2901
        kind, shape, content = tensor
        offsets = [len(data), len(data) + len(content)]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": offsets}
        data += content
    encoded = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(encoded)) + encoded + data)
    return str(path)


def rows(count=IDS, width=3, dtype="<f4"):
    return np.arange(count * width, dtype=dtype).reshape(count, width) / 4


@pytest.fixture
def checkpoint(tmp_path):
    """Write a file of tensors with names that have dots."""
    return lambda *tensors, name="m.safetensors": written(tmp_path / name, **dict(tensors))


def names(spec, n_vocab=IDS):
    return [(one.tensor.name, one.kind) for one in open_matrices(spec, n_vocab)]


def values(matrix):
    return np.concatenate([block.values for block in matrix.blocks()])


def error(spec, n_vocab=IDS):
    with pytest.raises(UsageError) as raised:
        open_matrices(spec, n_vocab)
    return str(raised.value)


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8"])
def test_rows_have_the_values_of_the_file(checkpoint, dtype):
    spec = checkpoint(("a.norm.weight", rows(3)), (INPUT, rows(dtype=dtype)))
    (matrix,) = open_matrices(spec, IDS)
    assert np.array_equal(values(matrix), rows())
    assert np.array_equal(matrix.some([7, 2]), rows()[[7, 2]])


def test_bf16_is_the_upper_half_of_a_number_of_32_bits(checkpoint):
    upper_halves = rows().view("<u4") >> 16
    spec = checkpoint((INPUT, ("BF16", (IDS, 3), upper_halves.astype("<u2").tobytes())))
    assert np.array_equal(values(*open_matrices(spec, IDS)), rows())


def test_blocks_are_small_and_join_to_all_rows(checkpoint, monkeypatch):
    monkeypatch.setattr("tokharness.embeddings.matrix.VALUES_IN_A_BLOCK", 20)
    (matrix,) = open_matrices(checkpoint((INPUT, rows())), IDS)
    assert [(block.first, len(block.values)) for block in matrix.blocks()][:2] == [(0, 6), (6, 6)]
    assert np.array_equal(values(matrix), rows())


@pytest.mark.parametrize(
    "name",
    [
        *("transformer.wte.weight", "wte.weight", "bert.embeddings.word_embeddings.weight"),
        *("tok_embeddings.weight", "gpt_neox.embed_in.weight", "shared.weight", "emb.weight"),
    ],
)
def test_input_embeddings_are_found_by_their_usual_names(checkpoint, name):
    others = [("layer.weight", rows()), ("position_embeddings.weight", rows(7))]
    assert names(checkpoint(*others, (name, rows()))) == [(name, "input")]


@pytest.mark.parametrize("name", ["lm_head.weight", "output.weight", "embed_out.weight"])
def test_a_model_may_have_output_embeddings_of_its_own(checkpoint, name):
    spec = checkpoint((name, rows()), (INPUT, rows()), ("layer.output.weight", rows(3)))
    assert names(spec) == [(INPUT, "input"), (name, "output")]


def test_a_tensor_that_is_named_is_the_only_one(checkpoint):
    spec = checkpoint(("lm_head.weight", rows()), (INPUT, rows()), ("x:y", rows()))
    assert names(f"{spec}:lm_head.weight") == [("lm_head.weight", "output")]
    assert names(f"{spec}:x:y") == [("x:y", "input")]


def test_of_unusual_names_the_only_matrix_that_fits_is_taken(checkpoint):
    assert names(checkpoint(("table", rows()), ("other", rows(7)))) == [("table", "input")]


def test_output_embeddings_are_not_taken_for_those_of_the_input(checkpoint):
    both = [("table", "input"), ("lm_head.weight", "output")]
    assert names(checkpoint(("lm_head.weight", rows()), ("table", rows()))) == both
    assert names(checkpoint(("lm_head.weight", rows()))) == [("lm_head.weight", "output")]


def test_padding_rows_are_accepted(checkpoint):
    assert open_matrices(checkpoint((INPUT, rows(64))), IDS)[0].rows == 64


def test_of_several_files_only_those_with_a_wanted_tensor_are_read(tmp_path):
    written(tmp_path / "m-1.safetensors", **{INPUT: rows()})
    written(tmp_path / "m-3.safetensors", **{"lm_head.weight": rows()})
    files = {INPUT: "m-1.safetensors", "a": "m-2.safetensors", "lm_head.weight": "m-3.safetensors"}
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": files}))
    assert names(str(index)) == [(INPUT, "input"), ("lm_head.weight", "output")]
    assert names(f"{index}:{INPUT}") == [(INPUT, "input")]
    assert "cannot read" in error(f"{index}:a")
    assert "m-2.safetensors: No such file" in error(f"{index}:a")


@pytest.mark.parametrize(
    "content",
    [b"[]", b'{"weight_map": {"a": "../a.safetensors"}}', b'{"weight_map": 1}', b"{", b"\xff"],
)
def test_an_invalid_index_is_an_error(tmp_path, content):
    path = tmp_path / "index.json"
    path.write_bytes(content)
    assert "is not an index of safetensors files" in error(str(path))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"PK\3\4", struct.pack("<Q", 1 << 62) + b"{}", struct.pack("<Q", 100) + b"{}"),
        *(struct.pack("<Q", 2) + b"[]", struct.pack("<Q", 2) + b"\xff\xff"),
    ],
    ids=["empty", "zip", "huge-header", "truncated-header", "list", "not-utf8"],
)
def test_a_file_that_is_not_safetensors_is_an_error(tmp_path, content):
    path = tmp_path / "m.safetensors"
    path.write_bytes(content)
    assert "is not a safetensors file" in error(str(path))


def test_a_file_without_its_last_rows_is_an_error(checkpoint, tmp_path):
    spec = checkpoint((INPUT, rows()))
    (tmp_path / "m.safetensors").write_bytes((tmp_path / "m.safetensors").read_bytes()[:-4])
    assert "is not a safetensors file" in error(spec)


def test_a_file_that_shrinks_while_it_is_read_is_an_error(checkpoint, tmp_path):
    (matrix,) = open_matrices(checkpoint((INPUT, rows())), IDS)
    (tmp_path / "m.safetensors").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot read the rows from 0 on"):
        list(matrix.blocks())


def test_a_missing_file_is_an_error(tmp_path):
    assert "No such file" in error(f"{tmp_path}/m.safetensors:x")


def test_a_missing_tensor_is_an_error_with_names_of_embeddings(checkpoint):
    spec = checkpoint((INPUT, rows()), ("norm.weight", rows()))
    assert "did you mean 'model.embed_tokens.weight'" in error(f"{spec}:embed_tokens.weight")
    assert "choose from model.embed_tokens.weight." in error(f"{spec}:xyz")


@pytest.mark.parametrize(
    ("tensor", "reason"),
    [
        (rows(39), "39 rows, too few for the 40 ids"),
        (rows(1065), "1,065 rows, too many for the 40 ids"),
        (rows().reshape(2, 20, 3), "has the shape 2 x 20 x 3"),
        (rows().reshape(-1), "has the shape 120"),
        (rows().astype("<i4"), "has values of the type I32: choose F16"),
    ],
)
def test_a_tensor_that_does_not_fit_is_an_error_with_the_reason(checkpoint, tensor, reason):
    spec = checkpoint((INPUT, tensor))
    assert reason in error(spec)
    assert reason in error(f"{spec}:{INPUT}")


def test_without_a_usual_name_several_matrices_that_fit_are_an_error(checkpoint):
    spec = checkpoint(("a", rows()), ("b", rows()), ("c", rows(3)))
    assert "2 tensors fit the 40 ids" in error(spec)
    assert "of 'a', 'b'" in error(spec)


@pytest.mark.parametrize("package", ["numpy", "safetensors"])
def test_a_missing_package_is_an_error_that_says_what_to_install(checkpoint, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert extras.what_installs("embeddings") in error(checkpoint((INPUT, rows())))
