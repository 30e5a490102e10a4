"""Bankrolls: staking plans, exact results after some rounds, risk of ruin, and Kelly stakes."""
