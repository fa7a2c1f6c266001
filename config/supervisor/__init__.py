"""Starts the product's processes, waits until they answer, starts again what dies, and stops all of them."""
