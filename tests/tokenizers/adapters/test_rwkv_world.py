from __future__ import annotations

import importlib.metadata
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted._byte_lists import AGAINST, healthy, lines

from tokharness import extras
from tokharness.errors import TargetError, VocabularyError
from tokharness.model import Verdict
from tokharness_tokenizers import libraries
from tokharness_tokenizers.adapters import rwkv_world

if TYPE_CHECKING:
    from types import SimpleNamespace

needs_library = pytest.mark.needs("rwkv")
WORLD = (
    Path(os.environ.get("TOKHARNESS_TEST_VOCABULARIES", "/no/such/folder"))
    / "rwkv/rwkv_vocab_v20230424.txt"
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lists") / "list.txt"
    path.write_text("\n".join(lines()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def library(path: Path) -> SimpleNamespace:
    return rwkv_world.load(str(path))


@needs_library
@given(data=st.binary() | st.lists(st.sampled_from(sorted(healthy().model.ids))).map(b"".join))
def test_the_reference_has_the_ids_of_the_library(library: SimpleNamespace, data: bytes) -> None:
    ids = healthy().encode_bytes(data)
    assert library.encode_bytes(data) == ids
    assert library.decode_bytes(ids) == data


@needs_library
@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.skipif(not WORLD.is_file(), reason="TOKHARNESS_TEST_VOCABULARIES lacks the list")
def test_the_reference_has_the_ids_of_the_library_for_every_scalar_value() -> None:
    from tokharness_tokenizers.reference import rwkv_list

    library, reference = rwkv_world.load(str(WORLD)), rwkv_list.load(WORLD)
    for point in range(0x110000):
        if not 0xD800 <= point < 0xE000:
            text = f"1{chr(point)} a"
            ids = reference.encode(text)
            assert library.encode(text) == ids, ascii(text)
            assert reference.decode(ids) == text


@needs_library
def test_decode_loses_the_text_before_a_part_of_a_character(library: SimpleNamespace) -> None:
    ids = [healthy().model.ids[token] for token in (b"the", b"\xe4\xb8")]
    assert library.decode(ids) == "\ufffd"
    assert healthy().decode(ids) == "the\ufffd"


@needs_library
def test_a_list_that_is_code_is_not_given_to_the_library(tmp_path: Path) -> None:
    written, path = tmp_path / "written", tmp_path / "list.txt"
    path.write_text(f"1 open({str(written)!r}, 'w').name {len(str(written))}\n", "utf-8")
    with pytest.raises(VocabularyError, match=r"line 1: .* is not a string or bytes"):
        rwkv_world.load(str(path))
    assert not written.exists()


def test_without_the_library_the_extra_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(libraries, "version", missing)
    with pytest.raises(TargetError, match=re.escape(extras.what_installs("rwkv"))):
        rwkv_world.load(str(path))


@needs_library
def test_a_bare_path_is_the_library(path: Path) -> None:
    assert rwkv_world.recognize(path) == str(path)
    assert rwkv_world.recognize(Path(__file__)) is None


KNOWN_RISKS = {
    "TOK302": "a small list has tokens for a few numbers",
    "TOK303": "a small list has no tokens for most characters",
}


@pytest.mark.slow
@pytest.mark.parametrize("family", ["plain-words", "white-space"])
def test_the_healthy_list_has_no_bug(events: Any, summarize: Any, family: str) -> None:
    from tokharness.engine.events import FindingReported

    run_events = events(AGAINST, against=AGAINST, families=(family,))
    findings = [event.finding for event in run_events if isinstance(event, FindingReported)]
    faults = [one for one in findings if one.verdict in (Verdict.BUG, Verdict.RISK)]
    assert summarize(one for one in faults if one.code not in KNOWN_RISKS) == []
