"""The buckets of `[storage.vector]`, made through the storage service; what they hold is the project's own to put.

Order and texts are those of the Supabase CLI's `seed buckets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from minato.cli.errors import CommandError
from minato.cli.local.new_database import Tell
from minato.project.config_file import ProjectConfig

if TYPE_CHECKING:
    import httpx

# What a server answers on which there can be none; the rest of a seed goes on.
_NOT_HERE = ("FeatureNotEnabled", "NotImplemented")


def vector_buckets(config: ProjectConfig) -> list[str]:
    """The names of `[storage.vector.buckets]`; nothing where storage or its vectors are switched off."""
    switched_on = config.flag("storage.enabled") and config.flag("storage.vector.enabled")
    return list(config.below("storage.vector.buckets")) if switched_on else []


async def keep_vector_buckets(
    client: httpx.AsyncClient, names: Iterable[str], tell: Tell, may_prune: Callable[[str], bool]
) -> None:
    """Make those that are missing, delete others that may be. Raises `CommandError`."""
    wanted = list(names)
    tell("Updating vector buckets...")
    try:
        known = await _known(client)
        for name in wanted:
            if name in known:
                tell(f"Bucket already exists: {name}")
                continue
            tell(f"Creating vector bucket: {name}")
            await _ask(client, "CreateVectorBucket", vectorBucketName=name)
    except _NotHere as error:
        tell(f"WARNING: {error}. Skipping vector bucket seeding.")
        return
    for name in known:
        if name not in wanted and may_prune(name):
            tell(f"Pruning vector bucket: {name}")
            await _ask(client, "DeleteVectorBucket", vectorBucketName=name)


class _NotHere(Exception):
    """The server keeps no vectors; the text says why."""


async def _known(client: httpx.AsyncClient) -> list[str]:
    known: list[str] = []
    token: dict[str, str] = {}
    while True:
        told = (await _ask(client, "ListVectorBuckets", **token)).json()
        known += [bucket["vectorBucketName"] for bucket in told["vectorBuckets"]]
        if "nextToken" not in told:
            return known
        token = {"nextToken": told["nextToken"]}


async def _ask(client: httpx.AsyncClient, operation: str, **body: str) -> httpx.Response:
    answer = await client.post(f"/storage/v1/vector/{operation}", json=body)
    if answer.is_error:
        told = answer.json()
        if told.get("code") in _NOT_HERE:
            raise _NotHere(told["message"])
        raise CommandError(f"POST /storage/v1/vector/{operation} failed: {answer.status_code} {answer.text}")
    return answer
