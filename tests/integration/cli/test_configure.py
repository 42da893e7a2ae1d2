"""The operator's settings reach the schema whenever the server starts."""

from __future__ import annotations

from pathlib import Path

import asyncpg
import pytest
from minato.cli.configure import configure
from minato.cli.errors import CommandError
from minato.cli.target import Target
from minato.config import Settings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress


async def configured(address: DatabaseAddress) -> dict[str, str | None]:
    connection = await asyncpg.connect(address.admin)
    try:
        asked = "select name, private.setting(name) #>> '{}' as value from unnest($1::text[]) as name"
        rows = await connection.fetch(asked, ["admin_email", "demo_mode", "public_url", "fee_pkr"])
        return {row["name"]: row["value"] for row in rows}
    finally:
        await connection.close()


async def test_the_administrators_address_and_the_demo_mode_follow_the_environment(address: DatabaseAddress) -> None:
    target = Target(address=address, url=address.admin, owner=address.admin, embedded=False, passwords={})
    for email, demo in [("first@example.com", True), ("second@example.com", False)]:
        server = ServerSettings(data_dir=Path("unused"), admin_email=email, demo_mode=demo)
        configure(Settings(server=server), target)
        found = await configured(address)
        assert (found["admin_email"], found["demo_mode"]) == (email, str(demo).lower())
        assert (found["public_url"], found["fee_pkr"]) == (None, "2000")


async def test_what_is_known_already_is_not_written_again(address: DatabaseAddress) -> None:
    target = Target(address=address, url=address.admin, owner=address.admin, embedded=False, passwords={})
    connection = await asyncpg.connect(address.admin)
    try:
        written = []
        for _ in range(2):
            configure(Settings(server=ServerSettings(data_dir=Path("unused"), admin_email="a@example.com")), target)
            rows = await connection.fetch("select xmin::text, xmax::text from minato.operator_settings order by name")
            written.append([tuple(row) for row in rows])
        assert written[0] == written[1]
    finally:
        await connection.close()


async def test_another_login_than_the_owners_is_said_to_be_the_wrong_one(address: DatabaseAddress) -> None:
    other = DatabaseAddress(address.admin.replace("supabase_admin", "postgres", 1), address.authenticator)
    target = Target(address=other, url=other.admin, owner=other.admin, embedded=False, passwords={})
    with pytest.raises(CommandError, match=r"^permission denied .*: DATABASE_URL must name the login that migrated"):
        configure(Settings(server=ServerSettings(data_dir=Path("unused"))), target)
