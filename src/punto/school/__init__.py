"""The dealer school: drills on the Table of Play, payouts, commission and irregularities, graded by clause."""

from punto.school.lesson import Plan, subjects
from punto.school.question import Drill, DrillQuestion, QuestionProgress, Unreadable, graded

__all__ = ["Drill", "DrillQuestion", "Plan", "QuestionProgress", "Unreadable", "graded", "subjects"]
