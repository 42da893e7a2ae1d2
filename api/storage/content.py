"""What a browser is told about an object's content, so that a stranger's file never runs as a page of this origin."""

from __future__ import annotations

from urllib.parse import quote

from api.storage.errors import invalid_mime_type

ACTIVE = ("svg", "xml", "html")
# Opened as a document it may do nothing; in an <img> it shows as ever, styles of its own included.
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
# The characters encodeURIComponent leaves alone.
UNESCAPED = "!'()*~-._"

RASTER_IMAGES = frozenset(
    {"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/tiff"}
)
RASTER_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*")


def served_type(mime_type: str) -> str:
    """The Content-Type an object goes out with: pages are shown as text."""
    return "text/plain" if "text/html" in mime_type.lower() else mime_type


def content_policy(mime_type: str) -> str | None:
    """The Content-Security-Policy of types that can carry scripts."""
    return SANDBOX if any(word in mime_type.lower() for word in ACTIVE) else None


def content_disposition(download: str | None) -> str | None:
    """The header for `?download` (empty) and `?download=<name>`; None without the parameter.

    >>> content_disposition("a b.txt")
    "attachment; filename=a%20b.txt; filename*=UTF-8''a%20b.txt"
    """
    if download is None:
        return None
    if not download:
        return "attachment;"
    name = quote(download, safe=UNESCAPED)
    return f"attachment; filename={name}; filename*=UTF-8''{name}"


def require_honest_type(mime_type: str, head: bytes) -> None:
    """Raise when the first bytes can't be what is declared: a picture that is none, a PDF that is none."""
    kind = mime_type.partition(";")[0].strip().lower()
    if not head:
        return
    if kind in RASTER_IMAGES and not _is_raster_image(head):
        raise invalid_mime_type(mime_type)
    if kind == "application/pdf" and b"%PDF-" not in head[:1024]:
        raise invalid_mime_type(mime_type)


def _is_raster_image(head: bytes) -> bool:
    container = (head[8:12] == b"WEBP" and head.startswith(b"RIFF")) or head[4:12] in (b"ftypavif", b"ftypavis")
    return container or head.startswith(RASTER_SIGNATURES)
