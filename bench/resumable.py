"""Clients of resumable uploads (TUS), which go on wherever their requests end up, as long as the upload is there."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

VERSION = {"tus-resumable": "1.0.0"}
WAY = "/storage/v1/upload/resumable"
PIECE = 100_000
PIECES = 4
PAUSE = 0.05


@dataclass
class Uploads:
    """Files of four pieces to a bucket; `whole` are those that were told to be there."""

    client: httpx.AsyncClient
    bucket: str
    whole: set[str] = field(default_factory=set)
    lost: int = 0
    resumed: int = 0
    stopping: bool = False

    async def run(self, uploader: int) -> None:
        """One after the other until told to stop; what is under way then is brought to its end."""
        number = 0
        while not self.stopping:
            number += 1
            await self._upload(f"resumable-{uploader}-{number}")

    async def _upload(self, name: str) -> None:
        content, offset = content_of(name), 0
        path = await self._begin(name, len(content))
        while offset < len(content):
            told = await self._asked("PATCH", path, offset, content[offset : offset + PIECE])
            if told is None:
                self.resumed += 1
                await asyncio.sleep(PAUSE)
                told = await self._asked("HEAD", path)
            if told == -1:
                self.lost += 1
                return
            offset = offset if told is None else told
        self.whole.add(name)

    async def _begin(self, name: str, length: int) -> str:
        metadata = {"bucketName": self.bucket, "objectName": name, "contentType": "application/octet-stream"}
        told = ",".join(f"{key} {b64encode(value.encode()).decode()}" for key, value in metadata.items())
        headers = {**VERSION, "upload-length": str(length), "upload-metadata": told}
        while True:
            try:
                answer = await self.client.post(WAY, headers=headers)
                return urlsplit(answer.raise_for_status().headers["location"]).path
            except httpx.HTTPError:
                await asyncio.sleep(PAUSE)

    async def _asked(self, method: str, path: str, offset: int = 0, content: bytes | None = None) -> int | None:
        """The offset as it was told; None without an answer that tells one, -1 when nobody knows the upload."""
        own = {"content-type": "application/offset+octet-stream", "upload-offset": str(offset)} if content else {}
        try:
            answer = await self.client.request(method, path, headers={**VERSION, **own}, content=content)
        except httpx.HTTPError:
            return None
        if answer.status_code in (404, 410):
            return -1
        return int(answer.headers["upload-offset"]) if answer.is_success else None

    async def missing(self) -> int:
        """How many of those that were told to be there are not, or have other bytes."""
        count = 0
        for name in self.whole:
            found = await self.client.get(f"/storage/v1/object/{self.bucket}/{name}")
            count += found.content != content_of(name)
        return count


def content_of(name: str) -> bytes:
    """Bytes that tell by their place when some of them are missing."""
    line = f"{name}: %08d\n"
    return "".join(line % number for number in range(PIECE * PIECES // len(line % 0))).encode()
