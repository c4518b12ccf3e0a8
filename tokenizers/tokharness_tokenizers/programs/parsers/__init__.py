"""Programs that serve stream parsers, an object of the user or of a package."""
