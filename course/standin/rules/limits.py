"""Rules for sizes: the prompt, and images."""

import base64
from typing import Any

from course.standin import tokens
from course.standin.rules.request import Block, Place, Request, Values

MAX_IMAGE = 5 * 1024 * 1024  # bytes
MAX_SIDE = 8000  # pixels
MANY_IMAGES, MAX_SIDE_OF_MANY = 20, 2000


def prompt_too_long(request: Request) -> Values | None:
    """More tokens than the model's context window holds. Usually a history that only ever grows, or a file read
    whole.

    The stand-in estimates: at least a token a word, see tokens.py.
    """
    model = request.model
    # A token is at least a byte, so a small body needs no counting.
    if model is None or request.size <= model.window:
        return None
    count = max(tokens.request(request.body), _words(request.body["messages"]))
    return {"n": count, "limit": model.window} if count > model.window else None


def image_unprocessable(request: Request, at: Place, block: Block) -> Values | None:
    """Bytes that are no JPEG, PNG, GIF or WebP. Usually base64 of something else, or with "data:image/png;base64,"
    left in front.
    """
    return {} if _image_size(block["source"]["data"]) is None else None


def image_too_big(request: Request, at: Place, block: Block) -> Values | None:
    """An image over 5 MB. Usually a photograph straight from a camera.

    Seen: https://github.com/anthropics/claude-code/issues/11181
    """
    encoded = len(block["source"]["data"])
    if encoded <= MAX_IMAGE:
        return None
    decoded = encoded // 4 * 3 - block["source"]["data"][-2:].count("=")
    return {"i": at.i, "j": at.j, "n": decoded if decoded > MAX_IMAGE else encoded}


def image_dimensions(request: Request, at: Place, block: Block, count: int) -> Values | None:
    """An image with a side over 8000 pixels; over 2000 where a request has more than 20 images. Usually a
    screenshot of a whole long page.
    """
    many = count > MANY_IMAGES
    sides = _image_size(block["source"]["data"])
    if sides is None or max(sides) <= (MAX_SIDE_OF_MANY if many else MAX_SIDE):
        return None
    return {"i": at.i, "j": at.j, "variant": "many"} if many else {"i": at.i, "j": at.j}


def first_image_fault(request: Request) -> tuple[Any, Values] | None:
    """The first rule that an image in the conversation breaks, in tool results too. Only base64 images can be
    looked at.
    """
    images = list(_images(request))
    for at, block in images:
        if values := image_too_big(request, at, block):
            return image_too_big, values
        if (values := image_unprocessable(request, at, block)) is not None:
            return image_unprocessable, values
        if values := image_dimensions(request, at, block, len(images)):
            return image_dimensions, values
    return None


def _images(request: Request) -> list[tuple[Place, Block]]:
    found = []
    for turn in request.turns:
        for at, block in turn.blocks:
            if block["type"] == "image":
                found.append((at, block))
            elif block["type"] == "tool_result" and type(block.get("content")) is list:
                found += [
                    (Place(at.i, f"{at.j}.tool_result.content.{k}", at.role), part)
                    for k, part in enumerate(block["content"])
                    if part["type"] == "image"
                ]
    return [(at, block) for at, block in found if block["source"]["type"] == "base64"]


_HEAD = 4096  # bytes of an image that are looked at for its size; a JPEG may carry a preview before it


def _image_size(data: str) -> tuple[int, int] | None:
    """(width, height) in pixels of a base64 image, from its head. (0, 0) if it is an image of unknown size, None if
    none.
    """
    length = _HEAD // 3 * 4
    try:
        head = base64.b64decode(data[:length].encode("ascii"), validate=True)
    except ValueError:
        return None
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        if head[12:16] == b"VP8X" and len(head) >= 30:
            return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
        return 0, 0
    return _jpeg_size(head) if head[:3] == b"\xff\xd8\xff" else None


def _jpeg_size(head: bytes) -> tuple[int, int]:
    """The size in the first frame header (SOF) of a JPEG; (0, 0) if it is further on than the head."""
    place = 2
    while place + 9 <= len(head) and head[place] == 0xFF:
        marker = head[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[place + 7 : place + 9]), int.from_bytes(head[place + 5 : place + 7])
        place += 2 + int.from_bytes(head[place + 2 : place + 4])
    return 0, 0


def _words(messages: list[dict[str, Any]]) -> int:
    count = 0
    for message in messages:
        content = message["content"]
        for part in [content] if type(content) is str else [block.get("text") or "" for block in content]:
            count += len(part.split())
    return count
