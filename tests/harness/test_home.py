"""The home directory in paths, also where a process has none."""

import platformdirs
import pytest

from tokharness.errors import TokharnessError
from tokharness.home import expand_user, user_cache
from tokharness.results.comparison_cache import FOLDER, cache_folder
from tokharness.targets.loading import load_target


@pytest.mark.parametrize("spec", ["reference:~no-user/a.json", "hf:~no-user/a.json"])
def test_a_home_of_no_user_is_a_file_that_is_missing(spec):
    with pytest.raises(TokharnessError, match=r"(?i)no such file|there is no file"):
        load_target(spec)


def test_without_a_home_there_is_no_cache(monkeypatch):
    monkeypatch.delenv(FOLDER, raising=False)
    assert user_cache() is not None

    def raises(*_, **__):
        raise RuntimeError("no home")

    monkeypatch.setattr(platformdirs, "user_cache_dir", raises)
    assert user_cache() is None
    assert cache_folder() is None
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: "~/.cache")
    assert user_cache() is None


def test_the_home_of_a_user_is_expanded(monkeypatch):
    monkeypatch.setenv("HOME", "/home/a")
    assert str(expand_user("~/b")) == "/home/a/b"
    assert str(expand_user("~no-user/b")) == "~no-user/b"
