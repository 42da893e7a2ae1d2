"""Mail leaves after the commit: a mail server that hangs holds no connection, one that refuses leaves no trace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from minato.config.auth import AuthSettings
from minato.config.mail import MailSettings
from minato.database.address import DatabaseAddress
from minato.mail.mailer import create_mailer

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE, until


class MailServer:
    """Greets and then either hangs or refuses every recipient, until the test lets it go."""

    def __init__(self, hangs: bool) -> None:
        self.hangs = hangs
        self.callers = 0
        self.enough = asyncio.Event()
        self.expected = 0
        self.released = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.callers += 1
        if self.callers >= self.expected:
            self.enough.set()
        if self.hangs:
            await self.released.wait()
            return writer.close()
        writer.write(b"220 mail.test\r\n")
        while line := await reader.readline():
            refused = line.upper().startswith((b"RCPT", b"MAIL"))
            writer.write(b"550 no such person\r\n" if refused else b"250 mail.test\r\n")
        writer.close()


@asynccontextmanager
async def mail_server(hangs: bool) -> AsyncIterator[tuple[MailServer, MailSettings]]:
    server = MailServer(hangs)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    try:
        yield server, MailSettings(host="127.0.0.1", port=port, security="none", timeout=PATIENCE)
    finally:
        server.released.set()
        listener.close()


@asynccontextmanager
async def served(address: DatabaseAddress, folder: Path, mail: MailSettings) -> AsyncIterator[Minato]:
    async with running(address, settings_for(folder, mail=mail)) as minato:
        yield minato


def use_outbox(minato: Minato) -> None:
    minato.backend.mailer = create_mailer(MailSettings(host=None), minato.backend.outbox, development=True)


async def test_signups_waiting_for_a_hanging_mail_server_hold_no_connection(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with mail_server(hangs=True) as (server, mail), served(address, tmp_path, mail) as minato:
        hanging = minato.backend.mailer
        use_outbox(minato)
        async with minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            minato.backend.mailer = hanging
            server.expected = 3 * minato.backend.settings.database.service_pool_size
            body = {"password": PASSWORD}
            signups = [
                asyncio.create_task(
                    client.post("/auth/v1/signup", json=body | {"email": f"waiting-{number}@example.com"})
                )
                for number in range(server.expected)
            ]
            await asyncio.wait_for(server.enough.wait(), PATIENCE)
            answer = await client.get("/auth/v1/user", headers=bearer(session))
            assert answer.status_code == 200
            assert not any(task.done() for task in signups)
            server.released.set()
            answers = await asyncio.gather(*signups)
        assert {answer.status_code for answer in answers} == {500}
        assert await minato.db.fetchval("select count(*) from auth.users where email like 'waiting-%'") == 0


async def test_a_refused_mail_leaves_no_account_behind(address: DatabaseAddress, tmp_path: Path) -> None:
    async with mail_server(hangs=False) as (_, mail), served(address, tmp_path, mail) as minato:
        async with minato.client(**NEW) as client:
            body = {"email": "anna@example.com", "password": PASSWORD}
            answer = await client.post("/auth/v1/signup", json=body)
        expected = {"code": "unexpected_failure", "message": "Error sending confirmation email"}
        assert (answer.status_code, answer.json()) == (500, expected)
        assert await minato.db.fetchval("select count(*) from auth.users") == 0
        assert await minato.db.fetchval("select count(*) from auth.one_time_tokens") == 0


async def test_who_runs_the_server_is_told_why_a_mail_was_refused(
    address: DatabaseAddress, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    async with mail_server(hangs=False) as (_, mail), served(address, tmp_path, mail) as minato:
        async with minato.client(**NEW) as client:
            await client.post("/auth/v1/signup", json={"email": "anna@example.com", "password": PASSWORD})
    logged = "".join(capfd.readouterr()) + caplog.text
    assert "a mail was not sent" in logged
    assert "no such person" in logged


async def test_a_refused_mail_leaves_the_earlier_one_good(address: DatabaseAddress, tmp_path: Path) -> None:
    async with mail_server(hangs=False) as (_, mail), served(address, tmp_path, mail) as minato:
        refusing = minato.backend.mailer
        use_outbox(minato)
        async with minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            email = session["user"]["email"]
            await client.post("/auth/v1/recover", json={"email": email})
            first = minato.backend.outbox.find(email, "recovery")[0].email
            minato.backend.mailer = refusing
            answer = await client.post("/auth/v1/recover", json={"email": email})
            assert (answer.status_code, answer.json()["message"]) == (500, "Error sending recovery email")
            body = {"type": "recovery", "token_hash": first.token_hash}
            assert (await client.post("/auth/v1/verify", json=body)).status_code == 200


async def test_a_change_of_address_whose_mail_is_refused_changes_nothing(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with mail_server(hangs=False) as (_, mail), served(address, tmp_path, mail) as minato:
        refusing = minato.backend.mailer
        use_outbox(minato)
        async with minato.client(**NEW) as client:
            session = await sign_in(minato, client)
            minato.backend.mailer = refusing
            body = {"email": "other@example.com", "data": {"colour": "red"}}
            answer = await client.put("/auth/v1/user", json=body, headers=bearer(session))
            assert answer.json()["message"] == "Error sending email change email"
            user = (await client.get("/auth/v1/user", headers=bearer(session))).json()
            assert "new_email" not in user
            assert "colour" not in user["user_metadata"]


async def test_passwords_are_hashed_without_a_connection(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = settings_for(tmp_path, auth=AuthSettings(mailer_autoconfirm=True))
    async with running(address, settings) as minato, minato.client(**NEW) as client:
        room = minato.application.rooms["/auth/v1"]
        hashing, go_on = asyncio.Event(), asyncio.Event()
        original = room.passwords.hash  # type: ignore[attr-defined]

        async def slow(password: str, address: str) -> str:
            hashing.set()
            await go_on.wait()
            hashed: str = await original(password, address)
            return hashed

        room.passwords.hash = slow  # type: ignore[attr-defined]
        signup = asyncio.create_task(_sign_up(client))
        await asyncio.wait_for(hashing.wait(), PATIENCE)
        pool = minato.backend.database.service("supabase_auth_admin").pool
        # What runs beside requests gives its connection back; a sign-up that kept one would keep it while it hashes.
        await until(lambda: pool.in_use == 0)
        go_on.set()
        assert (await signup).status_code == 200


async def _sign_up(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/auth/v1/signup", json={"email": "b@example.com", "password": PASSWORD})
