"""Whether some text is encoded to ids with a token: a witness, a proof, or neither."""

from tokharness.diagnosis.reachability.tokens import (
    ALONE,
    IN_CONTEXT,
    NOT_REACHED,
    UNREACHABLE,
    Reach,
    reach_of_tokens,
)

__all__ = ["ALONE", "IN_CONTEXT", "NOT_REACHED", "UNREACHABLE", "Reach", "reach_of_tokens"]
