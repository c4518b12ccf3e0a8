"""The data types of tokharness, all frozen: case, target, batch, cause, finding, skip, token.

Every other module uses these types. Nothing here runs a tokenizer, except that a
:class:`Target` calls the functions of the tokenizer that it wraps.
"""

from tokharness.boundary.entry_points import OPTIONAL_METHODS
from tokharness.model.cases import Batch, Case, TargetFacts
from tokharness.model.description import Description, TokenEntry, TokenKind, TokenRow
from tokharness.model.findings import Cause, Failure, Finding, Skip, Text, Verdict
from tokharness.model.target import Target, Tokenizer, decoded_text, target_of

__all__ = [
    "OPTIONAL_METHODS",
    "Batch",
    "Case",
    "Cause",
    "Description",
    "Failure",
    "Finding",
    "Skip",
    "Target",
    "TargetFacts",
    "Text",
    "TokenEntry",
    "TokenKind",
    "TokenRow",
    "Tokenizer",
    "Verdict",
    "decoded_text",
    "target_of",
]
