"""What the browser asks for: each view translates, calls one action or query, and answers."""
