"""What a browser is told about an object's content, so that a stranger's file never runs as a page of this origin.

And what a crawler is told: the X-Robots-Tag that may come with an upload and goes out with every download.
"""

from __future__ import annotations

from urllib.parse import quote

from minato.http.asgi import Header
from minato.storage.errors import StorageError, invalid_mime_type
from minato.storage.reply import encode_value

# Opened as a document it may do nothing; in an <img> it shows as ever, styles of its own included.
SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
# The characters encodeURIComponent leaves alone.
UNESCAPED = "!'()*~-._"

RASTER_IMAGES = frozenset(
    {"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/tiff"}
)
RASTER_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\x00", b"MM\x00*")
# What a browser shows or plays and never runs, spelled exactly so: it reads other spellings, parameters and lists of
# types by rules of its own. A PDF's scripts know nothing of the origin; under a sandbox no viewer opens.
INERT = RASTER_IMAGES | {
    *("image/heic", "image/heif", "image/vnd.microsoft.icon", "image/x-icon"),
    *("application/pdf", "text/plain"),
    *("audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav", "audio/webm", "audio/x-m4a"),
    *("video/mp4", "video/mpeg", "video/ogg", "video/quicktime", "video/webm", "video/x-matroska"),
}
NOSNIFF: Header = (b"x-content-type-options", b"nosniff")
POLICY = b"content-security-policy"

ROBOTS_RULES = frozenset(
    {"all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex"}
)
VALUED_ROBOTS_RULES = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
ROBOTS_DEFAULT = "none"


def served_type(mime_type: str) -> str:
    """The Content-Type an object goes out with: pages are shown as text."""
    return "text/plain" if b"text/html" in encode_value(mime_type).lower() else mime_type


def content_policy(mime_type: str) -> str | None:
    """The Content-Security-Policy of every type that is not known to be inert.

    >>> content_policy("image/png"), content_policy("IMAGE/png") == SANDBOX
    (None, True)
    """
    return None if mime_type in INERT else SANDBOX


def guards(status: int, headers: list[Header]) -> list[Header]:
    """What is still to be said so that an answer is no page of this origin, a refusal neither.

    A 304 names no type: what was said of the object stands.
    """
    said = dict(headers)
    missing = [] if NOSNIFF[0] in said else [NOSNIFF]
    if status != 304 and POLICY not in said and said.get(b"content-type", b"").decode("latin-1") not in INERT:
        missing.append((POLICY, SANDBOX.encode()))
    return missing


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


def require_robots_tag(header: str) -> None:
    """Raise unless every comma-separated rule is one a crawler knows; a rule may name the bot it is for."""
    if header.strip().lower().startswith("unavailable_after:") or ", unavailable_after:" in header.lower():
        # The date has a comma of its own.
        header = header[: header.lower().index("unavailable_after:")].rstrip(", ")
    for rule in filter(None, (part.strip() for part in header.split(","))):
        if not _is_robots_rule(rule.lower()):
            raise StorageError(
                400,
                "InvalidRequest",
                f'Invalid X-Robots-Tag header: Invalid X-Robots-Tag rule: "{rule}"',
                "invalid_x_robots_tag",
            )


def _is_robots_rule(rule: str) -> bool:
    name, colon, value = rule.partition(":")
    if name in VALUED_ROBOTS_RULES:
        return bool(value.strip())
    return rule in ROBOTS_RULES or bool(colon and name.strip() and _is_robots_rule(value.strip()))
