"""Benchmarks: what the parts and the whole do in a second, against something that everyone can compare with."""
