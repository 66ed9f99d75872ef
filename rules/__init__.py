"""The rules of every system, pure: no clock, randomness, environment, network or web framework."""
