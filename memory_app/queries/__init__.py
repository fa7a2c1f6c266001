"""Read models: what the API and the pages show, in a constant number of statements."""
