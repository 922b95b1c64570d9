"""How a streamed reply arrived: what came when, by the stand-in's pace. No clock, so each run gives the same."""

from collections.abc import Sequence

from ..standin.pace import wait_before
from ..wire.record import events_in

Piece = tuple[int, int, str]


def pieces(chunks: Sequence[bytes]) -> list[Piece]:
    """(milliseconds after the first event, place of the content block, what of it came) for each event of a block.

    What came is text, thinking or JSON of a call's input, and empty when a block begins. An event that was cut is left
    out.
    """
    found = []
    seconds = 0.0
    for number, chunk in enumerate(chunks):
        seconds += wait_before(chunk) if number else 0
        for event in events_in(chunk):
            if event.get("type") not in ("content_block_start", "content_block_delta"):
                continue
            delta = event.get("delta", {})
            text = next((delta[name] for name in ("text", "thinking", "partial_json") if name in delta), "")
            found.append((round(seconds * 1000), event["index"], text))
    return found
