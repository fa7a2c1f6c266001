"""How fast recall is, measured on synthetic memory in a database of its own. No part of the tests."""
