"""The dealer school: drills on the Table of Play, payouts, commission and irregularities, graded by clause."""

from punto.school.asking import Drill, Question, Standing, Unreadable, graded
from punto.school.lessons import Plan, subjects

__all__ = ["Drill", "Plan", "Question", "Standing", "Unreadable", "graded", "subjects"]
