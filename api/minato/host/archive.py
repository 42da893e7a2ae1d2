"""A snapshot as one file that leaves its server: a `.tar.gz` whose first entry says what the others are.

Whoever made the file may have wished us ill. So nothing is unpacked but plain files that the manifest names, each once,
of the size and the hash that stand there, below the folder that was meant.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final, Self

from pydantic import BaseModel, Field, ValidationError

from minato.host.carried import CARRIED
from minato.host.errors import BranchError
from minato.host.files import STORAGE

FORMAT: Final = 1
MANIFEST, DUMP = "manifest.json", "database.dump"
LARGEST_MANIFEST = 64 * 1024 * 1024
LARGEST_HEAD = 64 * 1024
PIECE = 1024 * 1024
PLAIN = (tarfile.REGTYPE, tarfile.AREGTYPE)


class Content(BaseModel, extra="forbid"):
    """One file: its bytes, and their hash."""

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Manifest(BaseModel):
    """What the file is. `beside` are statements about the database, `undumped` within it: neither is in its dump."""

    format: int
    name: str
    of: str
    created_at: str
    minato: str
    platform: str
    postgres: int
    beside: list[str]
    undumped: list[str]
    files: dict[str, Content] = Field(default_factory=dict)


class _Entry(tarfile.TarInfo):
    """An entry of somebody else's: what stands before its name is read into memory, so it is short."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        entry = super().frombuf(buf, encoding, errors)
        if entry.type not in PLAIN and entry.size > LARGEST_HEAD:
            raise tarfile.ReadError("what stands before an entry is too long")
        return entry


def contents_of(folder: Path) -> dict[str, Content]:
    """What of a snapshot's folder travels: the dump, what is carried, and the stored files."""
    return {name: _content(folder / name) for name in _names(folder)}


def pack(folder: Path, manifest: Manifest, target: IO[bytes]) -> None:
    """Write all of it."""
    with tarfile.open(fileobj=target, mode="w:gz", format=tarfile.PAX_FORMAT, compresslevel=6) as tar:
        draft = folder / MANIFEST
        draft.write_text(manifest.model_dump_json())
        for name in (MANIFEST, *manifest.files):
            tar.add(folder / name, name, recursive=False, filter=_nobody_s)


def unpack(source: IO[bytes], folder: Path) -> Manifest:
    """Read all of it into `folder`, which is empty. Raises BranchError."""
    try:
        with tarfile.open(fileobj=source, mode="r|gz", tarinfo=_Entry) as tar:
            entries = iter(tar)
            manifest = _manifest(tar, next(entries, None))
            _require_room(folder, manifest)
            missing = dict(manifest.files)
            for entry in entries:
                content = missing.pop(entry.name, None)
                if content is None or entry.type not in PLAIN:
                    raise _damaged(f'"{entry.name[:100]}" is not to be in it')
                _write(tar.extractfile(entry), folder / entry.name, content)
        if missing:
            raise _damaged(f'"{next(iter(missing))[:100]}" is missing')
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError, ValueError) as error:
        raise _damaged(str(error) or type(error).__name__) from None
    return manifest


def _manifest(tar: tarfile.TarFile, entry: tarfile.TarInfo | None) -> Manifest:
    """What the first entry says. Raises BranchError."""
    stream = tar.extractfile(entry) if entry is not None and entry.name == MANIFEST and entry.isfile() else None
    if entry is None or stream is None or entry.size > LARGEST_MANIFEST:
        raise _damaged(f"it does not begin with a {MANIFEST}")
    try:
        manifest = Manifest.model_validate_json(stream.read())
    except ValidationError as error:
        raise _damaged(f"{MANIFEST} is not right: {error.errors()[0]['msg']}") from None
    if manifest.format > FORMAT:
        message = f"The file was written by Minato {manifest.minato[:40]}, which is newer than this one."
        raise BranchError(400, "snapshot_too_new", message, "Upgrade Minato first.")
    wrong = next((name for name in manifest.files if not _is_ours(name)), None)
    if wrong is not None or DUMP not in manifest.files:
        raise _damaged(f'"{(wrong or DUMP)[:100]}" is {"not to be in it" if wrong else "missing"}')
    return manifest


def _is_ours(name: str) -> bool:
    """Whether a file may be called so: it stays where it is put, on every system."""
    if name in (DUMP, CARRIED):
        return True
    parts = name.split("/")
    is_plain = all(part not in ("", ".", "..") for part in parts) and not re.search(r"[\\\x00-\x1f\x7f]", name)
    return len(parts) > 1 and parts[0] == STORAGE and is_plain and not PurePosixPath(name).is_absolute()


def _require_room(folder: Path, manifest: Manifest) -> None:
    wanted = sum(content.bytes for content in manifest.files.values())
    if wanted > shutil.disk_usage(folder).free:
        message = f"The snapshot takes {wanted / 1e6:,.0f} MB unpacked, and so much is not free."
        raise BranchError(507, "disk_full", message)


def _write(stream: IO[bytes] | None, target: Path, content: Content) -> None:
    """A file of its own, which was not there. Raises BranchError where it is another one."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while stream is not None and (piece := stream.read(PIECE)):
            size += len(piece)
            if size > content.bytes:
                break
            digest.update(piece)
            file.write(piece)
    if (size, digest.hexdigest()) != (content.bytes, content.sha256):
        raise _damaged(f'"{target.name[:100]}" is not what it was')


def _names(folder: Path) -> Iterator[str]:
    yield DUMP
    if (folder / CARRIED).exists():
        yield CARRIED
    for place, _, names in sorted(os.walk(folder / STORAGE)):
        yield from (str(PurePosixPath(Path(place, name).relative_to(folder))) for name in sorted(names))


def _content(file: Path) -> Content:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
        return Content(bytes=opened.tell(), sha256=digest)


def _nobody_s(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Who made it, and with which rights, is nobody's business."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o600
    return entry


def _damaged(why: str) -> BranchError:
    return BranchError(400, "snapshot_damaged", f"The file is no whole snapshot: {why}.")
