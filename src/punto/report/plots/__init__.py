"""Plots of odds and of simulations."""
