"""What a run found: the report, its JSON, the journal, versions and comparisons."""
