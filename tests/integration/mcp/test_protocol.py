"""The protocol itself, in both eras; the doors; and the judge: the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.integration.mcp.conftest import Assistant
from tests.support.types_judge import FOLDER, LIMIT

NEW = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": NEW, "io.modelcontextprotocol/clientCapabilities": {}}


def stateless(method: str, name: str | None = None) -> dict[str, str]:
    named = {"mcp-name": name} if name is not None else {}
    return {"mcp-protocol-version": NEW, "mcp-method": method, **named}


@pytest.mark.parametrize(
    ("asked", "told"),
    [("2025-11-25", "2025-11-25"), ("2025-03-26", "2025-03-26"), ("1999-01-01", "2025-11-25"), (NEW, "2025-11-25")],
)
async def test_a_version_is_agreed_on(assistant: Assistant, asked: str, told: str) -> None:
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    result = (await assistant.rpc("initialize", params))["result"]
    assert result["protocolVersion"] == told
    assert result["capabilities"] == {"tools": {"listChanged": False}}
    assert result["serverInfo"]["name"] == "minato"
    assert (await assistant.rpc("ping"))["result"] == {}


async def test_what_wants_no_answer_gets_none(assistant: Assistant) -> None:
    for message in ({"method": "notifications/initialized"}, {"id": 1, "result": {}}):
        answer = await assistant.send({"jsonrpc": "2.0", **message})
        assert (answer.status_code, answer.content) == (202, b"")


async def test_the_stateless_era_says_all_with_each_request(assistant: Assistant) -> None:
    found = (await assistant.rpc("server/discover", {"_meta": META}, **stateless("server/discover")))["result"]
    assert found["supportedVersions"][0] == NEW
    assert found["resultType"] == "complete"
    listed = (await assistant.rpc("tools/list", {"_meta": META}, **stateless("tools/list")))["result"]
    assert (listed["ttlMs"], listed["cacheScope"]) == (0, "private")
    params = {"name": "get_project_url", "arguments": {}, "_meta": META}
    called = await assistant.rpc("tools/call", params, **stateless("tools/call", "get_project_url"))
    assert called["result"]["resultType"] == "complete"


@pytest.mark.parametrize(
    ("params", "headers", "code"),
    [
        ({}, stateless("tools/list"), -32602),
        ({"_meta": META}, {"mcp-protocol-version": "2025-11-25", "mcp-method": "tools/list"}, -32020),
        ({"_meta": META}, {"mcp-protocol-version": NEW, "mcp-method": "tools/call"}, -32020),
        (
            {"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}},
            {"mcp-protocol-version": "2030-01-01", "mcp-method": "tools/list"},
            -32022,
        ),
        ({}, {"mcp-protocol-version": "2030-01-01"}, -32600),
    ],
)
async def test_a_request_that_disagrees_with_itself_is_refused(
    assistant: Assistant, params: dict[str, Any], headers: dict[str, str], code: int
) -> None:
    answer = await assistant.send({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": params}, **headers)
    assert (answer.status_code, answer.json()["error"]["code"], answer.json()["id"]) == (400, code, 7)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff", -32700),
        (b"3", -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "drop"}}', -32602),
    ],
)
async def test_what_is_no_request_is_refused_by_its_code(assistant: Assistant, body: bytes, code: int) -> None:
    answer = await assistant.send(body)
    assert answer.status_code < 500
    assert answer.json()["error"]["code"] == code


async def test_arguments_that_do_not_fit_are_told_to_the_assistant(assistant: Assistant) -> None:
    told = await assistant.call("execute_sql")
    assert "query: Field required" in told["error"]["message"]
    answer = await assistant.rpc("tools/call", {"name": "execute_sql", "arguments": "x"})
    assert answer["result"]["isError"] is True


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("execute_sql", {"query": "select '\0'"}),
        ("apply_migration", {"name": "x", "query": "select '\0'"}),
        ("invoke_function", {"function_slug": "hello/\n"}),
        ("invoke_function", {"function_slug": "h" * 100_000}),
        ("why", {"path": "no path"}),
        ("get_edge_function", {"function_slug": "../../.."}),
        ("delete_branch", {"branch_id": "../x"}),
        ("create_branch", {"name": "no name"}),
        ("list_tables", {"project_id": 5}),
        ("list_tables", {"project_id": ["x"]}),
        ("list_messages", {"to": "ä &=%", "wait": 31}),
        ("add_fault", {"rule": {"where": "nowhere"}}),
        ("execute_sql", {"query": "-- nothing"}),
    ],
)
async def test_whatever_an_assistant_makes_up_is_refused_in_words(
    assistant: Assistant, tool: str, arguments: dict[str, Any]
) -> None:
    answer = await assistant.rpc("tools/call", {"name": tool, "arguments": arguments})
    assert answer["result"]["isError"] is True, answer


async def test_several_messages_in_one_are_of_the_oldest_version_alone(assistant: Assistant) -> None:
    both = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (1, 2)]
    assert [each["id"] for each in (await assistant.send(both)).json()] == [1, 2]
    refused = await assistant.send(both, **{"mcp-protocol-version": "2025-11-25"})
    assert refused.status_code == 400


async def test_there_is_nothing_but_post(assistant: Assistant) -> None:
    async with httpx.AsyncClient() as client:
        for method in ("GET", "DELETE", "OPTIONS", "PUT"):
            answer = await client.request(method, assistant.url)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"origin": "https://evil.example"}, "wrong_origin"),
        ({"origin": "null"}, "wrong_origin"),
        ({"host": "evil.example"}, "wrong_host"),
        ({"x-forwarded-for": "10.0.0.1"}, "not_local"),
        ({"sec-fetch-site": "cross-site"}, "wrong_origin"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "/b/any"])
async def test_the_doors_are_those_of_the_developers_pages(
    assistant: Assistant, headers: dict[str, str], code: str, prefix: str
) -> None:
    answer = await replace(assistant, prefix=prefix).send({"jsonrpc": "2.0", "id": 1, "method": "ping"}, **headers)
    assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert "access-control-allow-origin" not in answer.headers


async def test_a_form_of_a_page_is_no_request(assistant: Assistant) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        assert (await assistant.send(message, **{"content-type": kind})).status_code == 400


async def test_the_protocols_own_client_is_satisfied(assistant: Assistant) -> None:
    assert (FOLDER / "node_modules").exists(), "the judges are not installed: run make .state/judges"
    calls = [["list_tables", {}], ["execute_sql", {"query": "select 6 * 7 as answer"}], ["execute_sql", {"query": "x"}]]
    asked = json.dumps({"url": assistant.url, "headers": {}, "calls": calls})

    def judge() -> subprocess.CompletedProcess[str]:
        program = ["node", "mcp_client.mjs"]
        return subprocess.run(
            program, cwd=FOLDER, input=asked, capture_output=True, text=True, timeout=LIMIT, check=False
        )

    ended = await asyncio.to_thread(judge)
    assert ended.returncode == 0, ended.stderr
    heard = json.loads(ended.stdout)
    assert heard["server"]["name"] == "minato"
    assert {"list_tables", "execute_sql", "why"} <= {tool["name"] for tool in heard["tools"]}
    tables, answer, refused = heard["results"]
    assert "public.cars" in tables["content"][0]["text"]
    assert "answer" in answer["content"][0]["text"]
    assert refused["isError"] is True
