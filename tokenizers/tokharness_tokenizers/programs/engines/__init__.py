"""Programs of engines, one file each, with nothing of ours: no module here is imported."""
