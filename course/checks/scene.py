"""An exercise is a player: the API's rules first, then what it lays down."""

from collections.abc import Callable, Mapping
from functools import partial

from ..standin.core import Response, handle
from ..standin.talk import Play, ask_for, say

__all__ = ["Answer", "answer_with", "ask_for", "say"]

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]


def answer_with(play: Play) -> Answer:
    """An answer for `create_app`. What the API would refuse is refused; everything else is answered by `play`."""
    return partial(handle, play=play)
