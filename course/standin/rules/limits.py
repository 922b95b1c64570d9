"""Rules for sizes: the prompt, and images."""

import base64
import binascii
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


def image_empty(request: Request, at: Place, block: Block) -> Values | None:
    """An image without data. Usually a file that could not be read, or an upload that was broken off.

    Seen: https://github.com/anthropics/claude-code/issues/12750
    """
    return None if block["source"]["data"] else {"i": at.i, "j": at.j}


def image_too_big(request: Request, at: Place, block: Block) -> Values | None:
    """An image over 5 MB. Usually a photograph straight from a camera.

    Seen: https://github.com/anthropics/claude-code/issues/11181
    """
    encoded = len(block["source"]["data"])
    if encoded <= MAX_IMAGE:
        return None
    decoded = encoded // 4 * 3 - block["source"]["data"][-2:].count("=")
    return {"i": at.i, "j": at.j, "n": decoded if decoded > MAX_IMAGE else encoded}


def image_not_base64(request: Request, at: Place, block: Block) -> Values | None:
    """Data that is not base64. Usually a path, or base64 with "data:image/png;base64," left in front.

    Seen: https://github.com/anthropics/anthropic-sdk-typescript/issues/603
    """
    return None if _is_base64(block["source"]["data"]) else {"i": at.i, "j": at.j}


def image_unprocessable(request: Request, at: Place, block: Block) -> Values | None:
    """Bytes that are no JPEG, PNG, GIF or WebP. Usually another format, or an error page saved as a picture."""
    return {} if _media_type(_head(block)) is None else None


def image_media_type(request: Request, at: Place, block: Block) -> Values | None:
    """A media_type that is not the one of the bytes. Usually a file with the wrong ending, or a type written into the
    program.

    Seen: https://github.com/vybestack/llxprt-code/issues/2130
    """
    declared = block["source"]["media_type"]
    actual = _media_type(_head(block))
    return None if declared == actual else {"i": at.i, "j": at.j, "declared": declared, "actual": actual}


def image_dimensions(request: Request, images: list[tuple[Place, Block]]) -> Values | None:
    """An image with a side over 8000 pixels; over 2000 where a request has more than 20 images. Usually a
    screenshot of a whole long page.

    The first is named in the message, all of them in `details`. Seen:
    https://github.com/anthropics/claude-code/issues/4778, https://github.com/anthropics/claude-code/issues/49537
    """
    most = MAX_SIDE_OF_MANY if len(images) > MANY_IMAGES else MAX_SIDE
    over = [at for at, block in images if max(_image_size(_head(block))) > most]
    if not over:
        return None
    details = {
        "error_code": "image_dimensions_too_large",
        "max_side_length_pixels": most,
        # In these paths the name of the variant is left out.
        "paths": [f"messages.{at.i}.content.{str(at.j).replace('.tool_result', '')}" for at in over],
    }
    variant = "many" if most == MAX_SIDE_OF_MANY else None
    return {"i": over[0].i, "j": over[0].j, "details": details, "variant": variant}


def pdf_invalid(request: Request, at: Place, block: Block) -> Values | None:
    """A document whose bytes are no PDF. Usually a path, a text, or a web page saved under a PDF's name.

    Seen: https://github.com/anthropics/claude-code/issues/5174
    """
    data = block["source"]["data"]
    # The mark may stand behind other bytes, if not too many: ISO 32000 asks for 1024.
    return None if _is_base64(data) and b"%PDF-" in _head(block)[:1029] else {"i": at.i, "j": at.j}


IMAGE_RULES = (image_empty, image_too_big, image_not_base64, image_unprocessable, image_media_type)


def first_file_fault(request: Request) -> tuple[Any, Values] | None:
    """The first rule that an image or a PDF in the conversation breaks, in tool results too. Only what is sent as
    base64 can be looked at.
    """
    images = []
    for at, block in _files(request):
        for rule in IMAGE_RULES if block["type"] == "image" else (pdf_invalid,):
            values = rule(request, at, block)
            if values is not None:
                return rule, values
        if block["type"] == "image":
            images.append((at, block))
    values = image_dimensions(request, images)
    return (image_dimensions, values) if values else None


def _files(request: Request) -> list[tuple[Place, Block]]:
    found = []
    for turn in request.turns:
        for at, block in turn.blocks:
            if block["type"] in _FILES:
                found.append((at, block))
            elif block["type"] == "tool_result" and type(block.get("content")) is list:
                found += [
                    (Place(at.i, f"{at.j}.tool_result.content.{k}", at.role), part)
                    for k, part in enumerate(block["content"])
                    if part["type"] in _FILES
                ]
    return [(at, block) for at, block in found if block["source"]["type"] == "base64"]


_FILES = ("image", "document")
_HEAD = 4096  # bytes of a file that are looked at; a JPEG may carry a preview before its size


def _is_base64(data: str) -> bool:
    try:
        binascii.a2b_base64("".join(data.split()), strict_mode=True)
    except ValueError:
        return False
    return True


def _head(block: Block) -> bytes:
    """The first bytes of a file in base64."""
    return base64.b64decode("".join(block["source"]["data"][: 2 * _HEAD].split())[: _HEAD // 3 * 4])


def _media_type(head: bytes) -> str | None:
    """What format the first bytes of a file say it has: one of those that the API takes, or None."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg" if head.startswith(b"\xff\xd8\xff") else None


def _image_size(head: bytes) -> tuple[int, int]:
    """(width, height) in pixels of an image, from its first bytes; (0, 0) if they do not tell."""
    kind = _media_type(head)
    if kind == "image/png" and len(head) >= 24:
        return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    if kind == "image/gif" and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if kind == "image/webp" and head[12:16] == b"VP8X" and len(head) >= 30:
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    return _jpeg_size(head) if kind == "image/jpeg" else (0, 0)


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
