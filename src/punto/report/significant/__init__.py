"""Significant events: what of the log a regulator asks for, with time, person and the values before and after."""
