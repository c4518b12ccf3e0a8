"""The process of a worker that scans: a worker of the engine that also knows shards.

``python -m tokharness.scanning.worker`` is the process.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from tokharness.engine.requests import ShardRequest
from tokharness.engine.worker.main import main
from tokharness.scanning import shard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokharness.engine.requests import Request
    from tokharness.engine.worker.main import Operation

MODULE = "tokharness.scanning.worker"
OPERATIONS: Mapping[type[Request], Operation] = MappingProxyType({ShardRequest: shard.respond})

if __name__ == "__main__":
    main(OPERATIONS)
