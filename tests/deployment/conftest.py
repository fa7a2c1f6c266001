"""The same workspace and sessions as in the tests of consolidation."""

from tests.consolidation.conftest import say, workspace

__all__ = ["say", "workspace"]
