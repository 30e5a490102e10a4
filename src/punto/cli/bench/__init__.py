"""Benchmarks of rules, odds, simulation, table and server."""
