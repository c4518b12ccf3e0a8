"""Faults of the healthy template, and of other templates, each with the finding that names it."""

from . import (
    faults_of_data,
    faults_of_prompts,
    faults_of_rendering,
    faults_of_texts,
    faults_of_turns,
)

FAULTS_OF_TEXT = {
    **faults_of_texts.FAULTS,
    **faults_of_turns.FAULTS,
    **faults_of_prompts.FAULTS,
    **faults_of_data.FAULTS,
    **faults_of_rendering.FAULTS,
}
"""By name: the template, and the verdict, the code and the cause of the finding."""
