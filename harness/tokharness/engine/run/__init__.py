"""The command's side: start workers, schedule units, collect results and emit events."""
