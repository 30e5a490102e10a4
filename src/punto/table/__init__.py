"""One table as a state machine: ``decide`` answers a command with events or a refusal, ``evolve`` takes an event in.

>>> from punto import load
>>> from punto.table import Actor, Role, Table, decide
>>> from punto.table.play.wagers import OpenBets
>>> tiger = load("tiger")
>>> decide(Table(tiger), OpenBets(Actor("Sam", Role.DEALER))).sentence(tiger)
'the table is not open'
"""

from punto.table.command import Command
from punto.table.decide import COMMANDS, decide
from punto.table.event import Event
from punto.table.evolve import EVENTS, evolve, replay
from punto.table.guidance.dealer_automation import EVERYTHING, Step, next_command
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.refusal import Refusal
from punto.table.roles import AUTOMATON, Actor, Role
from punto.table.round import Phase
from punto.table.settings import Device, Limits, Setting
from punto.table.table import Table

__all__ = [
    "AUTOMATON",
    "COMMANDS",
    "EVENTS",
    "EVERYTHING",
    "Actor",
    "Command",
    "Device",
    "Event",
    "Limits",
    "NextStep",
    "Phase",
    "Refusal",
    "Role",
    "Setting",
    "Step",
    "Table",
    "decide",
    "evolve",
    "next_command",
    "next_steps",
    "replay",
]
