"""The program of llama.cpp, with a made package of its name, and with the real one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from planted._gguf_files import PREFIX, RECORDS, gguf_bytes

from tokharness.errors import TargetDeath, TargetError, UnknownNameError
from tokharness_tokenizers.adapters import reference_target, shipped_engine
from tokharness_tokenizers.programs import HERE, known_engines
from tokharness_tokenizers.programs.starting import NODE_VARIABLE as VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokharness.targets.processes.remote import Remote

RUNNER, PROGRAM = HERE / "json_lines.mjs", known_engines()["llama.cpp"].path
FOLDER = Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder")) / "gguf"
NODE = shutil.which("node") or "node"

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
needs_llama_cpp = pytest.mark.usefixtures("llama_cpp")
needs_files = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="TOKHARNESS_TEST_VOCABULARIES has no folder gguf"
)

PACKAGE = """
const kinds = [{}, {control: true}, {userDefined: true}, {unknown: true}];
export async function getLlama({logger}) {
    console.error("a log");
    return {llamaCppRelease: {release: "b1"}, loadModel: async ({modelPath}) => {
        if (modelPath.endsWith("damaged")) throw new Error("bad\\n  magic");
        return {
            iterateAllTokens: () => [0, 1, 2, 3],
            getTokenAttributes: (id) => kinds[id],
            _model: {getTokenString: (id) => ["a", "<s>", "\\u4f60", "<unk>"][id]},
            tokenize: (text, special) => {
                if (text === "raise") throw new RangeError("no");
                return [...text].map((char) => char.codePointAt(0) + (special ? 1e6 : 0));
            },
            detokenize: (ids, special) => String.fromCodePoint(...ids) + special,
        };
    }};
}
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder ``node_modules`` with a small package in the place of node-llama-cpp."""
    package = tmp_path / "node-llama-cpp"
    package.mkdir()
    (package / "index.js").write_text(PACKAGE)
    description = {"version": "9.9", "main": "./index.js", "type": "module"}
    (package / "package.json").write_text(json.dumps(description))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def run(file: str, folder: Path, requests: object = ()) -> subprocess.CompletedProcess[str]:
    lines = "".join(json.dumps(request) + "\n" for request in requests)  # type: ignore[attr-defined]
    argv = [NODE, "--conditions=import", str(RUNNER), str(PROGRAM), str(folder), "file", file]
    return subprocess.run(argv, input=lines, capture_output=True, text=True, check=False)


@needs_node
def test_answers_are_ascii_in_order_until_the_input_ends(made: Path) -> None:
    long = "\U0001f600" * 300_000
    requests = [
        {"op": "info"},
        {"op": "encode", "texts": ["a\u4f60", "\ud800", "raise", long]},
        {"op": "encode_special", "texts": ["a"]},
        {"op": "decode", "ids": [[0x4F60, 0xD800], []]},
        {"op": "token_text", "ids": [2]},
    ]
    done = run("x.gguf", made, requests=requests)
    assert done.returncode == 0
    assert done.stdout.isascii()
    info, encoded, special, decoded, texts = map(json.loads, done.stdout.splitlines())
    assert info["version"] == "llama.cpp b1, node-llama-cpp 9.9"
    assert info["special_tokens"] == {"<s>": 1, "<unk>": 3}
    assert info["added_tokens"] == {"\u4f60": 2}
    error = {"error": "no", "type": "RangeError"}
    assert encoded["results"] == [[97, 0x4F60], [0xD800], error, [0x1F600] * 300_000]
    assert special["results"] == [[1_000_097]]
    assert decoded["results"] == ["\u4f60\ud800true", "true"]
    assert texts["results"] == ["\u4f60"]


@needs_node
def test_tokens_of_bert_have_the_texts_of_its_vocabulary(made: Path) -> None:
    texts = ["\u2581the", "[CLS]", "ing", "<x>", ""]
    package = made / "node-llama-cpp" / "index.js"
    package.write_text(
        PACKAGE.replace("return {\n            iterate", 'return {vocabularyType: "wpm", iterate')
        .replace("[0, 1, 2, 3]", "[0, 1, 2, 3, 4]")
        .replace("kinds[id]", "({normal: id !== 3})")
        .replace('["a", "<s>", "\\u4f60", "<unk>"]', json.dumps(texts))
    )
    request = {"op": "token_text", "ids": [0, 1, 2, 3, 4]}
    (answer,) = map(json.loads, run("x.gguf", made, requests=[request]).stdout.splitlines())
    assert answer["results"] == ["the", "[CLS]", "##ing", "<x>", ""]


@needs_node
def test_the_program_without_its_package_says_how_to_install_it(tmp_path: Path) -> None:
    done = run("x.gguf", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"node-llama-cpp is not in {tmp_path}: npm install node-llama-cpp\n"


@needs_node
@pytest.mark.slow
def test_an_engine_that_hangs_on_a_damaged_file_is_not_waited_for(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_engine, "BRIEF_SECONDS", 0.5)
    package = made / "node-llama-cpp" / "index.js"
    package.write_text(f"for (;;) {{}}\n{PACKAGE}")
    path = made / "damaged"
    content = gguf_bytes(RECORDS["byte_level"])
    path.write_bytes(content[:16] + (1 << 62).to_bytes(8, "little") + content[24:])
    with pytest.raises(TargetError, match=r"does not load the file .*: byte 24: the keys: "):
        shipped_engine.load(f"llama.cpp:{path}")


@needs_node
@pytest.mark.slow
def test_an_engine_has_all_its_time_for_a_file_of_a_kind_that_only_our_reader_does_not_know(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped_engine, "BRIEF_SECONDS", 0.01)
    path = made / "unknown"
    path.write_bytes(gguf_bytes({**RECORDS["byte_level"], PREFIX + "model": "newer"}))
    shipped_engine.load(f"llama.cpp:{path}").close()


@needs_node
def test_a_refused_file_is_an_error_in_one_sentence(made: Path) -> None:
    path = made / "damaged"
    path.write_bytes(gguf_bytes({**RECORDS["byte_level"], PREFIX + "pre": "nonsense"}))
    reason = f"llama.cpp refuses the file {path}: the pre-tokenizer 'nonsense'"
    with pytest.raises(TargetError, match=reason) as caught:
        shipped_engine.load(f"llama.cpp:{path}")
    assert not caught.value.failure


@needs_node
def test_what_an_engine_prints_is_no_answer(made: Path) -> None:
    package = made / "node-llama-cpp" / "index.js"
    noise = 'console.log("noise"); process.stdout.write("noise\\n"); writeSync(1, "noise\\n");'
    package.write_text(
        'import {writeSync} from "node:fs";\n'
        + PACKAGE.replace(
            "tokenize: (text, special) => {", f"tokenize: (text, special) => {{{noise}"
        )
    )
    path = made / "model.gguf"
    path.write_bytes(gguf_bytes(RECORDS["byte_level"]))
    remote = shipped_engine.load(f"llama.cpp:{path}")
    assert [remote.encode("a"), remote.encode("b")] == [[97], [98]]
    remote.close()


@needs_node
def test_what_only_the_engine_refuses_is_a_failure(made: Path) -> None:
    path = made / "damaged"
    path.write_bytes(gguf_bytes(RECORDS["byte_level"]))
    with pytest.raises(TargetError, match=r"llama\.cpp refuses the file .* bad magic") as caught:
        shipped_engine.load(f"llama.cpp:{path}")
    assert caught.value.failure == "error"


@needs_node
@pytest.mark.parametrize("kind", ["byte_level", "scored_bpe"])
def test_the_bytes_of_tokens_are_those_of_the_file(made: Path, kind: str) -> None:
    path = made / "model.gguf"
    path.write_bytes(gguf_bytes(RECORDS[kind]))
    remote, reading = shipped_engine.load(f"llama.cpp:{path}"), reference_target.load(str(path))
    numbers = range(reading.n_vocab)  # type: ignore[attr-defined]
    assert remote.bytes_inside(numbers) == reading.bytes_inside(numbers)  # type: ignore[attr-defined]
    remote.close()


@needs_node
def test_a_missing_file_is_an_error(made: Path) -> None:
    with pytest.raises(TargetError, match=r"there is no file /no/such\.gguf: check the path"):
        shipped_engine.load("llama.cpp:/no/such.gguf")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    program = tmp_path / "node"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TargetError, match="npm install --global node-llama-cpp, or set"):
        shipped_engine.load("llama.cpp:x.gguf")
    assert not shipped_engine.llama_cpp_is_installed()
    program.unlink()
    with pytest.raises(TargetError, match=r"needs Node.js"):
        shipped_engine.load("llama.cpp:x.gguf")


def test_an_engine_needs_a_known_name_and_a_file() -> None:
    with pytest.raises(UnknownNameError, match=r"llama.cpp"):
        shipped_engine.load("lama.cpp:x.gguf")
    with pytest.raises(TargetError, match=r"write engine:llama.cpp:FILE"):
        shipped_engine.load("llama.cpp")
    assert shipped_engine.reference("llama.cpp:a:b.gguf") == "reference:a:b.gguf"


@pytest.fixture(scope="module")
def llama_cpp() -> None:
    if not shipped_engine.llama_cpp_is_installed():
        pytest.skip(f"needs npm install --global node-llama-cpp, or {VARIABLE}")


@pytest.fixture(scope="module")
def gpt_2(llama_cpp: None) -> Iterator[Remote]:
    remote = shipped_engine.load(f"llama.cpp:{FOLDER / 'ggml-vocab-gpt-2.gguf'}")
    yield remote
    remote.close()


def expected(name: str) -> list[tuple[str, list[int]]]:
    """Return the texts of a file, and the ids that the makers of llama.cpp expect."""
    texts = (FOLDER / f"{name}.inp").read_text("utf-8").split("\n__ggml_vocab_test__\n")
    rows = (FOLDER / f"{name}.out").read_text("utf-8").splitlines()
    return [(text, [*map(int, row.split())]) for text, row in zip(texts, rows, strict=False)]


@pytest.mark.slow
@needs_llama_cpp
@needs_files
def test_llama_cpp_gives_the_ids_that_its_makers_expect(gpt_2: Remote) -> None:
    rows = expected("ggml-vocab-gpt-2.gguf")
    assert len(rows) > 40
    assert gpt_2.call_each("encode", [text for text, _ in rows]) == [ids for _, ids in rows]


@needs_llama_cpp
@needs_files
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bert-bge", "llama-spm", "qwen2"])
def test_llama_cpp_gives_the_expected_ids_of_other_models(name: str) -> None:
    file = f"ggml-vocab-{name}.gguf"
    remote = shipped_engine.load(f"llama.cpp:{FOLDER / file}")
    rows = expected(file)
    assert remote.call_each("encode", [text for text, _ in rows]) == [ids for _, ids in rows]
    remote.close()


@needs_llama_cpp
@needs_files
@pytest.mark.slow
def test_llama_cpp_has_the_texts_of_the_vocabulary_of_bert() -> None:
    path = FOLDER / "ggml-vocab-bert-bge.gguf"
    remote, reading = shipped_engine.load(f"llama.cpp:{path}"), reference_target.load(str(path))
    numbers = range(reading.n_vocab)  # type: ignore[attr-defined]
    ours = [*map(reading.token_text, numbers)]  # type: ignore[attr-defined]
    assert remote.call_each("token_text", numbers) == ours
    remote.close()


@pytest.mark.slow
@needs_llama_cpp
@needs_files
def test_control_tokens_are_text_unless_they_are_asked_for(gpt_2: Remote) -> None:
    text = "<|endoftext|>"
    assert gpt_2.special_tokens == {text: 50256}
    assert 50256 not in gpt_2.encode(text)
    assert gpt_2.encode_special(text) == [50256]
    assert gpt_2.decode([50256]) == gpt_2.token_text(50256) == text


@needs_llama_cpp
@needs_files
@pytest.mark.slow
def test_an_id_past_the_end_ends_the_process_and_the_next_call_starts_another(
    gpt_2: Remote,
) -> None:
    with pytest.raises(TargetDeath, match="SIGABRT"):
        gpt_2.decode([50257])
    assert gpt_2.decode([0]) == "!"


@needs_llama_cpp
@pytest.mark.slow
def test_llama_cpp_refuses_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gguf"
    path.write_bytes(b"GGUF\x03\0\0\0")
    with pytest.raises(TargetError, match=r"llama.cpp refuses the file"):
        shipped_engine.load(f"llama.cpp:{path}")
