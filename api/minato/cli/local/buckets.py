"""The buckets of `[storage.buckets]` and the files of their `objects_path`, made through the storage service; between
the two those of `[storage.vector]`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from minato.cli.errors import CommandError
from minato.cli.local.new_database import Tell
from minato.cli.local.vector_buckets import keep_vector_buckets, vector_buckets
from minato.cli.seed import service_client, upload
from minato.cli.target import Target
from minato.config import Settings
from minato.project.config_file import ProjectConfig
from minato.project.config_keys import Value
from minato.project.folder import Project

if TYPE_CHECKING:
    import httpx

AT_ONCE = 5
# A limit beyond that of all files: what the service answers.
_TOO_LARGE = '"EntityTooLarge"'


def bucket_tables(config: ProjectConfig) -> dict[str, dict[str, Value]]:
    """What `[storage.buckets]` says, by bucket; nothing where storage is switched off."""
    return config.below("storage.buckets") if config.flag("storage.enabled") else {}


def bucket_properties(table: Mapping[str, Value], limit: int) -> dict[str, Value]:
    """What the service is told of a bucket; `limit` in bytes holds where the table names none."""
    properties: dict[str, Value] = {"public": table.get("public") is True}
    properties["file_size_limit"] = table.get("file_size_limit") or limit
    if table.get("allowed_mime_types"):
        properties["allowed_mime_types"] = table["allowed_mime_types"]
    return properties


def has_buckets(config: ProjectConfig) -> bool:
    """Whether the file names any, of files or of vectors."""
    return bool(bucket_tables(config) or vector_buckets(config))


async def make_buckets(
    settings: Settings, target: Target, secret: str, config: ProjectConfig, project: Project, tell: Tell
) -> None:
    """Fill a new database's storage, before anybody is served. Raises `CommandError`."""
    if has_buckets(config):
        async with service_client(settings, target, secret) as client:
            await fill_buckets(client, config, project, tell)


async def fill_buckets(
    client: httpx.AsyncClient,
    config: ProjectConfig,
    project: Project,
    tell: Tell,
    may_update: Callable[[str], bool] = lambda bucket: True,
    may_prune: Callable[[str], bool] = lambda bucket: False,
) -> None:
    """Make every bucket that is missing, give the others what the file says, upload. Raises `CommandError`.

    Of vectors also those are known that the file does not name, which `may_prune` is asked of.
    """
    tables, of_vectors = bucket_tables(config), vector_buckets(config)
    known = await _known(client)
    for name, table in tables.items():
        if name not in known or may_update(name):
            await _make(client, name, table, name in known, config.number("storage.file_size_limit"), tell)
    if of_vectors:
        await keep_vector_buckets(client, of_vectors, tell, may_prune)
    for name, table in tables.items():
        await _upload_all(client, name, table, project, tell)


async def _make(
    client: httpx.AsyncClient, name: str, table: Mapping[str, Value], exists: bool, limit: int, tell: Tell
) -> None:
    tell(f"{'Updating' if exists else 'Creating'} Storage bucket: {name}")
    asked = ("PUT", f"/storage/v1/bucket/{name}") if exists else ("POST", "/storage/v1/bucket")
    answer = await client.request(*asked, json={"id": name, "name": name, **bucket_properties(table, limit)})
    if _TOO_LARGE in answer.text:
        raise CommandError(
            f"storage.buckets.{name}.file_size_limit in config.toml is more than storage.file_size_limit, which no "
            "bucket may exceed: raise the one or lower the other."
        )
    _refuse_failure(answer, asked)


async def _upload_all(
    client: httpx.AsyncClient, bucket: str, table: Mapping[str, Value], project: Project, tell: Tell
) -> None:
    given = table.get("objects_path")
    if not isinstance(given, str) or not given:
        return
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(path: Path, key: str) -> None:
        async with turns:
            tell(f"Uploading: {path.relative_to(project.root)} => {bucket}/{key}")
            await upload(client, bucket, key, await asyncio.to_thread(path.read_bytes))

    async with asyncio.TaskGroup() as group:
        for path, key in _files(project.folder / given):
            group.create_task(one(path, key))


def _files(place: Path) -> Iterator[tuple[Path, str]]:
    """Every file below a folder, or the one file, with the name it gets in the bucket. No link leads out of it."""
    if place.is_file():
        yield place, place.name
    elif place.is_dir():
        for path in sorted(place.rglob("*")):
            if path.is_file() and not path.is_symlink() and path.name != ".DS_Store":
                yield path, path.relative_to(place).as_posix()
    else:
        raise CommandError(f"storage.buckets: {place} does not exist.")


async def _known(client: httpx.AsyncClient) -> set[str]:
    asked = ("GET", "/storage/v1/bucket")
    answer = await client.request(*asked)
    _refuse_failure(answer, asked)
    return {bucket["id"] for bucket in answer.json()}


def _refuse_failure(answer: httpx.Response, asked: tuple[str, str]) -> None:
    if answer.is_error:
        raise CommandError(f"{' '.join(asked)} failed: {answer.status_code} {answer.text}")
