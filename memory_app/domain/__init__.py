"""Rules of memory as plain values and functions: no Django, no input or output."""
