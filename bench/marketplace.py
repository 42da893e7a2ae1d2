"""Search of offers and requests as members ask it, with 50 offers and with 100,000, in the database and over HTTP."""

from __future__ import annotations

import asyncio
import hashlib
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import httpx
import psutil

from bench.servers import Server, minato

SIZES = (50, 100_000)
ROUNDS = 40
CLIENTS = 16
ASKED = 160
PAGE_LIMIT_MS, FACETS_LIMIT_MS, PAGE_LIMIT_KB = 60, 200, 40

Search = dict[str, Any]
Figures = dict[str, dict[str, float]]
# What people do: the function and the search.
CALLS: dict[str, tuple[str, Search]] = {
    "first page": ("search_offers", {}),
    "a page far behind": ("search_offers", {"cursor": 20}),
    "a make, cheapest first": ("search_offers", {"make": "toyota", "sort": "price"}),
    "SUVs under 15,000, diesel": ("search_offers", {"body": "suv", "fuel": "diesel", "price": "-15000"}),
    "few cars of many choices": (
        "search_offers",
        {"body": "bus", "fuel": "electric", "gearbox": "manual", "drive": "awd", "colour": "green", "sort": "price"},
    ),
    "a place with no car": ("search_offers", {"location": "nowhere"}),
    "two words": ("search_offers", {"q": "toyota aqua"}),
    "a rare word": ("search_offers", {"q": "volvo elf bus"}),
    "a mistyped word": ("search_offers", {"q": "toyoat"}),
    "whom I follow": ("search_offers", {"followed": "1"}),
    "what I saved": ("search_offers", {"saved": "1"}),
    "count of all": ("count_offers", {}),
    "count of some": ("count_offers", {"make": "toyota", "price": "-15000"}),
    "facets of all": ("offer_facets", {}),
    "facets of some": ("offer_facets", {"make": "toyota", "price": "-15000"}),
    "facets of a frequent word": ("offer_facets", {"q": "owner"}),
    "own requests": ("search_requests", {"mine": "1"}),
    "requests, as an importer": ("search_requests", {}),
    "count of own requests": ("count_requests", {"mine": "1"}),
    "open requests": ("search_requests", {"status": "active"}),
    "open requests far behind": ("search_requests", {"status": "active", "cursor": 20}),
    "open requests of a country": ("search_requests", {"status": "active", "country": "ke", "make": "toyota"}),
    "a text no request has": ("search_requests", {"status": "active", "q": "volvo elf bus"}),
    "count of open requests": ("count_requests", {"status": "active", "make": "toyota"}),
}
# As the screens of messages, agents and reviews ask: {me} is the person with most messages, {other} the one they wrote
# most with.
PEOPLE_OF = ",".join(
    f"{side}:profiles!messages_{side}_id_fkey(full_name,avatar_url,country)" for side in ("sender", "receiver")
)
OWN = "or=(sender_id.eq.{me},receiver_id.eq.{me})"
NEWEST = "order=created_at.desc,id.asc&limit=51"
THREAD = "or=(and(sender_id.eq.{me},receiver_id.eq.{other}),and(sender_id.eq.{other},receiver_id.eq.{me}))"
LAST_ONES = f"select=*,{PEOPLE_OF},conversation!inner(unread,last_at,last_message_id)"
LATEST = "order=conversation(last_at).desc,conversation(last_message_id).asc&limit=51"
FAR = "conversation.last_at=lte.{far}"
MESSAGES = {
    "conversations": f"/messages?{LAST_ONES}&{OWN}&{LATEST}",
    "conversations far behind": f"/messages?{LAST_ONES}&{OWN}&{FAR}&{LATEST}",
    "conversations with a text": f"/rpc/search_conversations?q=there&{LAST_ONES}&{LATEST}",
    "a thread of 10,000": f"/messages?select=*&{THREAD}&{NEWEST}",
    "written since": f"/messages?select=*,{PEOPLE_OF}&{OWN}&created_at=gte.{{since}}&{NEWEST}",
    "unread": "/messages?select=id&receiver_id=eq.{me}&is_read=is.false&limit=0",
    "directory": "/rpc/agent_directory?p_limit=7",
    "reviews": "/reviews?select=*,reviewer:profiles!reviews_reviewer_id_fkey(full_name)&reviewed_id=eq.{agent}&"
    + NEWEST,
    "stars of reviews": "/rpc/review_figures?p_member={agent}",
}
# Asked by an agent; all others by an importer.
OF_AGENTS = {name for name in CALLS if "open requests" in name} | {"a text no request has"}
PEOPLE = {"importer": "bench1", "agent": "bench10"}


def measure_marketplace(folder: Path, offers_only: bool = False) -> dict[str, Any]:
    """Per number of offers: seconds to fill, and per call milliseconds and bytes."""
    with minato(folder, {"PGRST_SERVER_TIMING_ENABLED": "true"}) as server:
        return {str(size): asyncio.run(_measure(server, size, offers_only)) for size in SIZES}


async def _measure(server: Server, size: int, offers_only: bool) -> dict[str, Any]:
    db = await asyncpg.connect(server.info["db_url"])
    try:
        filled = await fill_marketplace(db, size, offers_only)
        within: Figures = {}
        over_http: Figures = {}
        messages: dict[str, Figures] = {}
        for kind in PEOPLE:
            claims = await _act_as(db, kind)
            asked = {name: call for name, call in CALLS.items() if (name in OF_AGENTS) == (kind == "agent")}
            calls = {name: (call, await _placed(db, call, search)) for name, (call, search) in asked.items()}
            within |= {name: await _in_database(db, *call) for name, call in calls.items()}
            over_http |= await _over_http(server, claims, calls)
            if kind == "importer" and not offers_only:
                messages = await _messages(db, server, claims)
    finally:
        await db.close()
    return {"fill_s": filled, "database": within, "http": over_http, "messages": messages}


def claims_of(kind: str) -> Search:
    """Of somebody whom the filling makes: its ids are hashes of names."""
    person = str(UUID(hashlib.md5(PEOPLE[kind].encode(), usedforsecurity=False).hexdigest()))
    return {"sub": person, "role": "authenticated", "aud": "authenticated", "exp": int(time.time()) + 3600}


def token_of(server: Server, claims: Search) -> str:
    from minato.tokens.keys import KeySet, secret_key

    return KeySet([secret_key(server.info["jwt_secret"])]).sign(claims)


async def _act_as(db: asyncpg.Connection, kind: str) -> Search:
    """The claims of the person, whom the connection stands for from then on."""
    await db.execute("reset role")
    claims = claims_of(kind)
    await db.execute("select set_config('request.jwt.claims', $1, false)", json.dumps(claims))
    await db.execute("set role authenticated")
    return claims


async def fill_marketplace(db: asyncpg.Connection, size: int, offers_only: bool) -> float:
    """Seconds it took. Statement by statement, for a vacuum is no part of a transaction."""
    began = time.perf_counter()
    await db.execute("delete from agent_posts")
    await db.execute("select set_config('bench.offers', $1, false)", str(size))
    await db.execute("select set_config('bench.beside', $1, false)", "0" if offers_only else "1")
    text = Path(__file__).with_suffix(".sql").read_text()
    rows, vacuum = text.rsplit("vacuum", 1)
    await db.execute(rows)
    await db.execute(f"vacuum{vacuum}")
    # As pg_cron does each minute, here before the first call as well.
    await db.execute("select private.keep_facets()")
    return time.perf_counter() - began


async def _placed(db: asyncpg.Connection, call: str, search: Search) -> Search:
    """The search with the cursor behind so many pages as it says."""
    placed = {key: value for key, value in search.items() if key != "cursor"}
    for _ in range(search.get("cursor", 0)):
        rows = await db.fetch(f"select cursor from {call}($1)", json.dumps(placed))
        if rows:
            placed["cursor"] = rows[-1]["cursor"]
    return placed


async def _in_database(db: asyncpg.Connection, call: str, search: Search) -> dict[str, float]:
    statement = f"select * from {call}($1)"

    async def ask() -> int:
        return len(await db.fetch(statement, json.dumps(search)))

    backend = psutil.Process(db.get_server_pid())
    before = backend.cpu_times()
    asked = [await timed(ask) for _ in range(ROUNDS)]
    after = backend.cpu_times()
    used = after.user - before.user + after.system - before.system
    # Of this backend alone, which on a busy machine says more than how long it took.
    return percentiles(asked) | {"least": min(ms for ms, _ in asked), "processor": 1000 * used / ROUNDS}


async def _over_http(server: Server, claims: Search, calls: dict[str, tuple[str, Search]]) -> Figures:
    async with _client(server, claims) as client:
        return {
            name: await _by_clients(client, "POST", f"/rpc/{call}", {"p": search})
            for name, (call, search) in calls.items()
        }


def _client(server: Server, claims: Search) -> httpx.AsyncClient:
    headers = {"apikey": server.info["anon_key"], "authorization": f"Bearer {token_of(server, claims)}"}
    return httpx.AsyncClient(base_url=server.base, headers=headers, timeout=60)


async def _messages(db: asyncpg.Connection, server: Server, claims: Search) -> dict[str, Figures]:
    """They are reads of a table, whose statement is the server's: so it tells how long the database took, with the way
    there and back, once sixteen callers have let PostgreSQL plan for anybody."""
    far, since = await db.fetchrow(
        "select min(last_at) + (max(last_at) - min(last_at)) / 10, max(last_at) - interval '10 s' from conversations"
    )
    known = {
        "agent": claims_of("agent")["sub"],
        "me": claims["sub"],
        "other": await db.fetchval("select md5('bench2')::uuid::text"),
    }
    known |= {"far": f"{far:%Y-%m-%dT%H:%M:%SZ}", "since": f"{since:%Y-%m-%dT%H:%M:%SZ}"}
    paths = {name: path.format(**known) for name, path in MESSAGES.items()}
    async with _client(server, claims) as client:
        over_http = {name: await _by_clients(client, "GET", path) for name, path in paths.items()}
        within = {name: await _in_transaction(client, path) for name, path in paths.items()}
    return {"http": over_http, "database": within}


async def _in_transaction(client: httpx.AsyncClient, path: str) -> dict[str, float]:
    async def ask() -> tuple[float, int]:
        answer = await client.get(path)
        answer.raise_for_status()
        stages = dict(stage.split(";dur=") for stage in answer.headers["server-timing"].split(", "))
        return float(stages["transaction"]), len(answer.content)

    return percentiles([await ask() for _ in range(ROUNDS)])


async def _by_clients(
    client: httpx.AsyncClient, method: str, path: str, body: dict[str, Search] | None = None
) -> dict[str, float]:
    async def ask() -> int:
        answer = await client.request(method, path, json=body)
        answer.raise_for_status()
        return len(answer.content)

    async def one() -> list[tuple[float, int]]:
        return [await timed(ask) for _ in range(ASKED // CLIENTS)]

    return percentiles(
        [took for took_by_one in await asyncio.gather(*(one() for _ in range(CLIENTS))) for took in took_by_one]
    )


async def timed(ask: Callable[[], Awaitable[int]]) -> tuple[float, int]:
    """Milliseconds, and what was answered: rows or bytes."""
    began = time.perf_counter()
    size = await ask()
    return 1000 * (time.perf_counter() - began), size


def percentiles(asked: list[tuple[float, int]]) -> dict[str, float]:
    took = statistics.quantiles([ms for ms, _ in asked], n=20, method="inclusive")
    return {"p50": took[9], "p95": took[18], "size": max(size for _, size in asked)}


def describe_marketplace(figures: dict[str, Any]) -> list[str]:
    """A line for each call: the small marketplace beside the large one, and whether the aims are kept."""
    small, large = (figures[str(size)] for size in SIZES)
    lines = [f"filled with {size:,} offers in {figures[str(size)]['fill_s']:.0f} s" for size in SIZES]
    lines.append(
        f"{'p50 / p95 in ms':28} database, 50   database, 100,000   http, 50        http, 100,000   kB"
        "      least, processor"
    )
    for name in CALLS:
        cells = [
            f"{part[where][name]['p50']:6.1f} /{part[where][name]['p95']:6.1f}"
            for where in ("database", "http")
            for part in (small, large)
        ]
        of_one = large["database"][name]
        alone = f"{of_one['least']:6.1f} /{of_one['processor']:6.1f}"
        lines.append(f"{name:28} {'   '.join(cells)}   {large['http'][name]['size'] / 1000:5.1f}   {alone}")
    for name in large["messages"].get("http", {}):
        told = [part["messages"][where][name] for where in ("database", "http") for part in (small, large)]
        cells = "   ".join(f"{of['p50']:6.1f} /{of['p95']:6.1f}" for of in told)
        lines.append(f"{name:28} {cells}   {told[-1]['size'] / 1000:5.1f}")
    return [*lines, *_aims(large)]


def _aims(large: dict[str, Any]) -> list[str]:
    def slowest(calls: set[str], figure: str = "p95") -> float:
        return max(float(of[figure]) for name, of in large["database"].items() if CALLS[name][0] in calls)

    pages = {"search_offers", "search_requests"}
    of_people = [of["p95"] for of in large["messages"].get("database", {}).values()]
    page, facets = max(slowest(pages), *of_people), slowest({"offer_facets"})
    size = max(of["size"] for name, of in large["http"].items() if CALLS[name][0] == "search_offers") / 1000
    aims = (
        ("page", page, PAGE_LIMIT_MS, "ms"),
        ("page, processor", slowest(pages, "processor"), PAGE_LIMIT_MS, "ms"),
        ("facets", facets, FACETS_LIMIT_MS, "ms"),
        ("facets, processor", slowest({"offer_facets"}, "processor"), FACETS_LIMIT_MS, "ms"),
        ("page", size, PAGE_LIMIT_KB, "kB"),
    )
    return [
        f"{name}: {found:.0f} {unit}, aim {aim} {unit}: {'kept' if found <= aim else 'missed'}"
        for name, found, aim, unit in aims
    ]
