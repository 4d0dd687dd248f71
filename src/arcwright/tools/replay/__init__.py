"""Gesture files, run headless: tests, benchmarks, bug reports and batches."""
