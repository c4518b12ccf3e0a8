"""The tokenizer of a target, for use in Python."""

from __future__ import annotations

import operator
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tokharness import plugins
from tokharness.boundary.exceptions import builtin_exception
from tokharness.engine.option_values import parse_seconds
from tokharness.errors import TargetDeath, TargetError
from tokharness.escaping import terminal
from tokharness.model import Target, decoded_text, target_of
from tokharness.plugins.bare_paths import spec_of
from tokharness.targets.loading import contained_target, tokenizer_of
from tokharness.targets.processes.isolated import MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True, repr=False)
class LoadedTarget:
    """A target that is loaded for use in Python.

    ``encode`` and ``decode`` are the calls that checks make, but they raise what the tokenizer
    raises. As a context it closes itself.

    Attributes:
        target: The guarded target, with everything that it declares.
        tokenizer: The object that the adapter returned, with all its methods. If it has a process
            of its own, it has the methods that checks call.

    """

    target: Target
    tokenizer: Any

    @property
    def spec(self) -> str:
        """The spec."""
        return self.target.spec

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """Text to id."""
        return self.target.special_tokens

    @property
    def n_vocab(self) -> int | None:
        """One more than the largest id, if it is known."""
        return self.target.n_vocab

    @property
    def normalizer(self) -> str | None:
        """The name of the normal form that it declares."""
        return self.target.normalizer

    @property
    def unicode_version(self) -> str | None:
        """The version that its pre-tokenizer is pinned to."""
        return self.target.unicode_version

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The optional methods of ``tokenizer``, such as ``encode_batch``."""
        return self.target.capabilities

    def encode(self, text: str) -> list[int]:
        """Return the ids of a plain text, in which special tokens are text.

        This is ``encode_ordinary`` of the tokenizer if it has that method, else ``encode``.
        """
        encode = getattr(self.tokenizer, self.target.entry_point)
        return list(self._called(encode, text, "encode a text of", "characters"))

    def encode_all(self, texts: Iterable[str]) -> list[list[int]]:
        """Return the ids of each text, in few requests if the tokenizer has its own process."""
        texts = list(texts)
        self.target.fetch(texts)
        return [self.encode(text) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids; bytes are decoded as UTF-8, with U+FFFD for invalid ones."""
        if self.target.has_own_process:
            ids = list(map(operator.index, ids))
        return decoded_text(self._called(self.tokenizer.decode, ids, "decode", "ids"))

    def _called(
        self, function: Callable[[Any], Any], argument: Sequence[Any], what: str, unit: str
    ) -> Any:
        """Call the tokenizer; raises TargetError if that ends its process or takes too much."""
        try:
            return function(argument)
        except TargetDeath as death:
            is_slow = death.reason == "time limit"
            more = "it takes too long, and time_limit allows more"
            reason = more if is_slow else f"its process ended: {death}"
        except MemoryError as error:
            if not self.target.has_own_process:
                raise
            reason = f"it takes too much memory, {str(error) or f'more than {MEMORY >> 20} MB'}"
        except Exception as error:
            if not self.target.has_own_process:
                raise
            raise builtin_exception(error) from None
        self.tokenizer.set_crashers(())  # the next text is tried, whatever this one did
        raise TargetError(f"{self.spec} cannot {what} {len(argument)} {unit}: {reason}")

    def close(self) -> None:
        """End the tokenizer's process, if it runs in a separate process, as for ``command:``."""
        self.target.close()

    def __repr__(self) -> str:
        return f"<LoadedTarget {terminal(self.spec)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def load(
    spec: str | os.PathLike[str],
    *,
    time_limit: float = 5.0,
    load_limit: float = 60.0,
    trusted: bool = False,
) -> LoadedTarget:
    r"""Load a target for use in Python.

    ::

        tokenizer = tokharness.load("tiktoken:cl100k_base")
        tokenizer.encode("caf\u00e9")

    A target that reads a file, which may be a stranger's, runs in a process of its own, with limits
    for time and memory. A call takes a third of a millisecond longer there: use ``encode_all`` for
    many texts, or ``trusted`` for your own file. All other targets run in this process: those of a
    known name, and ``python:``, whose code is yours.

    Args:
        spec: The spec, ``SCHEME:REST``, such as ``tiktoken:cl100k_base`` or
            ``python:FILE.py:FACTORY``; `tokharness list targets` lists the schemes. Or the path of
            a file or a folder, if its content says what loads it.
        time_limit: Seconds for one text; long texts get more.
        load_limit: Seconds for loading the target; a busy machine gives it more time.
        trusted: Whether to load a file in this process, without a limit: what ends or hangs the
            tokenizer ends or hangs this process.

    Raises:
        UsageError: it is neither a spec nor such a path.
        UnknownNameError: no adapter has this scheme, or the adapter does not know the name.
        TargetError: the target cannot be loaded.

    """
    spec = spec_of(os.fspath(spec))
    if trusted:
        tokenizer = plugins.adapter(spec).load(spec.partition(":")[2])
        return LoadedTarget(target_of(spec, tokenizer), tokenizer)
    target = contained_target(
        spec,
        seconds=parse_seconds(time_limit, "time_limit"),
        load=parse_seconds(load_limit, "load_limit"),
    )
    tokenizer = tokenizer_of(target)
    return LoadedTarget(target, getattr(tokenizer, "raw", tokenizer))
