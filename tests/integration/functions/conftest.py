"""A server with a folder of functions, shared by a module; a test writes functions of its own names."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest
from minato.config.functions import FunctionSettings, FunctionsSettings
from minato.config.server import ServerSettings
from minato.functions.app import FunctionsRoom
from minato.functions.pool import Slot

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

OPEN = FunctionSettings(verify_jwt=False)
# Who may be called without a token; every other function asks for one.
CONFIG = {
    **dict.fromkeys(("open", "edited", "broken", "loops", "spy", "socket", "behind", "leaves", "tick", "form"), OPEN),
    **dict.fromkeys(("py", "py_app", "py_spy", "py_loops", "py_socket", "py_behind", "py_broken", "py_packages"), OPEN),
    "py_named": FunctionSettings(verify_jwt=False, entrypoint="inside.start:served.app"),
    "py_path": FunctionSettings(verify_jwt=False, entrypoint="./other/start.py:answer"),
    "own": FunctionSettings.model_validate({"verify_jwt": False, "env": {"COLOUR": "red", "SHAPE": "round"}}),
    "off": FunctionSettings(enabled=False),
    "static": FunctionSettings(verify_jwt=False, static_files=["./assets/*.html"]),
    "elsewhere": FunctionSettings(verify_jwt=False, entrypoint="./other/main.ts"),
}


@dataclass
class Project:
    """A server and the `supabase` folder that it serves."""

    minato: Minato
    supabase: Path

    @property
    def room(self) -> FunctionsRoom:
        room = self.minato.application.rooms["/functions/v1"]
        assert isinstance(room, FunctionsRoom)
        return room

    def write(self, path: str, text: str) -> Path:
        """A file below `supabase/functions`."""
        file = self.supabase / "functions" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def slots(self, name: str) -> list[Slot]:
        assert self.room.pool is not None
        return [slot for slot in self.room.pool.running if slot.function.name == name]

    @contextmanager
    def limits(self, **changed: object) -> Iterator[None]:
        """The server's settings of functions, changed until the block ends."""
        before, pool = self.room._settings, self.room.pool
        assert pool is not None
        self.room._settings = pool._settings = before.model_copy(update=changed)
        try:
            yield
        finally:
            self.room._settings = pool._settings = before

    async def call(self, path: str, method: str = "POST", **given: object) -> httpx.Response:
        """As somebody with the anon key, or with the headers that are given."""
        async with self.minato.client() as client:
            return await client.request(method, f"/functions/v1/{path}", **given)  # type: ignore[arg-type]

    async def ask(self, path: str, method: str = "GET", **headers: str) -> httpx.Response:
        """With these headers alone."""
        async with httpx.AsyncClient(base_url=self.minato.url, headers=headers, timeout=90) as client:
            return await client.request(method, f"/functions/v1/{path}")


@pytest.fixture(scope="module")
async def project(cluster: Cluster) -> AsyncIterator[Project]:
    """Not in memory, where other tests' folders lie: Deno lets nobody read below /dev."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        async with serving(cluster, Path(folder)) as served:
            yield served


@asynccontextmanager
async def serving(cluster: Cluster, root: Path) -> AsyncIterator[Project]:
    (root / "supabase" / "functions").mkdir(parents=True)
    data = root / "data"
    settings = settings_for(
        data,
        server=ServerSettings(data_dir=data, environment="development", web_root=None, project=root),
        functions=FunctionsSettings.of(
            {
                "MINATO_FUNCTIONS_SECRETS": '{"greeting": "ahoy", "SUPABASE_URL": "http://not.this"}',
                "MINATO_FUNCTIONS_DB_URL": "postgresql://postgres:postgres@127.0.0.1:54322/postgres",
            }
        ).model_copy(update={"config": CONFIG, "cpu_limit": 0.5, "processes": 4}),
    )
    async with cluster.fresh_database() as address, running(address, settings) as server:
        yield Project(server, root / "supabase")
