"""One table as a state machine: ``decide`` answers a command with events or a refusal, ``evolve`` takes an event in.

>>> from punto import load
>>> from punto.table import Actor, Role, Table, commands, decide
>>> tiger = load("tiger")
>>> decide(Table(tiger), commands.OpenBets(Actor("Sam", Role.DEALER))).sentence(tiger)
'the table is not open'
"""

from punto.table import commands, events, irregular
from punto.table.commands import Command
from punto.table.dealer_automation import AUTOMATON, EVERYTHING, Step, next_command
from punto.table.decide import decide
from punto.table.events import Event
from punto.table.evolve import evolve, replay
from punto.table.next_steps import NextStep, next_steps
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits, Setting
from punto.table.state import Phase, Table

__all__ = [
    "AUTOMATON",
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
    "commands",
    "decide",
    "events",
    "evolve",
    "irregular",
    "next_command",
    "next_steps",
    "replay",
]
