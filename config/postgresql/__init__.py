"""Django's PostgreSQL backend, but for how moments are read."""
