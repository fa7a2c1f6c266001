"""Case files run through the very functions that the API and the worker call, and scored. Nothing is kept of it."""

from .cases import KINDS, Case, CaseError, read_cases
from .running import Result, run_cases
from .scores import scores

__all__ = ["KINDS", "Case", "CaseError", "Result", "read_cases", "run_cases", "scores"]
