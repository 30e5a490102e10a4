"""The dealer school: drills on the Table of Play, payouts, commission and irregularities, graded by clause."""

from punto.school.lesson import Plan, subjects
from punto.school.question import Drill, Question, Standing, Unreadable, graded

__all__ = ["Drill", "Plan", "Question", "Standing", "Unreadable", "graded", "subjects"]
