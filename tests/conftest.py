"""Fixtures of every test: `cluster` (a PostgreSQL), `address` (a fresh migrated database), `minato` (a running server),
`data_dir` (a folder for the command).

`minato` lives as long as the test process and is shared: a test makes its own users, rows and buckets with names of its
own and leaves nothing that another could trip over. A test that must have a server to itself asks for `own_minato`.
Folders lie in memory when there is room (`tests.support.folders`), and the machine's own settings stay outside
(`tests.support.isolation`).
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from minato.auth.request import passwords
from minato.clock import Clock
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.sms import sender

from tests.mutation.database import Shared
from tests.support.command import served
from tests.support.folders import use_temporary_folder
from tests.support.hanging import pytest_runtest_makereport, watched_loop
from tests.support.isolation import keep_the_machine_out
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

__all__ = ["pytest_runtest_makereport", "watched_loop"]

use_temporary_folder()
keep_the_machine_out()

CHEAPEST = 4
SHARED_CLOCK = pytest.StashKey[Clock]()


def pytest_collection_finish() -> None:
    """Whatever was imported and collected stays to the end: the collector need not look through it again and again."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Passwords are hashed in 1 ms instead of 60; the database under test is lost with them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "COST", CHEAPEST)
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_providers() -> Iterator[None]:
    """Providers of text messages are this machine's own here, and may have to wait for the processor."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sender, "TIMEOUT", PATIENCE)
        yield


@pytest.fixture(scope="session")
async def cluster(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """A PostgreSQL with a migrated template database: the embedded one, or that of MINATO_POSTGRES_BIN.

    A run of mutants has one that is shared by its processes (`tests.mutation.database`).
    """
    if shared := Shared.of_environment():
        yield Cluster(shared.postgres, shared.template, f"mutant_{os.getpid()}")
        return
    binaries = DatabaseSettings.of(os.environ).postgres_bin
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path_factory.mktemp("postgres"), binaries, durable=False))
    cluster = Cluster(await postgres.start())
    try:
        await cluster.migrate_template()
        yield cluster
    finally:
        await cluster.close()
        await postgres.stop()


@pytest.fixture
async def address(cluster: Cluster) -> AsyncIterator[DatabaseAddress]:
    """A migrated database for this test alone."""
    async with cluster.fresh_database() as address:
        yield address


@pytest.fixture(scope="session")
async def minato(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Minato]:
    """A server on a database of its own, shared by the tests of this process."""
    settings = settings_for(tmp_path_factory.mktemp("data"))
    async with cluster.fresh_database() as address, running(address, settings) as server:
        request.config.stash[SHARED_CLOCK] = server.backend.clock
        yield server


@pytest.fixture(autouse=True)
def shared_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """Who moves the clock of the shared server and leaves it so fails: others' signatures would be too old."""
    yield
    clock = request.config.stash.get(SHARED_CLOCK, None)
    if clock is not None and clock.offset:
        clock.advance(-clock.offset)
        pytest.fail("the clock of the shared server was moved: use own_minato, or set it back")


@pytest.fixture
async def own_minato(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """A server and a database for this test alone."""
    async with running(address, settings_for(tmp_path)) as server:
        yield server


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that the command has served from."""
    folder = tmp_path_factory.mktemp("migrated") / "data"
    with served(folder):
        pass
    return folder


@pytest.fixture
def data_dir(migrated: Path, tmp_path: Path) -> Path:
    """A copy of it for this test alone, which spares the test initdb and the migrations."""
    shutil.copytree(migrated, tmp_path / "data")
    return tmp_path / "data"
