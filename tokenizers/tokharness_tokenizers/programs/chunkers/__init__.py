"""Programs of splitters, one file a package, with nothing of ours: no module here is imported."""
