"""Comparing what is said: words of both languages, quantities, negation, cues, conditions, subjects, values."""
