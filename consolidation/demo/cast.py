"""Who works in the demo workspace."""

from dataclasses import dataclass

WORKSPACE = ("travel", "Travel assistant")


@dataclass(frozen=True, slots=True)
class DemoOperator:
    username: str
    first_name: str
    last_name: str
    role: str
    language: str
    timezone: str


#: The first is whom `make run` prints; the others stand beside in approvals, signed in by nobody until a password is set.
OPERATORS = (
    DemoOperator("demo", "Lin", "Qiao", "admin", "", "Asia/Shanghai"),
    DemoOperator("wen", "Wen", "Ito", "admin", "en", "Europe/Berlin"),
    DemoOperator("carla", "Carla", "Ruiz", "curator", "en", "Europe/Madrid"),
    DemoOperator("viktor", "Viktor", "Hall", "viewer", "en", "UTC"),
)
