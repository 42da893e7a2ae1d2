"""The mail catcher's SMTP port: what programs send there is found by Mailpit's API. The client is aiosmtplib."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

import aiosmtplib
import httpx
import pytest
from minato.mailpit.smtp import MAX_SESSIONS, receiving
from minato.mailpit.smtp_session import LINE_LIMIT, MAX_ERRORS, MAX_RECIPIENTS, Limits

from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato
from tests.support.waiting import PATIENCE

LARGEST = 4 * LINE_LIMIT
PARTS = b"Subject: Hello\r\nFrom: a@example.com\r\nTo: b@example.com\r\n\r\n"


@dataclass
class Post:
    """The SMTP port, and a client of the API that shows what came."""

    port: int
    mailpit: httpx.AsyncClient

    def client(self) -> aiosmtplib.SMTP:
        return aiosmtplib.SMTP(hostname="127.0.0.1", port=self.port, start_tls=False, timeout=PATIENCE)

    async def found(self) -> list[dict[str, Any]]:
        """Everything that came, newest first."""
        summaries = (await self.mailpit.get("/api/v1/messages")).json()["messages"]
        return [(await self.mailpit.get(f"/api/v1/message/{one['ID']}")).json() for one in summaries]

    async def raw(self) -> bytes:
        return (await self.mailpit.get("/api/v1/message/latest/raw")).content


@pytest.fixture
async def post(minato: Minato) -> AsyncIterator[Post]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        limits = Limits(message=LARGEST, idle=30)
        async with mail_catcher(minato.backend) as mailpit, receiving(listener, minato.backend, limits):
            yield Post(listener.getsockname()[1], mailpit)


def letter(**headers: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in {"From": "Shop <shop@example.com>", "To": "anna@example.com", **headers}.items():
        message[name] = value
    message["Subject"] = "Your order – über 2 €"
    message.set_content("Thank you, Zoë.\n")
    message.add_alternative("<p>Thank you, <b>Zoë</b>.</p>", subtype="html")
    return message


async def test_a_mail_is_found_as_it_was_sent(post: Post, minato: Minato) -> None:
    async with post.client() as client:
        errors, said = await client.send_message(letter())
    [found] = await post.found()
    assert errors == {}
    assert said.startswith("2.0.0 Ok: queued as ")
    assert (found["Subject"], found["From"]["Name"]) == ("Your order – über 2 €", "Shop")
    assert (found["To"], found["Bcc"]) == ([{"Name": "", "Address": "anna@example.com"}], [])
    assert found["Text"].strip() == "Thank you, Zoë."
    assert "<b>Zoë</b>" in found["HTML"]
    assert found["ReturnPath"] == "shop@example.com"
    assert found["MessageID"].endswith("@minato")
    assert [entry.email.to for entry in minato.backend.outbox.find()] == ["anna@example.com"]


async def test_whom_no_header_names_is_a_hidden_recipient(post: Post) -> None:
    recipients = ["anna@example.com", "ben@example.com", "carl@example.com"]
    async with post.client() as client:
        await client.send_message(letter(Cc="BEN@example.com"), recipients=recipients)
    [found] = await post.found()
    assert [[person["Address"] for person in found[name]] for name in ("To", "Cc", "Bcc")] == [
        ["anna@example.com"],
        ["BEN@example.com"],
        ["carl@example.com"],
    ]


async def test_lines_that_begin_with_a_dot_come_through(post: Post) -> None:
    body = b".\r\n..\r\n.hidden\r\nend."
    async with post.client() as client:
        await client.sendmail("a@example.com", "b@example.com", PARTS + body)
        await client.sendmail("a@example.com", "b@example.com", PARTS)
    assert len(await post.found()) == 2
    await post.mailpit.request("DELETE", "/api/v1/messages", json={"IDs": [(await post.found())[0]["ID"]]})
    assert (await post.raw()).endswith(b"\r\n\r\n" + body + b"\r\n")


async def test_a_dot_after_a_bare_line_feed_ends_no_message(post: Post) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", post.port)
    smuggled = b"one\n.\r\nMAIL FROM:<evil@example.com>\r\nthree\r\n"
    commands = b"EHLO me\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<b@example.com>\r\nDATA\r\n"
    writer.write(commands + PARTS + smuggled + b".\r\nQUIT\r\n")
    answers = (await reader.read()).decode().splitlines()
    writer.close()
    assert [answer[:3] for answer in answers[-3:]] == ["354", "250", "221"]
    assert (await post.raw()).endswith(smuggled)


async def test_a_message_that_is_too_large_is_refused_and_the_next_is_taken(post: Post) -> None:
    async with post.client() as client:
        with pytest.raises(aiosmtplib.SMTPResponseException) as announced:
            await client.mail("a@example.com", options=[f"SIZE={LARGEST + 1}"])
        assert announced.value.code == 552
        await client.mail("a@example.com")
        await client.rcpt("b@example.com")
        with pytest.raises(aiosmtplib.SMTPDataError) as sent:
            await client.data(PARTS + b"x" * 70 + b"\r\n" * LARGEST)
        assert sent.value.code == 552
        assert await post.found() == []
        await client.sendmail("a@example.com", "b@example.com", PARTS + b"short")
    assert len(await post.found()) == 1


async def test_a_line_of_a_message_may_be_longer_than_is_held_at_a_time(post: Post) -> None:
    body = b"x" * (LINE_LIMIT + 7) + b"\r\n" + b"y" * (2 * LINE_LIMIT) + b"\r\n.z\r\n"
    async with post.client() as client:
        await client.sendmail("a@example.com", "b@example.com", PARTS + body)
    assert (await post.raw()).endswith(PARTS + body)


@pytest.mark.parametrize(
    ("commands", "answers"),
    [
        (["MAIL FROM:<a@b.c>"], [503]),
        (["EHLO me", "RCPT TO:<a@b.c>"], [250, 503]),
        (["EHLO me", "DATA"], [250, 503]),
        (["HELO me", "MAIL FROM:<a@b.c>", "DATA"], [250, 250, 503]),
        (["EHLO me", "MAIL FROM:<a@b.c>", "RSET", "RCPT TO:<a@b.c>"], [250, 250, 250, 503]),
        (["EHLO me", "MAIL FROM:<a@b.c>", "EHLO me", "RCPT TO:<a@b.c>"], [250, 250, 250, 503]),
        (["EHLO me", "MAIL FROM:a@b.c", "MAIL TO:<a@b.c>", "MAIL FROM:<a b@c.d>", "MAIL"], [250, 501, 501, 501, 501]),
        (["EHLO me", "MAIL FROM:<>", "RCPT TO:<>", "RCPT FROM:<a@b.c>"], [250, 250, 501, 501]),
        (
            ["NOOP", "VRFY anna", "RSET now", "DATA now", "AUTH PLAIN", "STARTTLS", ""],
            [250, 252, 501, 501, 500, 500, 500],
        ),
    ],
)
async def test_commands_out_of_order_or_form_are_refused(post: Post, commands: list[str], answers: list[int]) -> None:
    async with post.client() as client:
        given = [(await client.execute_command(command.encode())).code for command in commands]
    assert given == answers
    assert await post.found() == []


async def test_a_message_has_so_many_recipients_and_no_more(post: Post) -> None:
    async with post.client() as client:
        await client.ehlo()
        await client.mail("a@example.com")
        for number in range(MAX_RECIPIENTS):
            await client.rcpt(f"{number}@example.com")
        with pytest.raises(aiosmtplib.SMTPRecipientRefused) as refused:
            await client.rcpt("more@example.com")
        assert refused.value.code == 452
        await client.data(PARTS)
    [found] = await post.found()
    assert len(found["Bcc"]) == MAX_RECIPIENTS


async def conversation(port: int, sent: bytes) -> list[bytes]:
    """What is answered until the server leaves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        return (await asyncio.wait_for(reader.read(), 30)).splitlines()
    finally:
        writer.close()


async def test_a_command_without_end_a_page_and_who_is_always_wrong_are_left(post: Post) -> None:
    endless = await conversation(post.port, b"x" * (LINE_LIMIT + 1))
    assert endless[-1] == b"500 5.5.2 Line too long"
    page = await conversation(post.port, b"POST / HTTP/1.1\r\n")
    assert page[1:] == [b"500 5.5.2 Syntax error, command unrecognized"]
    wrong = await conversation(post.port, b"nonsense\r\n" * MAX_ERRORS)
    assert len(wrong) == 1 + MAX_ERRORS


async def test_connections_that_say_nothing_are_so_many_and_no_more(post: Post) -> None:
    async def greeted() -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", post.port)
        return reader, writer, await asyncio.wait_for(reader.readline(), 30)

    silent = [await greeted() for _ in range(MAX_SESSIONS)]
    assert {said[:3] for _, _, said in silent} == {b"220"}
    _, writer, said = await greeted()
    writer.close()
    assert said.startswith(b"421 4.7.0 ")
    leaving, closing, _ = silent.pop()
    closing.write(b"QUIT\r\n")
    await leaving.read()
    closing.close()
    async with post.client() as client:
        await client.send_message(letter())
    for _, writer, _ in silent:
        writer.close()
    assert len(await post.found()) == 1


async def test_who_is_silent_for_too_long_is_told_and_left(minato: Minato) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with receiving(listener, minato.backend, Limits(message=LARGEST, idle=0.01)):
            answers = await conversation(listener.getsockname()[1], b"")
    assert answers[-1].startswith(b"421 4.4.2 ")


async def test_a_connection_closed_midway_leaves_no_message(post: Post) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", post.port)
    writer.write(b"EHLO me\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<a@b.c>\r\nDATA\r\n" + PARTS + b"half a mess")
    writer.write_eof()
    assert b"354" in await asyncio.wait_for(reader.read(), 30)
    writer.close()
    assert await post.found() == []


@pytest.mark.parametrize(
    "source", [b"", b"\x00\xff\xfe", b"Subject: =?x?q?=ff?=\r\nTo: <<>,;\r\nDate: never\r\n\r\n\xff"]
)
async def test_what_is_hardly_a_message_is_shown_nevertheless(post: Post, source: bytes) -> None:
    async with post.client() as client:
        await client.sendmail("a@example.com", "b@example.com", source)
    [found] = await post.found()
    assert [person["Address"] for person in found["Bcc"]] == ["b@example.com"]
