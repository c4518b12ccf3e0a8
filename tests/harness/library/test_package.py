"""The names of the package ``tokharness``, which are imported on first use."""

import subprocess
import sys

import pytest

import tokharness
from tokharness import errors, library


def printed_by(script):
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_every_name_exists_and_is_listed():
    assert set(tokharness.__all__) <= set(dir(tokharness))
    for name in tokharness.__all__:
        assert getattr(tokharness, name).__name__ == name


def test_names_are_those_of_their_modules():
    assert tokharness.check is library.check
    assert tokharness.TargetError is errors.TargetError


def test_every_error_that_stops_a_command_is_exported():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    stopping = [kind for kind in kinds if issubclass(kind, errors.TokharnessError)]
    assert {kind.__name__ for kind in stopping} < set(tokharness.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'chekc'"):
        _ = tokharness.chekc


def test_importing_the_package_imports_none_of_its_modules_and_not_typing():
    script = (
        "import sys; before = {*sys.modules}; import tokharness; "
        "print(*({*sys.modules} - before - {'__future__'}))"
    )
    assert printed_by(script) == ["tokharness"]


@pytest.mark.slow
def test_importing_the_functions_imports_no_tokenizer_and_no_case():
    heavy = ("tiktoken", "hypothesis", "jinja2", "tokharness_cases", "tokharness_tokenizers")
    script = f"import sys; from tokharness import check; print(*(sys.modules.keys() & {heavy}))"
    assert printed_by(script) == []
