"""Mail programs stop mails by one POST to the address in the mail's header (RFC 8058); opening it stops nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import httpx
import pytest
from minato.database.address import DatabaseAddress
from minato.mail.mailer import render_message
from minato.web_app import Call, WebApp

from tests.integration.jobs.test_mail_contents import only_mail
from tests.integration.jobs.test_mail_queue import SITE, WRITE, Worker, mails, queue
from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

__all__ = ["mails", "queue"]

ROUTES = """[
    {"path": "/", "preload": []},
    {"path": "/mails/:token", "preload": [], "post": {"function": "choose_mail", "arguments": ["p_token"]}}
]"""
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
WANTED = "select not 'messages' = any (muted_mails) from notification_preferences where user_id = {agent}"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A web app whose build names an address that takes a POST."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Minato</title>")
    (tmp_path / "routes.json").write_text(ROUTES)
    return tmp_path


@pytest.fixture
async def server(address: DatabaseAddress, built: Path, tmp_path: Path) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path / "data")
    with_web = replace(settings, server=settings.server.model_copy(update={"web_root": built}))
    async with running(address, with_web) as server:
        yield server


async def test_the_header_names_an_address_that_stops_such_mails_by_one_post(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    mail = await only_mail(queue, mails, WRITE)
    token = await queue.fetchval(sql("select private.mail_token({agent}, 'messages')"))
    message = render_message(mail)
    assert message["List-Unsubscribe"] == f"<{SITE}/mails/{token}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"Get no more mails like this one: {SITE}/mails/{token}" in mail.text
    assert f'href="{SITE}/mails/{token}"' in mail.html
    assert f"Choose which mails you get: {SITE}/agent/settings#notifications" in mail.text


@pytest.mark.parametrize("kind", ["account_suspended", "verification_approve", "payment_received"])
async def test_a_mail_about_the_account_itself_carries_no_way_to_stop_it_alone(
    queue: asyncpg.Connection, mails: Worker, kind: str
) -> None:
    mail = await only_mail(queue, mails, f"select private.notify_member({{agent}}, '{kind}', '{{}}')")
    message = render_message(mail)
    assert message["List-Unsubscribe"] is None
    assert message["List-Unsubscribe-Post"] is None
    assert "/mails/" not in mail.text


def test_an_address_that_takes_a_post_says_what_it_calls(built: Path) -> None:
    app = WebApp(built, SITE)
    assert app.call("mails/a-b-c") == Call("choose_mail", {"p_token": "a-b-c"})
    assert [app.call(path) for path in ("", "mails", "mails/a/b", "rest/v1/rpc/choose_mail")] == [None] * 4


async def test_one_post_stops_the_mails_and_opening_the_page_does_not(server: Minato) -> None:
    await server.application.jobs.stop()
    await set_the_scene(server.db)
    path = "/mails/" + await server.db.fetchval(sql("select private.mail_token({agent}, 'messages')"))
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        for method in ("GET", "HEAD", "OPTIONS"):
            await client.request(method, path)
        assert await server.db.fetchval(sql(WANTED)) is True
        answers = [await client.post(path, data=ONE_CLICK), await client.post(path, files={"a": b"1"})]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert {answer.text for answer in answers} == {""}, "nothing of the account is said"
        assert await server.db.fetchval(sql(WANTED)) is False


async def test_a_post_to_a_forged_address_does_nothing(server: Minato) -> None:
    await server.application.jobs.stop()
    await set_the_scene(server.db)
    token = await server.db.fetchval(sql("select private.mail_token({agent}, 'messages')"))
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as client:
        for wrong in (token[:-1], token + "0", token.replace("messages", "support"), "x", "%22%7D"):
            assert (await client.post(f"/mails/{wrong}", data=ONE_CLICK)).status_code == 400
        for other in ("/", "/agent/settings", "/mails", "/config.js"):
            assert (await client.post(other, data=ONE_CLICK)).status_code == 404
    assert await server.db.fetchval(sql(WANTED)) is True
