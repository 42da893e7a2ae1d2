"""The work on one picture, by Pillow: refuse what is none or would fill the memory, resize, write. Runs in a thread."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from minato.storage.errors import StorageError, invalid_request
from minato.storage.imaging.transformation import Transformation

READ = ("JPEG", "PNG", "WEBP", "AVIF", "GIF", "BMP", "TIFF")
# What a browser can't show, or nobody wants to send, goes out as PNG.
WRITTEN = {"JPEG": "JPEG", "WEBP": "WEBP", "AVIF": "AVIF", "GIF": "GIF"}
MIME_TYPES = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "WEBP": "image/webp",
    "AVIF": "image/avif",
    "GIF": "image/gif",
}
QUALITY = 80
SVG = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]", re.DOTALL)
SVG_HEAD = 4096
UNSUPPORTED = "The source image is invalid or unsupported for rendering"
TOO_MANY_PIXELS = "The source image resolution is too large to process"


@dataclass(frozen=True)
class Rendered:
    """A finished picture."""

    content: bytes
    mime_type: str


def render(source: bytes, wanted: Transformation, negotiated: str, max_pixels: int) -> Rendered:
    """The picture as `wanted`; `negotiated` is the format to write when none is asked, empty for the source's own.

    Raises InvalidRequest. An SVG stays as it is; of an animation the first frame is taken.
    """
    asked = negotiated if not wanted.format else "" if wanted.format == "origin" else wanted.format
    if wanted.format in ("", "origin") and SVG.search(source, 0, SVG_HEAD):
        # It has no pixels and fits any size; what takes it can show it.
        return Rendered(source, "image/svg+xml")
    try:
        with warnings.catch_warnings():
            # Our own limit decides, with the reference's text; Pillow's warning comes from the same header.
            warnings.simplefilter("ignore")
            return _render(source, wanted, asked, max_pixels)
    except Image.DecompressionBombError:
        raise invalid_request(TOO_MANY_PIXELS) from None
    except StorageError:
        raise
    # Pillow's decoders raise nearly anything on a file that was made to break them.
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, TypeError):
        raise invalid_request(UNSUPPORTED) from None


def _render(source: bytes, wanted: Transformation, kind: str, max_pixels: int) -> Rendered:
    with Image.open(io.BytesIO(source), formats=READ) as opened:
        # Only the header has been read: a few bytes may claim gigabytes of pixels.
        if opened.width * opened.height > max_pixels:
            raise invalid_request(TOO_MANY_PIXELS)
        origin = "AVIF" if opened.format == "AVIF" else WRITTEN.get(opened.format or "", "PNG")
        if wanted.width and wanted.height:
            side = max(wanted.width, wanted.height)
            opened.draft(None, (side, side))
        picture = _resize(_upright(opened), wanted)
    return _write(picture, kind.upper() or origin, wanted.quality or QUALITY)


def _upright(opened: Image.Image) -> Image.Image:
    """In plain colours and turned as the camera was held."""
    transparent = "transparency" in opened.info or opened.mode in ("RGBA", "LA", "PA", "La", "RGBa")
    profile = opened.info.get("icc_profile") if opened.mode in ("RGB", "RGBA") else None
    picture = ImageOps.exif_transpose(opened).convert("RGBA" if transparent else "RGB")
    picture.info = {"icc_profile": profile} if profile else {}
    return picture


def _resize(picture: Image.Image, wanted: Transformation) -> Image.Image:
    """Never larger than it is."""
    if not wanted.width and not wanted.height:
        return picture
    across = wanted.width / picture.width if wanted.width else wanted.height / picture.height
    down = wanted.height / picture.height if wanted.height else across
    if wanted.resize == "fill":
        return _scaled(picture, across, down)
    if wanted.resize == "contain":
        return _scaled(picture, min(across, down), min(across, down))
    covered = _scaled(picture, max(across, down), max(across, down))
    return _crop(covered, wanted.width or covered.width, wanted.height or covered.height, wanted.focus)


def _scaled(picture: Image.Image, across: float, down: float) -> Image.Image:
    width = max(1, round(picture.width * min(across, 1.0)))
    height = max(1, round(picture.height * min(down, 1.0)))
    info = picture.info
    resized = picture.resize((width, height), Image.Resampling.LANCZOS)
    resized.info = info
    return resized


def _crop(picture: Image.Image, width: int, height: int, focus: tuple[float, float]) -> Image.Image:
    width, height = min(width, picture.width), min(height, picture.height)
    left = round((picture.width - width) * focus[0])
    top = round((picture.height - height) * focus[1])
    return picture.crop((left, top, left + width, top + height))


def _write(picture: Image.Image, kind: str, quality: int) -> Rendered:
    if kind == "JPEG" and picture.mode != "RGB":
        picture = picture.convert("RGB")
    options: dict[str, object] = {"quality": quality} if kind in ("JPEG", "WEBP", "AVIF") else {}
    if kind == "JPEG":
        options["progressive"] = True
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return Rendered(buffer.getvalue(), MIME_TYPES[kind])
