"""The files of something that was built for browsers: found in its folder, and sent."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"


def sent_file(file: Path, caching: str, request: Request) -> Response:
    """The file, or the smallest copy of it that the client understands."""
    headers = {"cache-control": caching, "vary": "accept-encoding"}
    shown, encoding = smallest_copy(file, request.headers.get("accept-encoding", ""))
    if encoding is not None:
        headers["content-encoding"] = encoding
    return FileResponse(shown, headers=headers, media_type=mimetypes.guess_type(file.name)[0])


def find_asset(root: Path, path: str) -> Path | None:
    """The file for `path`, which can't lead out of the folder."""
    base = root.resolve()
    try:
        candidate = (base / path).resolve()
        return candidate if candidate.is_relative_to(base) and candidate.is_file() else None
    except (OSError, ValueError):
        # A name that no file can have: too long, or with a zero byte.
        return None


def smallest_copy(file: Path, accepted: str) -> tuple[Path, str | None]:
    """The copy of `file` the build compressed, where the client takes its encoding, else the file itself."""
    offered = {part.partition(";")[0].strip() for part in accepted.split(",") if not part.strip().endswith("q=0")}
    for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
        copy = file.with_name(file.name + suffix)
        if encoding in offered and copy.is_file():
            return copy, encoding
    return file, None
