"""The last segment of an upload's URL: bucket, key and version in base64url, as supabase/storage writes it."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from uuid import UUID

from minato.storage.tus.headers import TusError

NOT_FOUND = "The file for this url was not found\n"


@dataclass(frozen=True)
class UploadId:
    """`version` is a uuid in its canonical form, so it may name a file."""

    bucket: str
    key: str
    version: str

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(f"{self.bucket}/{self.key}/{self.version}".encode()).decode().rstrip("=")


def parse_upload_id(text: str) -> UploadId:
    """The id in a URL. Raises TusError: what is none was never found."""
    try:
        decoded = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode()
        bucket, _, rest = decoded.partition("/")
        key, _, version = rest.rpartition("/")
        return UploadId(bucket, key, str(UUID(version)))
    except ValueError:
        raise TusError(404, NOT_FOUND) from None
