"""Simulation: millions of shoes shuffled and dealt by the rules, with every wager settled from counts of outcomes.

The package is called as its function ``simulate``:

>>> import punto
>>> punto.simulate("baccarat", shoes=100, seed=7, decks=6)
<Simulation of 'baccarat': 100 shoes, 6086 rounds, seed 7>
"""

from punto.lazy_modules import modules_of
from punto.simulate.result import OutcomeCount, Simulation, WagerResult
from punto.simulate.shoe_makeup import BY_FIRST_CARD, Shoes
from punto.simulate.simulation import simulate

__all__ = ["BY_FIRST_CARD", "OutcomeCount", "Shoes", "Simulation", "WagerResult", "simulate"]

__getattr__ = modules_of(__name__)
