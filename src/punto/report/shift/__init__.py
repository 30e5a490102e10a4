"""Shift reports: what every table made in a span of time, as data and on paper."""
