"""The page of a report: what it shows (``views``), its charts, and the templates that draw them."""
