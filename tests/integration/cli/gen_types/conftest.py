"""The databases whose types are compared, and how ours are made."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import asyncpg
import psycopg2
import pytest
from minato.cli.gen_types.languages import Style, render
from minato.cli.gen_types.load import load_catalog
from minato.cli.gen_types.model import Catalog
from minato.cli.gen_types.typescript.file import render_typescript

from tests.support.postgres import Cluster
from tests.support.random_schema import Family
from tests.support.types_judge import Job

FAMILIES = tuple(Family(seed) for seed in range(1, 13))
ODDITIES = Path(__file__).with_name("oddities.sql").read_text()


@dataclass(frozen=True)
class Databases:
    """The urls of three databases, for the project's owner: both drivers read them."""

    marketplace: str
    oddities: str
    families: str


@pytest.fixture(scope="module")
async def databases(cluster: Cluster) -> AsyncIterator[Databases]:
    async with AsyncExitStack() as stack:
        urls = []
        for script in ("select;", ODDITIES, "\n".join(family.sql for family in FAMILIES)):
            address = await stack.enter_async_context(cluster.fresh_database())
            connection = await asyncpg.connect(address.admin)
            await connection.execute(script)
            name = await connection.fetchval("select current_database()")
            await connection.close()
            urls.append(owner_url(cluster, name))
        yield Databases(*urls)


def owner_url(cluster: Cluster, database: str) -> str:
    """By the socket, whose folder stands where a host would."""
    postgres = cluster.postgres
    return f"postgresql://postgres@{quote(str(postgres.socket_folder), safe='')}:{postgres.port}/{database}"


def catalog_of(url: str, schemas: Sequence[str]) -> Catalog:
    connection = psycopg2.connect(url)
    try:
        return load_catalog(connection, schemas)
    finally:
        connection.close()


def ours(job: Job) -> str:
    """What we generate for a job of the judge's."""
    catalog = catalog_of(job.url, job.schemas)
    if job.postgrest_version is not None:
        return render_typescript(catalog, job.one_to_one, job.postgrest_version)
    return render(catalog, job.language, Style(job.one_to_one, job.access_control))
