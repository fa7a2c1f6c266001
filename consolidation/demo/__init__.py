"""The demo workspace: a travel assistant's users over some weeks, told as sessions and played through the actions."""

from .cast import OPERATORS, WORKSPACE, DemoOperator
from .chinese import CHINESE
from .dating import happening
from .english import ENGLISH
from .script import Kept, Ruled, Scene
from .stage import play

SCENES: tuple[Scene, ...] = tuple(sorted((*CHINESE, *ENGLISH), key=lambda s: -s.days_ago))

__all__ = ["OPERATORS", "SCENES", "WORKSPACE", "DemoOperator", "Kept", "Ruled", "Scene", "happening", "play"]
