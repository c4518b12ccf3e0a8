"""Processes that are started on use, and started again after they have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokharness.errors import TargetError
from tokharness.targets.processes.line_process import LineProcess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Self

    from tokharness.targets.processes.limits import Limits


class OwnedProcess:
    """What starts a process on use; as a context it ends the process."""

    _process: LineProcess | None = None

    def close(self) -> None:
        """End the process; the next use starts another one."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _: type[BaseException] | None,
        __: BaseException | None,
        ___: TracebackType | None,
    ) -> None:
        self.close()


class RestartedProgram(OwnedProcess):
    """The program of a target; as a context it ends the process.

    Attributes:
        spec: The spec of the target.
        limits: The limits of the process.

    """

    def __init__(
        self,
        spec: str,
        argv: Sequence[str],
        limits: Limits,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.spec, self.limits = spec, limits
        self._argv, self._environment = argv, environment

    def started(self) -> LineProcess:
        """Return the process that runs; raises TargetError if it cannot be started."""
        if self._process is None:
            limits = self.limits
            try:
                self._process = LineProcess(
                    self._argv,
                    memory=limits.memory,
                    load_seconds=limits.load,
                    environment=self._environment,
                )
            except OSError as error:
                raise TargetError(f"{self.spec} cannot be started: {error.strerror}") from error
        return self._process
