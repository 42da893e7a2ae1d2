"""Mailpit's HTTP API over the outbox, asked over HTTP as programs ask Mailpit's."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from minato.mail.email import Email

from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato

ANNA = Email(
    "anna@example.com",
    "Confirm Your Signup",
    '<title>no</title><h2>Hello</h2><p>Follow <a href="http://site/verify?token=t&amp;type=signup">this link</a></p>',
    "Hello\n\nhttp://site/verify?token=t&type=signup\n\nCode: 123456\n",
    "signup",
    sender="Admin <admin@email.com>",
)
BEN = replace(ANNA, to="Ben.Lee+shop@example.com", subject="Reset", html="<p>Grüße</p>", text="Grüße, 654321\n")
SUMMARY = [
    *("ID", "MessageID", "Read", "From", "To", "Cc", "Bcc", "ReplyTo", "Subject", "Created", "Username", "Tags"),
    *("Size", "Attachments", "Snippet"),
]
MESSAGE = [
    *("ID", "MessageID", "From", "To", "Cc", "Bcc", "ReplyTo", "ReturnPath", "Subject", "ListUnsubscribe", "Date"),
    *("Tags", "Username", "Text", "HTML", "Size", "Inline", "Attachments"),
]


@pytest.fixture
async def mailpit(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with mail_catcher(minato.backend) as client:
        yield client


@pytest.fixture
async def two(minato: Minato, mailpit: httpx.AsyncClient) -> list[str]:
    """The ids of Anna's mail and of Ben's, which is newer."""
    for email in (ANNA, BEN):
        minato.backend.outbox.add(email)
    found = (await mailpit.get("/api/v1/messages")).json()["messages"]
    return [message["ID"] for message in reversed(found)]


async def listed(mailpit: httpx.AsyncClient, path: str = "/api/v1/messages", **query: Any) -> dict[str, Any]:
    answer = await mailpit.get(path, params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def subjects(mailpit: httpx.AsyncClient, query: str) -> list[str]:
    found = await listed(mailpit, "/api/v1/search", query=query)
    return [message["Subject"] for message in found["messages"]]


async def test_an_empty_mailbox_is_lists_without_entries(mailpit: httpx.AsyncClient) -> None:
    answer = await mailpit.get("/api/v1/messages")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "total": 0,
        "unread": 0,
        "count": 0,
        "messages_count": 0,
        "messages_unread": 0,
        "start": 0,
        "tags": [],
        "messages": [],
    }
    assert await listed(mailpit, "/api/v1/search", query="to:a@b.c") == answer.json()
    latest = await mailpit.get("/api/v1/message/latest")
    assert (latest.status_code, latest.text) == (404, "Message not found")


async def test_messages_are_told_newest_first_with_everything_mailpit_tells(
    mailpit: httpx.AsyncClient, two: list[str]
) -> None:
    found = await listed(mailpit)
    newest, oldest = found["messages"]
    assert [found["total"], found["unread"], found["count"], found["messages_count"]] == [2, 2, 2, 2]
    assert list(newest) == list(oldest) == SUMMARY
    assert re.fullmatch(r"[0-9A-Za-z]{22}", oldest["ID"])
    assert oldest["From"] == {"Name": "Admin", "Address": "admin@email.com"}
    assert oldest["To"] == [{"Name": "", "Address": "anna@example.com"}]
    assert [oldest[name] for name in ("Cc", "Bcc", "ReplyTo", "Tags")] == [[], [], [], []]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z", oldest["Created"])
    assert oldest["MessageID"].endswith("@email.com")
    assert (oldest["Read"], oldest["Attachments"], oldest["Username"]) == (False, 0, "")
    assert oldest["Snippet"] == "Hello Follow this link"
    assert newest["Tags"] == found["tags"] == ["shop"]


async def test_a_page_of_messages_is_chosen_by_start_and_limit(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    anna, ben = two

    async def ids(path: str = "/api/v1/messages", **query: Any) -> list[str]:
        return [message["ID"] for message in (await listed(mailpit, path, **query))["messages"]]

    assert await ids(limit=1) == [ben]
    assert await ids(start=1, limit=1) == [anna]
    assert await ids(start=5) == []
    assert await ids(limit=0) == await ids(limit="nonsense", start=-1) == [ben, anna]
    assert await ids("/api/v1/search", query="example.com", start=1) == [anna]
    assert await ids(before="2000-01-01") == []
    assert (await listed(mailpit, start=1))["start"] == 1


async def test_one_message_is_told_whole_and_is_read_from_then_on(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    answer = await mailpit.get(f"/api/v1/message/{two[0]}")
    found = answer.json()
    assert list(found) == MESSAGE
    assert found["HTML"].rstrip() == ANNA.html
    assert found["Text"].replace("\r\n", "\n") == ANNA.text
    assert (found["ReturnPath"], found["Attachments"], found["Inline"]) == ("admin@email.com", [], [])
    assert found["ListUnsubscribe"] == {"Header": "", "Links": [], "Errors": "", "HeaderPost": ""}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found["Date"])
    after = await listed(mailpit)
    assert (after["unread"], after["messages"][1]["Read"]) == (1, True)
    newest = (await mailpit.get("/api/v1/message/latest")).json()
    assert newest["Text"].startswith("Grüße, 654321")
    assert (await mailpit.get("/api/v1/message/latest", params={"query": "to:anna"})).json()["ID"] == two[0]


async def test_headers_and_source_are_those_of_a_mail(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    headers = (await mailpit.get(f"/api/v1/message/{two[0]}/headers")).json()
    assert list(headers) == sorted(headers)
    assert headers["To"] == ["anna@example.com"]
    assert {"Message-Id", "Mime-Version", "Date", "Content-Type", "From", "Subject"} <= set(headers)
    raw = await mailpit.get(f"/api/v1/message/{two[0]}/raw")
    assert raw.headers["content-type"] == "text/plain; charset=utf-8"
    assert b"Subject: Confirm Your Signup\r\n" in raw.content
    assert "content-disposition" not in raw.headers
    saved = await mailpit.get("/api/v1/message/latest/raw", params={"dl": 1})
    assert saved.headers["content-disposition"] == f'attachment; filename="{two[1]}.eml"'
    assert (await listed(mailpit))["unread"] == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("to:anna@example.com", ["Confirm Your Signup"]),
        ("TO:ANNA@EXAMPLE.COM", ["Confirm Your Signup"]),
        ('to:"anna@example.com"', ["Confirm Your Signup"]),
        ("to:example.com", ["Reset", "Confirm Your Signup"]),
        ("to:an_a@example.com", []),
        ("from:admin@email.com", ["Reset", "Confirm Your Signup"]),
        ("cc:anna", []),
        ("addressed:anna", ["Confirm Your Signup"]),
        ('subject:"confirm your"', ["Confirm Your Signup"]),
        ('subject:"your confirm"', []),
        ("confirm your", ["Confirm Your Signup"]),
        ('"your confirm"', []),
        ("http://site/verify", ["Confirm Your Signup"]),
        ("-to:anna@example.com", ["Reset"]),
        ("!subject:Reset", ["Confirm Your Signup"]),
        ("is:unread to:anna", ["Confirm Your Signup"]),
        ("is:read", []),
        ("-is:read", ["Reset", "Confirm Your Signup"]),
        ("tag:shop", ["Reset"]),
        ("-is:tagged", ["Confirm Your Signup"]),
        ("has:attachment", []),
        ("larger:1", ["Reset", "Confirm Your Signup"]),
        ("larger:1mb", []),
        ("smaller:2k subject:Reset", ["Reset"]),
        ("before:2000-01-01", []),
        ("after:2000-01-01", ["Reset", "Confirm Your Signup"]),
        ("after:nonsense", ["Reset", "Confirm Your Signup"]),
        ("to: subject:", ["Reset", "Confirm Your Signup"]),
        ("100%", []),
    ],
)
async def test_a_search_finds_what_mailpits_language_asks_for(
    mailpit: httpx.AsyncClient, two: list[str], query: str, found: list[str]
) -> None:
    assert await subjects(mailpit, query) == found


async def test_a_search_counts_what_it_finds_and_the_mailbox_beside_it(
    mailpit: httpx.AsyncClient, two: list[str]
) -> None:
    await mailpit.get(f"/api/v1/message/{two[0]}")
    found = await listed(mailpit, "/api/v1/search", query="to:anna")
    counts = ("total", "unread", "count", "messages_count", "messages_unread")
    assert [found[name] for name in counts] == [2, 1, 1, 1, 0]
    for query in ({}, {"query": "  "}):
        refused = await mailpit.get("/api/v1/search", params=query)
        assert (refused.status_code, refused.text) == (400, "Error: no search query")
        assert (await mailpit.delete("/api/v1/search", params=query)).status_code == 400
    assert (await listed(mailpit))["total"] == 2


async def test_the_newest_is_the_one_that_came_last_by_the_servers_clock(own_minato: Minato) -> None:
    async with mail_catcher(own_minato.backend) as mailpit:
        for number in range(3):
            own_minato.backend.outbox.add(replace(ANNA, subject=f"{number}"))
            own_minato.backend.clock.advance(timedelta(hours=1))
        found = (await listed(mailpit))["messages"]
        assert [message["Subject"] for message in found] == ["2", "1", "0"]
        moment = found[1]["Created"]
        assert await subjects(mailpit, f"before:{moment}") == ["1", "0"]
        assert await subjects(mailpit, f"-before:{moment}") == ["2"]


async def test_messages_are_marked_by_id_by_search_and_all_at_once(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    async def mark(**body: Any) -> list[bool]:
        answer = await mailpit.put("/api/v1/messages", json=body)
        assert (answer.status_code, answer.text, answer.headers["content-type"]) == (200, "ok", PLAIN)
        return [message["Read"] for message in reversed((await listed(mailpit))["messages"])]

    assert await mark(Read=True, IDs=[two[0], "unknown"]) == [True, False]
    assert await mark(Read=True) == [True, True]
    assert await mark(Read=False, Search="to:anna") == [False, True]
    assert await mark(read=False, ids=[two[1]]) == [False, False]
    both = await mailpit.put("/api/v1/messages", json={"IDs": [two[0]], "Search": "x", "Read": True})
    assert (both.status_code, both.text) == (400, "You may specify either IDs or a search query, not both")


PLAIN = "text/plain; charset=utf-8"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"Read": 1}', b'{"IDs": "all"}', b'{"IDs": [1]}', b"\xff"])
async def test_what_is_no_request_to_mark_is_told_in_plain_text(
    mailpit: httpx.AsyncClient, two: list[str], body: bytes
) -> None:
    refused = await mailpit.put("/api/v1/messages", content=body)
    assert (refused.status_code, refused.headers["content-type"]) == (400, PLAIN)
    assert refused.text
    assert (await listed(mailpit))["unread"] == 2


async def test_messages_are_deleted_by_id_and_by_search(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    answer = await mailpit.request("DELETE", "/api/v1/messages", json={"IDs": [two[0], "unknown"]})
    assert (answer.status_code, answer.text) == (200, "ok")
    assert await subjects(mailpit, "example.com") == ["Reset"]
    assert (await mailpit.get(f"/api/v1/message/{two[0]}")).text == "404 page not found"
    assert (await mailpit.delete("/api/v1/search", params={"query": "to:nobody"})).text == "ok"
    assert (await listed(mailpit))["total"] == 1
    assert (await mailpit.delete("/api/v1/search", params={"query": "to:ben.lee"})).text == "ok"
    assert (await listed(mailpit))["total"] == 0


async def test_ids_in_another_case_delete_those_alone(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    await mailpit.request("DELETE", "/api/v1/messages", json={"ids": [two[1]]})
    assert await subjects(mailpit, "example.com") == ["Confirm Your Signup"]


@pytest.mark.parametrize("body", [b"", b"{}", b'{"IDs": []}', b"nonsense"])
async def test_without_ids_everything_is_deleted(
    minato: Minato, mailpit: httpx.AsyncClient, two: list[str], body: bytes
) -> None:
    assert (await mailpit.request("DELETE", "/api/v1/messages", content=body)).text == "ok"
    assert (await listed(mailpit))["total"] == 0
    assert minato.backend.outbox.find() == []


async def test_what_the_mailbox_page_deletes_is_gone_here_too(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    assert (await mailpit.delete("/_dev/outbox")).status_code == 204
    assert (await listed(mailpit))["total"] == 0
    assert (await mailpit.get(f"/api/v1/message/{two[0]}")).status_code == 404


async def test_mails_are_pages_of_their_html_and_their_text(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    html = await mailpit.get(f"/view/{two[0]}.html")
    assert (html.text.rstrip(), html.headers["content-type"]) == (ANNA.html, "text/html; charset=utf-8")
    policy = html.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-popups" in policy
    assert "allow-scripts" not in policy
    text = await mailpit.get("/view/latest.txt")
    assert (text.text.strip(), text.headers["content-type"]) == ("Grüße, 654321", PLAIN)
    assert (await listed(mailpit))["unread"] == 0
    latest = await mailpit.get("/view/latest")
    assert (latest.status_code, latest.headers["location"]) == (302, f"/view/{two[1]}")
    for missing in ("/view/unknown.html", "/view/unknown.txt"):
        answer = await mailpit.get(missing)
        assert (answer.status_code, answer.text) == (404, "Message not found")


async def test_the_address_itself_opens_the_mailbox(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    page = await mailpit.get("/", follow_redirects=True)
    assert (page.status_code, page.url.path) == (200, "/_dev/mailbox")
    assert "<title>Mailbox" in page.text
    assert len((await mailpit.get("/_dev/outbox")).json()) == 2


async def test_a_program_leaves_a_message_by_json(mailpit: httpx.AsyncClient) -> None:
    sent = {
        "From": {"Name": "Shop", "Email": "shop@example.com"},
        "To": [{"Name": "Anna Lee", "Email": "anna@example.com"}],
        "Cc": [{"email": "cc@example.com"}],
        "Bcc": ["bcc@example.com"],
        "Subject": "Grüße",
        "HTML": '<p>See <img src="cid:logo"></p>',
        "Tags": ["invoice"],
        "Headers": {"X-Shop": "1"},
        "Attachments": [
            {"Content": "data:text/plain;base64,aGVsbG8=", "Filename": "a b.txt", "ContentType": "text/plain"},
            {"Content": "iVBORw0KGgo=", "Filename": "logo.png", "ContentType": "image/png", "ContentID": "logo"},
        ],
    }
    kept = await mailpit.post("/api/v1/send", json=sent)
    assert kept.status_code == 200, kept.text
    found = (await mailpit.get(f"/api/v1/message/{kept.json()['ID']}")).json()
    assert found["From"] == {"Name": "Shop", "Address": "shop@example.com"}
    assert found["To"] == [{"Name": "Anna Lee", "Address": "anna@example.com"}]
    assert [found[name][0]["Address"] for name in ("Cc", "Bcc")] == ["cc@example.com", "bcc@example.com"]
    assert (found["Subject"], found["Tags"], found["Text"].strip()) == ("Grüße", ["invoice"], "See")
    attached, inline = found["Attachments"][0], found["Inline"][0]
    assert (attached["FileName"], attached["Size"], inline["ContentID"]) == ("a b.txt", 5, "logo")
    assert attached["Checksums"]["MD5"] == "5d41402abc4b2a76b9719d911017c592"
    part = await mailpit.get(f"/api/v1/message/latest/part/{attached['PartID']}")
    assert (part.text, part.headers["content-type"]) == ("hello", PLAIN)
    assert part.headers["content-disposition"] == 'inline; filename="a%20b.txt"'
    assert "sandbox" in part.headers["content-security-policy"]
    assert (await mailpit.get("/api/v1/message/latest/part/9")).status_code == 404
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in (await mailpit.get("/view/latest.html")).text
    assert await subjects(mailpit, "has:attachment tag:invoice cc:cc@ bcc:bcc@") == ["Grüße"]
    assert (await mailpit.get("/_dev/outbox")).json()[0]["to"] == "anna@example.com"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"From": {"Email": "no address"}}, "invalid From address: no address"),
        ({"From": {"Email": "a@b.c"}, "To": [{"Email": "x y"}]}, "invalid To address: x y"),
        ({"From": {"Email": "a@b.c"}, "Headers": {"subject": "x"}}, 'cannot overwrite header: "subject"'),
        ({"From": {"Email": "a@b.c"}, "Headers": {"X-A": "1\r\nBcc: x@y.z"}}, "error building message"),
        ({"From": {"Email": "a@b.c"}, "Attachments": [{"Content": "?", "Filename": "f"}]}, "error decoding base64"),
        ({"From": {"Email": "a@b.c"}, "To": "x"}, "json: cannot unmarshal"),
        ([], "json: cannot unmarshal"),
    ],
)
async def test_what_is_no_message_is_refused_as_json(mailpit: httpx.AsyncClient, body: Any, said: str) -> None:
    refused = await mailpit.post("/api/v1/send", json=body)
    assert refused.status_code == 400
    assert refused.json()["Error"].startswith(said)
    assert (await listed(mailpit))["total"] == 0


async def test_tags_are_set_and_told(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    assert (await mailpit.get("/api/v1/tags")).json() == ["shop"]
    assert (await mailpit.put("/api/v1/tags", json={"IDs": [two[0]], "Tags": ["b  x", "a", "A", "<>"]})).text == "ok"
    assert (await mailpit.get("/api/v1/tags")).json() == ["a", "b x", "shop"]
    assert await subjects(mailpit, 'tag:"b x"') == ["Confirm Your Signup"]


async def test_the_server_tells_that_it_is_there(mailpit: httpx.AsyncClient, two: list[str]) -> None:
    assert [(await mailpit.get(path)).status_code for path in ("/livez", "/readyz")] == [200, 200]
    info = (await mailpit.get("/api/v1/info")).json()
    assert (info["Messages"], info["Unread"], info["Tags"], info["LatestVersion"]) == (2, 2, {"shop": 1}, "disabled")
    assert info["Version"].startswith("minato ")
    assert (await mailpit.get("/api/v1/webui")).json()["MessageRelay"]["Enabled"] is False


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/message/unknown", 404),
        # Mailpit deletes by IDs in a body alone.
        ("DELETE", "/api/v1/message/latest", 405),
        ("GET", "/api/v1/message/unknown/raw", 404),
        ("GET", "/api/v1/message/unknown/html-check", 404),
        ("GET", "/api/v1/message/%00/headers", 404),
        ("POST", "/api/v1/messages", 405),
        ("OPTIONS", "/api/v1/messages", 200),
    ],
)
async def test_other_paths_get_a_line_of_text(mailpit: httpx.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await mailpit.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PLAIN)
    if status == 404:
        assert answer.text == "404 page not found"


async def test_a_mail_with_a_broken_header_breaks_nothing(minato: Minato, mailpit: httpx.AsyncClient) -> None:
    minato.backend.outbox.add(replace(ANNA, subject="two\nlines", to="ü@example.com"))
    headers = [
        b"From: =?nonsense?b?!!?= <a@",
        b"To: \xff, <<>>",
        b"Date: never",
        b"Content-Type: text/x; charset=x",
    ]
    minato.backend.outbox.add(replace(ANNA, source=b"\r\n".join([*headers, b"", b"h\xff"])))
    newest, other = (await listed(mailpit))["messages"]
    assert other["Subject"] == "two lines"
    assert other["To"][0]["Address"] == "ü@example.com"
    assert (await mailpit.get(f"/api/v1/message/{newest['ID']}")).status_code == 200
    for path in ("headers", "raw"):
        assert (await mailpit.get(f"/api/v1/message/{newest['ID']}/{path}")).status_code == 200
    assert await subjects(mailpit, "to:ü@example.com") == ["two lines"]
