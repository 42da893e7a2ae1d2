"""docs/extensions.md: every line of its table is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import asyncpg
import pytest
from minato.postgres.binaries import find_binaries
from minato.postgres.extensions import OFFERED, SHARE, TRUSTED

from tests.integration.postgres.conftest import SERVER

DOCUMENT = Path(__file__).parents[3] / "docs/extensions.md"
ROWS = dict(re.findall(r"^\| `([\w-]+)` \| (\w+) \|", DOCUMENT.read_text(), re.M))
SYSTEM = find_binaries(None).extensions or Path()
# These have a schema of their own and refuse another.
OWN_SCHEMA = {"pgmq", "supabase_vault", "pg_cron", "pg_graphql", "plpgsql"}


def test_the_table_has_every_name_once() -> None:
    known = {path.stem for folder in (SYSTEM, SHARE / "extension") for path in folder.glob("*.control")}
    assert sorted(ROWS) == sorted(OFFERED | known)
    assert set(ROWS.values()) == {"native", "SQL", "refused", "no"}
    assert [name for name, status in ROWS.items() if (SYSTEM / f"{name}.control").is_file()] == [
        name for name, status in ROWS.items() if status in ("native", "refused")
    ]


def there(name: str, status: str) -> str:
    """The same on the server that MINATO_POSTGRES_BIN names, which has other extensions than the shipped one."""
    assert SERVER.extensions is not None
    if (SERVER.extensions / f"{name}.control").is_file():
        return status if status == "refused" or name not in TRUSTED else "native"
    return "SQL" if (SHARE / "extension" / f"{name}.control").is_file() else "no"


@pytest.mark.parametrize(("name", "status"), sorted(ROWS.items()))
async def test_a_line_of_the_table_is_what_happens(shipped: asyncpg.Connection, name: str, status: str) -> None:
    status = there(name, status)
    schema = "" if name in OWN_SCHEMA else " with schema extensions"
    statement = f'create extension if not exists "{name}"{schema} cascade'
    await shipped.execute("set session authorization postgres")
    if status == "refused":
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match=f'permission denied to create extension "{name}"'):
            await shipped.execute(statement)
    elif status == "no":
        with pytest.raises(asyncpg.FeatureNotSupportedError, match=f'extension "{name}" is not available'):
            await shipped.execute(statement)
    else:
        await shipped.execute(statement)
        assert await shipped.fetchval("select count(*) from pg_extension where extname = $1", name) == 1
