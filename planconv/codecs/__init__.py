"""One file for each format, both directions in it."""
