"""Simulation: millions of shoes shuffled and dealt by the rules, with every wager settled from counts of outcomes."""

from punto.simulate.result import Counted, Simulation, WagerResult
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes
from punto.simulate.simulation import simulate

__all__ = ["BY_FIRST_CARD", "Counted", "Shoes", "Simulation", "WagerResult", "simulate"]
