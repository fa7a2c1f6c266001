"""What a workspace knows of a key before anyone has registered it."""

#: Keys under which several values may stand side by side; all others hold one value at a time.
MANY = frozenset(
    {"likes", "dislikes", "allergy", "languages_spoken", "hobby", "pet", "episode", "fact", "travel_wish", "goal"}
)

WRITERS = ("user", "agent", "operator", "profile")


def default_cardinality(key: str) -> str:
    return "many" if key in MANY else "one"
