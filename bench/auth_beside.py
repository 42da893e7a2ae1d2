"""Auth beside a GoTrue on a database of its own in the same PostgreSQL, with ten open connections: both take turns.

wrk drives both alike: it costs a tenth of what a client in Python does, on processors that they all share.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import httpx
import psutil

from bench.load import RESULT, require_wrk
from bench.servers import Server, gotrue

PASSWORD = "correct horse"
DATABASE = "gotrue"

# `take` and `give` hand the tokens round: a connection asks with one that no other is asking with.
LUA = """
local tokens, number = {tokens}, 0
local base = "{prefix}"
local function take() return table.remove(tokens, 1) or "none" end
request = function()
  number = number + 1
  {ask}
end
response = function(status, headers, body)
  {hear}
end
"""
JSON = 'wrk.headers["content-type"] = "application/json"\n'
ASK = {
    "GET /user": """return wrk.format("GET", base .. "/user",
    {["authorization"] = "Bearer " .. tokens[number % #tokens + 1]})""",
    "refresh": """return wrk.format("POST", base .. "/token?grant_type=refresh_token", nil,
    '{"refresh_token":"' .. take() .. '"}')""",
    "sign in": """return wrk.format("POST", base .. "/token?grant_type=password", nil,
    '{"email":"' .. tokens[number % #tokens + 1] .. '","password":"PASSWORD"}')""",
    "sign up": """return wrk.format("POST", base .. "/signup", nil,
    '{"email":"' .. tokens[1] .. number .. '@example.com","password":"PASSWORD"}')""",
}
HEAR = {"refresh": """table.insert(tokens, string.match(body, '"refresh_token":"([^"]+)"'))"""}
CASES = tuple(ASK)


@dataclass(frozen=True)
class Turn:
    """Requests per second, median latency, failures; processor time a request of the server and of PostgreSQL."""

    per_second: float
    p50_ms: float
    errors: int
    cpu_ms: float
    postgres_ms: float


@dataclass(frozen=True)
class Place:
    """One of the two: where it listens, its process, and the PostgreSQL that both ask."""

    base: str
    server: Server
    postgres: psutil.Process

    def spent(self) -> tuple[float, float]:
        """Seconds of processor time that the server and PostgreSQL have used."""
        ended = self.postgres.cpu_times()
        backends = ended.children_user + ended.children_system + sum(map(_seconds, self.postgres.children()))
        return self.server.cpu_seconds(), backends


def measure_beside(
    server: Server, binary: Path, connections: int, seconds: int, rounds: int, only: list[int] | None = None
) -> dict[str, Any]:
    """The medians of `rounds` for each case, of Minato and of the GoTrue executable `binary`."""
    url = asyncio.run(_database(server.info["db_url"]))
    with gotrue(binary, url, server.info["jwt_secret"], connections) as reference:
        postgres = _postgres(server)
        places = {
            "minato": Place(server.base.removesuffix("/rest/v1") + "/auth/v1", server, postgres),
            "gotrue": Place(reference.base, reference, postgres),
        }
        figures = {}
        for case in [CASES[number - 1] for number in only] if only else CASES:
            turns = [_round(places, case, connections, seconds, number) for number in range(rounds)]
            figures[case] = {name: median([turn[name] for turn in turns]) for name in places}
            print(describe(case, figures[case]), flush=True)
        return figures


def _round(places: dict[str, Place], case: str, connections: int, seconds: int, number: int) -> dict[str, Turn]:
    return {name: take_turn(place, case, connections, seconds, f"{name}{number}") for name, place in places.items()}


def take_turn(place: Place, case: str, connections: int, seconds: int, name: str) -> Turn:
    """One case at one of the two."""
    script = _lua(place, case, _tokens(place, case, connections, name))
    before = place.spent()
    result = _wrk(place, script, connections, seconds)
    spent = [after - start for start, after in zip(before, place.spent(), strict=True)]
    asked = max(result["requests"], 1)
    cpu, postgres = (each / asked * 1000 for each in spent)
    return Turn(asked / (result["us"] / 1e6), result["p50"] / 1000, result["errors"], cpu, postgres)


def median(turns: list[Turn]) -> dict[str, float]:
    return {name: statistics.median(asdict(turn)[name] for turn in turns) for name in asdict(turns[0])}


def describe(case: str, legs: dict[str, dict[str, float]]) -> str:
    """A line: rates, processor times, and their ratios."""
    own, other = legs["minato"], legs["gotrue"]
    told = [
        f"{name} {leg['per_second']:7.1f}/s p50 {leg['p50_ms']:6.1f} ms CPU {leg['cpu_ms']:.2f} +"
        f" {leg['postgres_ms']:.2f} ms errors {leg['errors']:.0f}"
        for name, leg in legs.items()
    ]
    by_cpu = (other["cpu_ms"] + other["postgres_ms"]) / (own["cpu_ms"] + own["postgres_ms"])
    ratio = own["per_second"] / max(other["per_second"], 0.1)
    return f"{case:10} {'  '.join(told)}  x{ratio:.2f} of gotrue, x{by_cpu:.2f} by CPU"


def _tokens(place: Place, case: str, connections: int, name: str) -> list[str]:
    """What the connections ask with: access tokens, refresh tokens, addresses, or the beginning of new ones."""
    # wrk asks once for its own sake, and a refused refresh brings no token: some more than there are connections.
    emails = [f"bench{number % connections}@example.com" for number in range(connections + 2)]
    if case == "sign up":
        return [name]
    with httpx.Client(base_url=place.base, timeout=30) as client:
        sessions = [_session(client, email) for email in emails]
    if case == "sign in":
        return emails
    return [session["refresh_token" if case == "refresh" else "access_token"] for session in sessions]


def _session(client: httpx.Client, email: str) -> dict[str, Any]:
    given = {"email": email, "password": PASSWORD}
    answer = client.post("/token?grant_type=password", json=given)
    if answer.status_code == 400:
        answer = client.post("/signup", json=given)
    answer.raise_for_status()
    session: dict[str, Any] = answer.json()
    return session


def _lua(place: Place, case: str, tokens: Iterable[str]) -> str:
    listed = "{" + ",".join(json.dumps(token) for token in tokens) + "}"
    script = JSON + LUA.replace("{tokens}", listed).replace("{prefix}", urlsplit(place.base).path)
    return script.replace("{ask}", ASK[case].replace("PASSWORD", PASSWORD)).replace("{hear}", HEAR.get(case, ""))


def _wrk(place: Place, script: str, connections: int, seconds: int) -> dict[str, int]:
    parts = urlsplit(place.base)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script + RESULT)
        file.flush()
        command = [require_wrk(), "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", file.name]
        output = subprocess.run(
            [*command, f"{parts.scheme}://{parts.netloc}"], capture_output=True, text=True, check=True
        ).stdout
    result: dict[str, int] = json.loads(output.rpartition("RESULT ")[2])
    return result


def _postgres(server: Server) -> psutil.Process:
    """The postmaster of the server under test."""
    found = (each for each in psutil.Process(server.process.pid).children(recursive=True) if each.name() == "postgres")
    return next(each for each in found if _parent_name(each) != "postgres")


def _parent_name(process: psutil.Process) -> str:
    parent = process.parent()
    return parent.name() if parent else ""


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


async def _database(url: str) -> str:
    """The URL of an empty database beside Minato's, with the schema that GoTrue expects."""
    parts = urlsplit(url)
    inner = parts._replace(path=f"/{DATABASE}").geturl()
    for place, statement in ((url, f"create database {DATABASE}"), (inner, "create schema auth")):
        owner = await asyncpg.connect(place)
        try:
            await owner.execute(statement)
        finally:
            await owner.close()
    return f"{inner}?search_path=auth"
