"""The quick loop of a developer: ``nox``, or ``nox -- tests/harness/gate`` for one folder.

Sessions run in the active environment, so they start at once. ``.ci/run`` is the complete test.
"""

import nox

nox.options.sessions = ["quick"]
nox.options.default_venv_backend = "none"


@nox.session
def quick(session: nox.Session) -> None:
    """Lint, types and the fast tests of the folders in the arguments, or of all."""
    lint(session)
    types(session)
    session.run("pytest", "-q", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff and the import contracts."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Types; the daemon of mypy makes a second run take a second or two."""
    session.run("dmypy", "run", "--", "--config-file", "pyproject.toml")


@nox.session
def docs(session: nox.Session) -> None:
    """Write the generated documentation and the example reports again."""
    session.run("python", "docs/generate.py", "--screens")
    session.run("python", "tests/make_examples.py")


@nox.session
def ci(session: nox.Session) -> None:
    """Everything that has to pass before a change lands."""
    session.run(".ci/run", external=True)
