"""Targets of ``tokharness.check`` run in worker processes, which load them themselves."""

import subprocess
import sys

import pytest

import tokharness

pytestmark = pytest.mark.slow

CRASHING = "python:planted.crashes:aborts_on_a_language_tag"


def test_a_crash_in_a_worker_is_a_finding(few):
    options = {**few, "select": "TOK104"}
    report = tokharness.check(CRASHING, **options, jobs=1, memory_limit=1 << 30)
    assert [str(bug.cause) for bug in report.bugs] == ["crash: encode, SIGABRT"]


def test_a_factory_is_loaded_by_the_workers(module, few):
    report = tokharness.check(module.Tokenizer, against=module.make, **few, jobs=1)
    assert report.spec == "python:module_of_mine.py:Tokenizer"
    assert report.against == "python:module_of_mine.py:make"
    assert [bug.text for bug in report.bugs] == ["\u200b"]


@pytest.mark.parametrize("jobs", [0, 1])
def test_a_script_that_is_its_own_target_needs_a_guard(folder, few, jobs):
    call = f"print(tokharness.check(Tokenizer, jobs={jobs}, **{few!r}).bugs[0].code)"
    start = (
        "import tokharness\nclass Tokenizer:\n"
        " encode = lambda self, text: []\n decode = lambda self, ids: ''\n"
    )
    (folder / "bare.py").write_text(start + call)
    (folder / "guarded.py").write_text(f"{start}if __name__ == '__main__': {call}")
    bare, guarded = (
        subprocess.run([sys.executable, name], capture_output=True, text=True, check=False)
        for name in ("bare.py", "guarded.py")
    )
    assert 'put the call under `if __name__ == "__main__":`' in bare.stderr.splitlines()[-1]
    assert guarded.stdout == "TOK101\n"


def test_a_module_that_python_runs_by_its_name_is_a_target(packaged, folder, few):
    path = folder / "package_of_mine" / "inner.py"
    call = f"print(tokharness.check(make, jobs=1, **{few!r}).spec)"
    main = f"\nif __name__ == '__main__':\n    import tokharness\n    {call}\n"
    path.write_text(path.read_text() + main)
    words = [sys.executable, "-m", "package_of_mine.inner"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "python:package_of_mine.inner:make\n"
