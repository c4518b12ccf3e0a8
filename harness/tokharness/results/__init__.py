"""Results of a run: the report, its JSON, the journal, versions and comparisons."""
