"""The documents of corpus files: their texts, rows and languages, and the rows without one."""

import gzip
import json
import os
import threading
import zipfile
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise

import pytest

from tokharness.corpora import documents, sources, streams
from tokharness.corpora.blocks import Reading
from tokharness.corpora.documents import read_documents
from tokharness.corpora.sources import ChangedError, find_sources, format_of
from tokharness.errors import UnreachableError, UsageError


def read(path, reading=None, forced=None):
    """Return all documents of a file, with their rows and languages, and the bad rows."""
    (source,), _ = find_sources([str(path)], forced)
    blocks = list(read_documents(source, reading or Reading()))
    documents = [
        one
        for block in blocks
        for one in zip(block.texts, block.rows, block.languages, strict=True)
    ]
    return documents, [bad for block in blocks for bad in block.bad]


def texts_of(documents):
    return [text for text, _, _ in documents]


def test_a_line_of_a_text_file_is_a_document_without_its_line_end(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\n\ncaf\u00e9\nlast".encode())
    documents, bad = read(path)
    assert documents == [("one", 1, None), ("caf\u00e9", 3, None), ("last", 4, None)]
    assert not bad


def test_a_file_can_be_a_document(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo\n")
    assert texts_of(read(path, Reading(documents="file"))[0]) == ["one\ntwo\n"]


def test_a_row_that_is_not_utf8_or_too_long_is_bad_and_the_others_are_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntw\xff\n" + b"x" * 50 + b"\nlast\n")
    documents, bad = read(path, Reading(longest=20))
    assert documents == [("one", 1, None), ("last", 4, None)]
    assert bad == [("not UTF-8", 2), ("longer than 20 bytes", 3)]


def test_json_lines_have_a_text_by_name_and_a_language(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        json.dumps({"text": "one", "lang": "en"}),
        json.dumps("two"),
        json.dumps({"other": "x"}),
        "{nonsense",
        json.dumps({"text": 3}),
        "[" * 100_000,
        json.dumps({"text": "last"}),
    ]
    path.write_text("\n".join(rows))
    documents, bad = read(path)
    assert documents == [("one", 1, "en"), ("two", 2, None), ("last", 7, None)]
    assert [row for _, row in bad] == [3, 4, 5, 6]
    assert read(path, Reading(text_column="other"))[0] == [("two", 2, None), ("x", 3, None)]


def test_a_row_of_json_is_lost_for_its_own_values_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "MOST_VALUES", 20)
    path = tmp_path / "a.jsonl"
    digits = "9" * 10_000
    rows = [
        f'{{"id": {digits}, "text": "one"}}',
        f'{{"text": {digits}}}',
        json.dumps({"text": '"[{:,' * 10}),
        f'{{"text": "two", "x": {[0] * 40}}}',
        '{"text": "' + ',"' * 20,
    ]
    path.write_text("\n".join(rows))
    found, bad = read(path)
    assert found == [("one", 1, None), ('"[{:,' * 10, 3, None)]
    assert [(row, reason[-26:]) for reason, row in bad] == [
        (2, "no text but another value"),
        (4, "more than 1,000,000 values"),
        (5, "not JSON"),
    ]


def test_a_field_of_csv_that_is_too_long_is_called_so(tmp_path, monkeypatch):
    monkeypatch.setattr(documents, "LONGEST_ROW", 100)
    path = tmp_path / "a.csv"
    path.write_text('\n\ntext\none\n"' + "word\n" * 30)
    found, bad = read(path)
    assert found[0] == ("one", 4, None)
    assert bad[0] == ("longer than 100 bytes", 5)


def test_a_text_that_begins_as_a_compressed_file_is_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("BZh9 is a word\n")
    assert texts_of(read(path)[0]) == ["BZh9 is a word"]


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.parquet.gz", gzip.compress(b"PAR1", mtime=0), "a compressed file of the kind Parquet"),
        ("a.feather", b"FEA1" + bytes(50), "Feather's version 1"),
    ],
    ids=["gzip", "feather"],
)
def test_a_file_of_columns_that_is_not_damaged_is_not_called_so(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    _, ((reason, row),) = read(path)
    assert (said in reason, row) == (True, 1)


def test_csv_has_quoted_lines_and_bad_rows(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'id,text,lang\n1,"one\nline",en\n2\n3,t\xffo,en\n4,last,de\n')
    documents, bad = read(path)
    assert documents == [("one\nline", 2, "en"), ("last", 6, "de")]
    assert bad == [("too few columns", 4), ("not UTF-8", 5)]


def test_a_quote_that_is_not_closed_is_a_bad_row_and_so_is_a_comma_without_quotes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'text,lang\none,en,\nt,wo,en\n"thr""ee\n",en\n"four,en\nfive,en\n')
    documents, bad = read(path)
    assert documents == [("one", 2, "en"), ('thr"ee\n', 4, "en")]
    assert bad == [("more columns than the header", 3), ("a quote is not closed", 6)]


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_file_in_another_encoding_with_a_mark_is_one_bad_row(tmp_path, name, encoding):
    path = tmp_path / name
    path.write_bytes("one\ntwo\n".encode(encoding))
    documents, ((reason, row),) = read(path)
    assert (documents, row) == ([], 1)
    assert "UTF-16 or UTF-32" in reason
    (source,), _ = find_sources([str(path)])
    if source.is_divisible:
        assert list(read_documents(source, Reading(), 9)) == [], "the first part says it"


def test_a_compressed_file_with_another_name_is_read_by_its_first_part(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(gzip.compress(b"one\ntwo\n"))
    (source,), _ = find_sources([str(path)])
    blocks = [*read_documents(source, Reading(), 0, 10), *read_documents(source, Reading(), 10)]
    assert [text for block in blocks for text in block.texts] == ["one", "two"]


def test_a_file_without_the_column_says_so(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(b"id\tbody of it\n1\tx\n")
    assert read(path)[1] == [("no column text, content, document or body: name it", 1)]


def columns_noted(path, reading):
    (source,), _ = find_sources([str(path)])
    blocks = list(read_documents(source, reading))
    named = sum((block.named for block in blocks), Counter())
    return named, set().union(*(block.others for block in blocks))


def test_each_row_of_json_and_each_header_says_whether_it_has_a_named_column(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"content": null}\n{"body": "x"}\n"string"\n')
    (tmp_path / "a.csv").write_text("id,content\n1,x\n2,y\n")
    reading = Reading(text_column="content", language_column="lang")
    text, language = "--text-column", "--language-column"
    assert columns_noted(tmp_path / "a.jsonl", reading) == (
        {(text, True): 1, (text, False): 1, (language, False): 2},
        {"content", "body"},
    )
    assert columns_noted(tmp_path / "a.csv", reading) == (
        {(text, True): 1, (language, False): 1},
        {"id", "content"},
    )


@pytest.mark.slow
@pytest.mark.needs("pyarrow")
def test_parquet_and_arrow_are_read_by_row_groups(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    texts = [f"text {number}" for number in range(1000)] + [None]
    table = pa.table({"id": range(1001), "text": texts, "language": ["en"] * 1001})
    path = tmp_path / "a.parquet"
    parquet.write_table(table, path, row_group_size=100)
    documents, bad = read(path)
    assert documents == [(text, row, "en") for row, text in enumerate(texts[:-1], 1)]
    assert bad == [("no text", 1001)]
    (source,), _ = find_sources([str(path)])
    borders = [0, source.size // 3, source.size // 2, source.size]
    parts = [
        (text, row)
        for start, end in pairwise(borders)
        for block in read_documents(source, Reading(), start, end)
        for text, row in zip(block.texts, block.rows, strict=True)
    ]
    assert parts == [(text, row) for text, row, _ in documents]
    arrow = tmp_path / "a.arrow"
    with pa.OSFile(str(arrow), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert read(arrow) == (documents, bad)
    for file in (path, arrow):
        named, others = columns_noted(file, Reading(text_column="txt"))
        assert named == {("--text-column", False): 1}
        assert others == {"id", "text", "language"}


@pytest.mark.slow
@pytest.mark.needs("pyarrow")
def test_a_text_of_a_parquet_that_is_not_utf8_is_a_bad_row(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    column = pa.array([b"one", b"t\xffo", b"last"]).view(pa.string())
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": column}), path)
    documents, bad = read(path)
    assert texts_of(documents) == ["one", "last"]
    assert bad == [("not UTF-8", 2)]


def dictionary_file(path, indices, texts):
    """Write an Arrow file of a column with a dictionary, whose content is not checked."""
    import pyarrow as pa

    values = pa.array(texts).view(pa.string())
    column = pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), values, safe=False)
    table = pa.table({"text": column})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return path


@pytest.mark.needs("pyarrow")
def test_a_row_whose_text_in_a_dictionary_is_not_utf8_is_bad_and_the_others_are_read(tmp_path):
    path = dictionary_file(tmp_path / "a.arrow", [0, 1, 2, 0], [b"one", b"t\xffo", b"last"])
    documents, bad = read(path)
    assert texts_of(documents) == ["one", "last", "one"]
    assert bad == [("not UTF-8", 2)]


@pytest.mark.needs("pyarrow")
def test_an_index_beyond_its_dictionary_is_a_broken_file(tmp_path):
    path = dictionary_file(tmp_path / "a.arrow", [0, 10**9], [b"one", b"two"])
    ((reason, _),) = read(path)[1]
    assert reason.startswith("not a whole Arrow file")


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_a_file_with_a_wrong_footer_is_one_bad_row(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"PAR1" + bytes(range(200)) + b"PAR1")
    documents, ((reason, row),) = read(path)
    assert (documents, row) == ([], 1)
    assert reason.startswith("not a whole")
    (source,), _ = find_sources([str(path)])
    if source.is_divisible:
        assert list(read_documents(source, Reading(), 100)) == [], "the first part says it"


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_damaged_file_is_a_bad_row_and_does_not_end_the_process(tmp_path, kind):
    import pyarrow as pa
    from pyarrow import parquet

    path = tmp_path / f"a.{kind}"
    table = pa.table({"text": [f"row {number}" for number in range(2000)]})
    with pa.OSFile(str(path), "wb") as sink:
        if kind == "parquet":
            parquet.write_table(table, sink, store_schema=False)
        else:
            with pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
    whole = path.read_bytes()
    # The pages of the Parquet, and the offsets of the Arrow file.
    for at in range(600, 9000, 600):
        path.write_bytes(whole[:at] + b"\xff" * 4 + whole[at + 4 :])
        reasons = {reason for reason, _ in read(path)[1]}
        assert all(reason.startswith(("not a whole", "not UTF-8")) for reason in reasons)


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("copies", [500, 8000])
def test_a_parquet_with_copies_of_a_text_is_not_read_to_its_end(tmp_path, monkeypatch, copies):
    import pyarrow as pa
    from pyarrow import parquet

    monkeypatch.setattr(streams, "SURE_BYTES", 1 << 20)
    text = pa.DictionaryArray.from_arrays(pa.array([0] * copies, pa.int32()), ["x" * 1000])
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": text}), path)
    documents, bad = read(path)
    limit = max(500 * path.stat().st_size, 1 << 20) // 1000
    assert len(documents) == min(copies, limit // 256 * 256)
    assert [reason for reason, _ in bad] == [streams.EXPANDS] * (copies > limit)


@pytest.mark.needs("pyarrow")
def test_of_two_columns_of_one_name_the_first_has_the_text(tmp_path):
    import pyarrow as pa

    table = pa.table([pa.array(["one"]), pa.array(["other"])], names=["text", "text"])
    path = tmp_path / "a.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    assert read(path) == ([("one", 1, None)], [])


def test_only_the_start_of_a_file_has_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\n\ufefftwo\n".encode())
    (source,), _ = find_sources([str(path)])
    blocks = [*read_documents(source, Reading(), 0, 7), *read_documents(source, Reading(), 7)]
    assert [block.texts for block in blocks] == [["one"], ["\ufefftwo"]]


@pytest.mark.parametrize(("name", "header"), [("a.txt", ""), ("a.csv", "text\n")])
def test_the_rows_before_the_end_of_a_truncated_file_are_documents(tmp_path, name, header):
    text = header + "".join(f"row {number} of {number**3}\n" for number in range(2000))
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode())[:-200])
    documents, ((reason, row),) = read(path, None, format_of(name))
    assert reason == "the compressed file ends in the middle"
    assert 1000 < len(documents) < 2000
    assert row == documents[-1][1] + 1


def test_a_folder_is_read_without_links_out_of_it_and_pipes(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "a.txt").write_text("one")
    (folder / ".hidden").write_text("no")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "inside.txt").symlink_to(folder / "a.txt")
    (folder / "hard.txt").hardlink_to(folder / "a.txt")
    os.mkfifo(folder / "pipe.txt")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    sources, left_out = find_sources([str(folder)])
    assert [source.name for source in sources] == [str(folder / "a.txt")]
    assert left_out == [
        (str(folder / "hard.txt"), f"it is the same file as {folder / 'a.txt'}"),
        (str(folder / "inside.txt"), f"it is the same file as {folder / 'a.txt'}"),
        (str(folder / "link.txt"), "it is a link that leads out of the folder"),
        (str(folder / "loop.txt"), "Too many levels of symbolic links"),
        (str(folder / "pipe.txt"), "it is a pipe, not a file"),
    ]


def test_a_pipe_or_a_wrong_path_that_is_named_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(UsageError, match="it is a pipe, not a file"):
        find_sources([str(tmp_path / "pipe.txt")])
    with pytest.raises(UsageError, match="no file matches"):
        find_sources([str(tmp_path / "*.jsonl")])


def test_a_file_that_changed_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one")
    (source,), _ = find_sources([str(path)])
    path.write_text("other")
    with pytest.raises(ChangedError, match=r"a\.txt changed while it was scanned"):
        list(read_documents(source, Reading()))
    path.unlink()
    with pytest.raises(ChangedError, match=r"a\.txt is gone"):
        list(read_documents(source, Reading()))


def test_a_file_that_is_cut_while_it_is_read_changed_and_is_not_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "COMPRESSED_INPUT", 1000)
    monkeypatch.setattr(streams, "BLOCK_SIZE", 1000)
    path = tmp_path / "a.txt.gz"
    text = "".join(f"row {number} of {number**9}\n" for number in range(1000))
    path.write_bytes(gzip.compress(text.encode()))
    (source,), _ = find_sources([str(path)])
    blocks = read_documents(source, Reading())
    assert next(blocks).texts
    os.truncate(path, source.size // 2)
    with pytest.raises(ChangedError, match=r"a\.txt\.gz changed while it was scanned"):
        list(blocks)


class SilentHandler(BaseHTTPRequestHandler):
    """Sends the beginning of a file, and then nothing until the test ends."""

    is_over = threading.Event()

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        self.wfile.write(b"one\n")
        self.wfile.flush()
        self.is_over.wait(60)

    def log_message(self, *_):
        pass


@pytest.mark.slow
@pytest.mark.needs("aiohttp")
@pytest.mark.needs("fsspec")
def test_a_server_that_sends_nothing_more_is_given_up(monkeypatch):
    monkeypatch.setattr(sources, "WAIT", 0.3)
    with ThreadingHTTPServer(("127.0.0.1", 0), SilentHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            (source,), _ = find_sources([f"http://127.0.0.1:{server.server_port}/a.txt"])
            with pytest.raises(UnreachableError, match="it does not answer in time"):
                list(read_documents(source, Reading()))
        finally:
            SilentHandler.is_over.set()
            server.shutdown()
            thread.join()


@pytest.mark.needs("fsspec")
@pytest.mark.parametrize("key", ["ETag", "Last-Modified", "md5Hash"])
def test_the_state_of_a_file_has_a_name_in_each_store(key, monkeypatch):
    from fsspec.implementations.memory import MemoryFileSystem

    MemoryFileSystem().pipe("/a.txt", b"one\n")
    info = {"name": "/a.txt", "size": 4, "type": "file", key: "first"}
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *_, **__: info)
    (source,), _ = find_sources(["memory://a.txt"])
    info[key] = "second"
    with pytest.raises(ChangedError, match=f"{key} first; now 4 bytes, {key} second"):
        list(read_documents(source, Reading()))


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.txt", "text"), ("a.JSONL.gz", "jsonl"), ("a.parquet", "parquet"), ("a?b.csv", "csv")],
)
def test_the_end_of_a_name_says_the_format(name, form):
    assert format_of(name) == form


@pytest.mark.needs("fsspec")
def test_an_address_is_read_through_fsspec(tmp_path):
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/corpus/a.txt", b"one\ntwo\n")
    memory.pipe("/corpus/b.jsonl?key=1", b'"three"\n')
    sources, _ = find_sources(["memory://corpus"])
    texts = [
        text
        for source in sources
        for block in read_documents(source, Reading())
        for text in block.texts
    ]
    assert texts == ["one", "two", "three"]
    path = tmp_path / "a.txt"
    path.write_text("local")
    assert texts_of(read(f"file://{path}")[0]) == ["local"]
    (one,), _ = find_sources([f"file://{path}", str(path)])
    assert one.size == len("local")


@pytest.mark.needs("fsspec")
@pytest.mark.parametrize("name", ["b.jsonl", "*.jsonl"])
def test_a_file_in_an_archive_is_read(tmp_path, name):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.jsonl", '"one"\n')
    (source,), _ = find_sources([f"zip://{name}::{path}"])
    assert source.name == f"zip://b.jsonl::{path}"
    assert [block.texts for block in read_documents(source, Reading())] == [["one"]]


@pytest.mark.parametrize("scheme", ["file://", "local://"])
def test_an_address_of_this_machine_is_opened_as_a_path(scheme, tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    for path, said in ((tmp_path / "pipe.txt", "it is a pipe"), ("/dev/zero", "it is a device")):
        with pytest.raises(UsageError, match=said):
            find_sources([f"{scheme}{path}"])


@pytest.mark.needs("fsspec")
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("simplecache::file:///dev/zero", "it is a device"),
        ("zip://a.txt::/dev/zero", "it is a device"),
        ("zip://a.txt::{path}", "File is not a zip file"),
        ("reference://a", "missing 1 required"),
        ("other://a", "Protocol not known: other"),
    ],
)
def test_an_address_that_cannot_be_opened_is_refused_in_a_sentence(address, said, tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK\3\4 and no more")
    with pytest.raises(UsageError, match=f"cannot open {address[:5]}.*{said}"):
        find_sources([address.format(path=path)])
