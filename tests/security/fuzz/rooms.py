"""What each room is asked: something that makes sense, spoiled here and there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

from minato.auth.routes import ROUTES

from tests.security.fuzz.values import mutated, some, text, value

ID = "8c4b3a10-0000-4000-8000-000000000001"
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]


@dataclass(frozen=True)
class Call:
    """One request. `caller` names a token of the driver's."""

    method: str
    target: bytes
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    caller: str = "anon"


@dataclass(frozen=True)
class Frame:
    """One frame of a websocket."""

    content: str | bytes


Input = Call | Frame
KNOWN = {
    "profiles": ["user_id", "full_name", "city", "created_at"],
    "agent_posts": ["id", "agent_id", "description", "created_at", "features", "specifications"],
    "reviews": ["id", "reviewed_id", "reviewer_id", "rating", "comment", "created_at"],
    "messages": ["id", "sender_id", "receiver_id", "created_at"],
    "follows": ["follower_id", "following_id", "created_at"],
    "support_tickets": ["id", "category", "created_at"],
    "rpc/public_config": ["a"],
    "nothing": ["id"],
    "": ["a"],
}
TABLES = list(KNOWN)
OPERATORS = [
    *("eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch", "in", "is", "isdistinct"),
    *("fts", "plfts", "phfts", "wfts", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj", "not.eq"),
    *("like(any)", "eq(all)"),
]
RPCS = ["public_config", "submit_agent_verification", "admin_set_account_type", "nothing"]


def rest(random: Random) -> Call:
    """The data API."""
    table = random.choices(TABLES, [5, 5, 5, 3, 3, 3, 2, 1, 1])[0]
    parts = [_rest_parameter(random, KNOWN[table]) for _ in range(random.choice((0, 1, 1, 2, 4)))]
    headers = {
        "prefer": ["count=exact", "count=planned", "return=representation", "resolution=merge-duplicates"],
        "accept": ["application/json", "text/csv", "application/vnd.pgrst.object+json", "application/geo+json", "*/*"],
        "content-type": ["application/json", "text/csv", "application/x-www-form-urlencoded", "text/plain"],
        "range": ["0-1", "5-", "-5", "1-0"],
        "accept-profile": ["public", "auth"],
        "content-profile": ["public", "storage"],
    }
    rows: Any = some(random, {name: ["1", 1, None, ID] for name in KNOWN[table]})
    body = json.dumps(rows if random.random() < 0.5 else [rows, value(random)]).encode()
    return _call(random, f"/rest/v1/{table}?{'&'.join(parts)}", headers, body)


def _rest_parameter(random: Random, columns: list[str]) -> str:
    column = random.choice(columns) if random.random() < 0.9 else _quoted(random, text(random))
    operand = _quoted(random, random.choice(["1", ID, "a", "2026-01-01"]) if random.random() < 0.4 else text(random))
    return random.choice(
        [
            f"{column}={random.choice(OPERATORS)}.{operand}",
            f"{column}={random.choice(('eq', 'in', 'is', 'not.eq', 'gt'))}.{operand}",
            f"select={column},{random.choice(TABLES)}({operand})",
            f"select=*,reviews!reviews_reviewed_id_fkey({column},{random.choice(columns)})",
            f"select={operand}",
            f"order={column}.{random.choice(['asc', 'desc.nullslast', operand])}",
            f"{random.choice(['or', 'and', 'not.or'])}=({column}.eq.{operand},{column}.is.null)",
            f"limit={operand}",
            f"offset={random.choice(['0', '5', '99999999999999999999', '-1'])}",
            f"on_conflict={column}",
            f"columns={column},{operand}",
            f"{operand}={_quoted(random, text(random))}",
        ]
    )


GRANTS = ("password", "refresh_token", "pkce", "id_token", "web3")
AUTH = [
    *(re.sub(r"\{\w+\}", ID, row.path.removeprefix("/")) for row in ROUTES),
    *(f"token?grant_type={grant}" for grant in GRANTS),
    "nothing",
]
AUTH_BODY: dict[str, list[Any]] = {
    "email": ["a@example.com", "fuzz@example.com"],
    "phone": ["+4917012345678"],
    "password": ["secret", ""],
    "token": ["123456"],
    "token_hash": ["abc", "pkce_abc"],
    "type": ["signup", "recovery", "magiclink", "email_change", "sms", "email", "invite"],
    "refresh_token": ["abc"],
    "code_challenge": ["a" * 43],
    "code_challenge_method": ["s256", "plain"],
    "auth_code": [ID],
    "code_verifier": ["a" * 43],
    "data": [{"a": 1}, {}],
    "options": [{}],
    "gotrue_meta_security": [{"captcha_token": "x"}],
    "factor_type": ["totp", "phone", "webauthn"],
    "friendly_name": ["mine"],
    "challenge_id": [ID],
    "code": ["123456"],
    "ban_duration": ["1h", "none"],
    "app_metadata": [{}],
    "user_metadata": [{"a": "b"}],
    "redirect_to": ["http://127.0.0.1:54321/"],
    "provider": ["google", "nothing"],
    "id_token": ["a.b.c"],
    "channel": ["sms", "whatsapp"],
    "nonce": ["123456"],
    "domain": ["example.com"],
    "provider_id": [ID],
    "client_name": ["x"],
    "redirect_uris": [["http://127.0.0.1/callback"]],
    "SAMLResponse": ["PHg+"],
    "grant_type": ["authorization_code", "refresh_token"],
}


def auth(random: Random) -> Call:
    """The auth service."""
    known = dict(random.sample(sorted(AUTH_BODY.items()), random.randrange(2, 9)))
    body: Any = some(random, known) if random.random() < 0.9 else value(random)
    path = random.choice(AUTH)
    if random.random() < 0.4:
        name = random.choice(
            ["redirect_to", "token", "type", "code", "provider", "page", "per_page", "scopes", text(random)]
        )
        path += ("&" if "?" in path else "?") + f"{_quoted(random, name)}={_quoted(random, text(random))}"
    headers = {
        "content-type": ["application/json", "application/x-www-form-urlencoded"],
        "x-forwarded-for": ["1.2.3.4", "x"],
        "x-supabase-api-version": ["2024-01-01", "1"],
        "accept-language": ["de", "*"],
    }
    return _call(random, f"/auth/v1/{path}", headers, json.dumps(body).encode())


STORAGE = [
    *("bucket", "bucket/profiles", "object/profiles/a.png", "object/list/profiles", "object/list-v2/profiles"),
    *("object/sign/profiles", "object/sign/profiles/a.png", "object/public/profiles/a.png"),
    *("object/upload/sign/profiles/a", "object/copy", "object/move", "object/info/profiles/a.png"),
    *("object/authenticated/profiles/a.png", "object/profiles", "render/image/public/profiles/a.png"),
    *("render/image/authenticated/car-images/a.png", "upload/resumable", "upload/resumable/abc"),
    *("upload/resumable/sign", "s3/profiles", "s3/profiles/a.png", "s3/", "s3/profiles?uploads"),
    *("s3/profiles?list-type=2", "status", "health", "cdn/profiles", "nothing", "bucket/profiles/empty"),
]
STORAGE_BODY: dict[str, list[Any]] = {
    "id": ["profiles", "new"],
    "name": ["profiles", "new"],
    "public": [True],
    "file_size_limit": [1, "1MB"],
    "allowed_mime_types": [["image/png"]],
    "prefix": ["", "a/"],
    "prefixes": [["a.png"]],
    "limit": [10],
    "offset": [0],
    "search": ["a"],
    "sortBy": [{"column": "name", "order": "asc"}],
    "expiresIn": [60],
    "paths": [["a.png"]],
    "bucketId": ["profiles"],
    "sourceKey": ["a.png"],
    "destinationKey": ["b.png"],
    "destinationBucket": ["car-images"],
    "metadata": [{"mimetype": "image/png"}],
    "copyMetadata": [False],
    "transform": [{"width": 10}],
    "cursor": ["abc"],
    "with_delimiter": [True],
}


def storage(random: Random) -> Call:
    """Files: the HTTP API, resumable uploads, the S3 protocol."""
    path = random.choice(STORAGE)
    if random.random() < 0.3:
        path += "/" + _quoted(random, text(random))
    if random.random() < 0.4:
        name = random.choice(
            ["width", "height", "quality", "resize", "token", "download", "prefix", "max-keys", text(random)]
        )
        path += ("&" if "?" in path else "?") + f"{_quoted(random, name)}={_quoted(random, text(random))}"
    known = dict(random.sample(sorted(STORAGE_BODY.items()), random.randrange(2, 9)))
    raw = random.random() < 0.4
    body = (
        text(random).encode("utf-8", "replace") * random.randrange(20)
        if raw
        else json.dumps(some(random, known)).encode()
    )
    headers = {
        "content-type": [
            "application/json",
            "image/png",
            "text/plain",
            "multipart/form-data; boundary=x",
            "application/xml",
        ],
        "x-upsert": ["true", "false"],
        "cache-control": ["max-age=60"],
        "range": ["bytes=0-1", "bytes=-1", "bytes=5-1"],
        "if-none-match": ["*", '"a"'],
        "if-modified-since": ["Sun, 22 Nov 2026 00:00:00 GMT"],
        "tus-resumable": ["1.0.0"],
        "upload-length": ["5", "0"],
        "upload-offset": ["0", "5"],
        "upload-metadata": ["bucketName cHJvZmlsZXM=,objectName YS5wbmc=", "bucketName"],
        "x-metadata": ["e30="],
        "x-amz-date": ["20261122T000000Z"],
        "x-amz-content-sha256": ["UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"],
        "x-amz-copy-source": ["/profiles/a.png"],
    }
    chosen = dict(random.sample(sorted(headers.items()), 6))
    return _call(random, f"/storage/v1/{path}", chosen, body)


SITE = [
    *("/", "/healthz", "/readyz", "/metrics", "/config.js", "/robots.txt", "/favicon.ico", "/_dev/mailbox"),
    *("/_dev/outbox", "/functions/v1/x", "/graphql/v1", "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//"),
    *("/assets/x.js", "/rest", "/a/b", "/realtime/v1/api/broadcast", "/realtime/v1/api/ping"),
    *("/realtime/v1/api/broadcast/a/events/b", "/realtime/v1/websocket"),
]


def site(random: Random) -> Call:
    """The gateway, the site, broadcasts over HTTP."""
    message = some(random, {"topic": ["room"], "event": ["e"], "payload": [{}], "private": [True]})
    body: Any = {"messages": [message]} if random.random() < 0.7 else value(random)
    headers = {
        "origin": ["http://localhost", "null"],
        "access-control-request-method": ["POST"],
        "host": ["localhost"],
        "x-request-id": ["abc"],
        "x-forwarded-proto": ["https"],
        "content-type": ["application/json", "application/octet-stream"],
        "cookie": ["a=b"],
    }
    path = random.choice(SITE)
    if random.random() < 0.4:
        path += _quoted(random, text(random))
    return _call(random, path, headers, json.dumps(body).encode())


def realtime(random: Random) -> Frame:
    """A frame of the second protocol version."""
    topic = random.choice(["realtime:room", "realtime:fuzz", "phoenix", "realtime:", text(random)])
    event = random.choice(["phx_join", "broadcast", "presence", "access_token", "phx_leave", "heartbeat", text(random)])
    change = some(
        random, {"event": ["*", "INSERT"], "schema": ["public"], "table": ["profiles"], "filter": ["id=eq.1"]}
    )
    config = some(
        random,
        {
            "broadcast": [{"ack": True, "self": True}, {"replay": {"since": 1, "limit": 1}}],
            "presence": [{"key": "a", "enabled": True}],
            "postgres_changes": [[change], []],
            "private": [True, False],
        },
    )
    payload: Any = some(
        random,
        {
            "config": [config],
            "type": ["broadcast", "presence"],
            "event": ["e", "track", "untrack"],
            "payload": [{}, {"a": 1}],
            "access_token": ["a.b.c"],
        },
    )
    if random.random() < 0.1:
        payload = value(random)
    frame = json.dumps([random.choice(["1", None, value(random)]), random.choice(["2", None]), topic, event, payload])
    content = mutated(random, frame.encode("utf-8", "replace"))
    if random.random() < 0.15:
        return Frame(bytes((random.randrange(6), *(random.randrange(256) for _ in range(random.randrange(30))))))
    return Frame(content.decode("utf-8", "replace"))


ROOMS: list[tuple[Callable[[Random], Input], int]] = [(rest, 35), (auth, 20), (storage, 25), (site, 10), (realtime, 10)]


def make_input(seed: int, number: int) -> Input:
    """The input of that number; the same for the same seed."""
    random = Random(f"{seed}:{number}")
    (room,) = random.choices([room for room, _ in ROOMS], [weight for _, weight in ROOMS])
    return room(random)


def _quoted(random: Random, given: str) -> str:
    raw = given.encode("utf-8", "replace")
    return quote(raw, safe="()*.,:!->{}\"'") if random.random() < 0.9 else raw.decode("latin-1")


def _call(random: Random, target: str, headers: dict[str, list[str]], body: bytes) -> Call:
    sent = {}
    for name, values in headers.items():
        if random.random() < 0.35:
            sent[name] = random.choice(values) if random.random() < 0.75 else text(random)
    method = random.choice(METHODS) if random.random() < 0.4 else random.choice(["GET", "POST"])
    return Call(
        method,
        mutated(random, target.encode("utf-8", "replace")),
        [(name.encode(), mutated(random, text.encode("utf-8", "replace"))) for name, text in sent.items()],
        mutated(random, body) if method in ("POST", "PUT", "PATCH", "DELETE") else b"",
        random.choices(["anon", "member", "service", "garbage", "nobody"], [3, 5, 3, 1, 1])[0],
    )
