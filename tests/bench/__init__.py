"""Benchmarks: they run peers side by side and print ratios; none of them is a test."""
