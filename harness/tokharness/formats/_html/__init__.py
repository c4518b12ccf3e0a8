"""The HTML report: the data of its sections, its charts, and the templates that render them."""
