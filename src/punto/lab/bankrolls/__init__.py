"""Bankrolls: staking plans, exact results after some rounds, risk of ruin, and Kelly stakes."""

from punto.lazy_modules import modules_of

__getattr__ = modules_of(__name__)
