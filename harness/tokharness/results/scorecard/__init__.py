"""The scorecard of a target: one line for each promise, with its verdict and its number."""

from tokharness.results.scorecard.lines import Line, Status, scorecard, scorecard_record

__all__ = ["Line", "Status", "scorecard", "scorecard_record"]
