"""The end and the size of what a process prints."""

import os

import pytest

from tokharness.targets.processes.line_process import KEPT_BYTES, ErrorOutput


@pytest.fixture
def output():
    errors = ErrorOutput()
    yield errors
    errors.close()


def test_the_last_line_is_the_last_that_is_not_blank(output):
    os.write(output.writer, b"first\n second \n\n \n")
    assert output.last_line() == "second"


def test_what_was_written_before_forgetting_is_not_a_last_line(output):
    os.write(output.writer, b"old\n")
    output.forget()
    assert output.last_line() == ""


def test_only_the_end_of_a_line_is_kept_and_all_bytes_are_counted(output):
    for _ in range(8):
        os.write(output.writer, b"x" * 50_000)
        output.read()
    assert output.last_line() == "x" * KEPT_BYTES
    assert output.size == 400_000


def test_bytes_that_are_not_utf8_are_replaced(output):
    os.write(output.writer, b"\xff\n")
    assert output.last_line() == "\ufffd"


def test_the_reading_end_closes_after_the_last_writer(output):
    os.write(output.writer, b"bye")
    output.close_writer()
    output.read()
    assert output.fd is None
    assert output.last_line() == "bye"
