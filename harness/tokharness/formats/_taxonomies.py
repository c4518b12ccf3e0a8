"""Identifiers of public catalogues of weaknesses and attacks, for rules of SARIF.

Only the checks whose findings are an instance of an entry have one. Sources:
https://cwe.mitre.org/data/definitions/1427.html,
https://genai.owasp.org/llmrisk/llm01-prompt-injection/, https://atlas.mitre.org/techniques/AML.T0051.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Taxon:
    """An entry of a catalogue: its identifier, its name and its page."""

    catalogue: str
    organization: str
    id: str
    name: str
    address: str


PROMPT_INJECTION = (
    Taxon(
        "CWE",
        "MITRE",
        "CWE-1427",
        "Improper Neutralization of Input Used for LLM Prompting",
        "https://cwe.mitre.org/data/definitions/1427.html",
    ),
    Taxon(
        "OWASP Top 10 for LLM Applications 2025",
        "OWASP",
        "LLM01:2025",
        "Prompt Injection",
        "https://genai.owasp.org/llmrisk/llm01-prompt-injection/",
    ),
    Taxon(
        "MITRE ATLAS",
        "MITRE",
        "AML.T0051",
        "LLM Prompt Injection",
        "https://atlas.mitre.org/techniques/AML.T0051",
    ),
)

TAXA = {"TOK512": PROMPT_INJECTION, "open-field": PROMPT_INJECTION}
"""The entries that fit the findings of a check, or a kind of change."""


def relationships(rule: str) -> dict[str, Any]:
    """Return the entries of a rule, as a property of it; nothing without any."""
    rows = [
        {"target": {"id": one.id, "toolComponent": {"name": one.catalogue}}, "kinds": ["relevant"]}
        for one in TAXA.get(rule, ())
    ]
    return {"relationships": rows} if rows else {}


def taxonomies(rules: Iterable[str]) -> dict[str, Any]:
    """Return the catalogues of some rules, as a property of a run; nothing without any."""
    found = dict.fromkeys(one for rule in rules for one in TAXA.get(rule, ()))
    rows = [
        {
            "name": one.catalogue,
            "organization": one.organization,
            "shortDescription": {"text": one.catalogue},
            "taxa": [
                {"id": one.id, "shortDescription": {"text": one.name}, "helpUri": one.address}
            ],
        }
        for one in found
    ]
    return {"taxonomies": rows} if rows else {}
