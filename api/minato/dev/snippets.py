"""A recorded request as text to paste: for a shell, or as the call of supabase-js that sends the same."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import parse_qsl, unquote

from minato.json_text import JsonMapping

Language = Literal["curl", "supabase-js"]
KEY: Final = "$SUPABASE_ANON_KEY"
# What is a modifier of the whole request, not a filter on a column.
_MODIFIERS: Final = frozenset({"select", "order", "limit", "offset", "columns", "on_conflict"})
_EMBEDDED: Final = re.compile(r"(?P<table>.+)\.(?P<what>order|limit|offset|or|and)")
_OPERATOR: Final = re.compile(r"(?P<operator>(?:not\.)?[a-z]+(?:\((?:any|all|[a-z_]+)\))?)\.(?P<value>.*)", re.S)


@dataclass(frozen=True)
class Sent:
    """What is known of a request; `body` is its text, of the media type `kind`."""

    method: str
    room: str
    path: str
    query: str
    role: str | None
    prefer: str
    kind: str
    body: str | None

    @classmethod
    def of(cls, event: JsonMapping) -> Sent:
        """Out of the whole event."""
        data = _object(event["data"])
        body, caller = _object(data["request"]), _object(data["caller"])
        role, text = caller.get("role"), body.get("text")
        return cls(
            **{name: str(data[name] or "") for name in ("method", "room", "path", "query", "prefer")},
            role=role if isinstance(role, str) else None,
            kind=str(body.get("type") or "application/json"),
            body=text if isinstance(text, str) else None,
        )

    @property
    def count(self) -> str | None:
        """Which count was asked for."""
        found = re.search(r"count=(\w+)", self.prefer)
        return found[1] if found else None

    @property
    def json(self) -> str:
        """The body as a literal."""
        try:
            return _js(json.loads(self.body or "{}"))
        except ValueError:
            return "{ /* what was sent is no JSON */ }"


def _object(value: object) -> JsonMapping:
    return value if isinstance(value, dict) else {}


def snippet(language: Language, event: JsonMapping, public_url: str) -> str:
    """The text. Keys and tokens are names of variables: none was kept."""
    sent = Sent.of(event)
    return _curl(sent, public_url) if language == "curl" else _supabase_js(sent, public_url)


def _curl(sent: Sent, public_url: str) -> str:
    query = f"?{sent.query}" if sent.query else ""
    lines = [f"curl -X {sent.method} {shlex.quote(public_url + sent.path + query)}", f'-H "apikey: {KEY}"']
    if sent.role not in (None, "anon"):
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if sent.prefer:
        lines.append(f"-H {shlex.quote('Prefer: ' + sent.prefer)}")
    if sent.body is not None:
        lines += [f"-H {shlex.quote('Content-Type: ' + sent.kind)}", f"--data-raw {shlex.quote(sent.body)}"]
    return " \\\n  ".join(lines) + "\n"


def _supabase_js(sent: Sent, public_url: str) -> str:
    if sent.room != "rest":
        return f"// {sent.method} {sent.path} is no call of the data API: supabase-js sends it by .{sent.room}\n"
    path = unquote(sent.path.removeprefix("/rest/v1/"))
    pairs = parse_qsl(sent.query, keep_blank_values=True)
    calls = _called(sent, path, pairs) if path.startswith("rpc/") else _asked(sent, path, pairs)
    client = f"const supabase = createClient({_js(public_url)}, SUPABASE_ANON_KEY)"
    return f"{client}\nconst {{ data, error }} = await supabase\n" + "\n".join(f"  {call}" for call in calls) + "\n"


def _called(sent: Sent, path: str, pairs: list[tuple[str, str]]) -> list[str]:
    name = path.removeprefix("rpc/")
    if sent.method == "POST":
        options = _options({"count": sent.count})
        return [f".rpc({_js(name)}, {sent.json}{options})", *_modified(pairs)]
    # Arguments and filters of a GET look alike but for the operator.
    arguments = {key: value for key, value in pairs if key not in _MODIFIERS and not _OPERATOR.fullmatch(value)}
    rest = [(key, value) for key, value in pairs if key not in arguments]
    options = _options(
        {"get": sent.method == "GET" or None, "head": sent.method == "HEAD" or None, "count": sent.count}
    )
    return [f".rpc({_js(name)}, {_js(arguments)}{options})", *_modified(rest)]


def _asked(sent: Sent, table: str, pairs: list[tuple[str, str]]) -> list[str]:
    given = dict(pairs)
    select = _js(given.get("select", "*"))
    begin, counted = f".from({_js(table)})", _options({"count": sent.count})
    if sent.method in ("GET", "HEAD"):
        options = _options({"head": sent.method == "HEAD" or None, "count": sent.count})
        return [begin, f".select({select}{options})", *_modified(pairs)]
    verb = {
        "POST": lambda: _added(sent, given),
        "PATCH": lambda: f".update({sent.json}{counted})",
        "DELETE": lambda: f".delete({counted.removeprefix(', ')})",
    }.get(sent.method, lambda: f"// supabase-js has no {sent.method}")()
    asks = [f".select({select})"] if "return=representation" in sent.prefer else []
    return [begin, verb, *_modified(pairs), *asks]


def _added(sent: Sent, given: Mapping[str, str]) -> str:
    """An insert; one that says what is done about rows that are there is an upsert."""
    is_upsert = "resolution=" in sent.prefer
    options: dict[str, object] = {"count": sent.count}
    if is_upsert:
        options |= {"onConflict": given.get("on_conflict")}
        options |= {"ignoreDuplicates": "resolution=ignore-duplicates" in sent.prefer or None}
    options["defaultToNull"] = False if "missing=default" in sent.prefer else None
    return f".{'upsert' if is_upsert else 'insert'}({sent.json}{_options(options)})"


def _modified(pairs: list[tuple[str, str]]) -> list[str]:
    """Filters, orders and windows, in their order."""
    return [call for key, value in pairs if (call := _modifier(key, value, dict(pairs))) is not None]


def _modifier(key: str, value: str, given: dict[str, str]) -> str | None:
    embedded = _EMBEDDED.fullmatch(key)
    what, table = (embedded["what"], embedded["table"]) if embedded else (key, None)
    of = {"referencedTable": table} if table else {}
    prefix = f"{table}." if table else ""
    if what in ("or", "and"):
        if what == "and":
            return f".or({_js('and' + value)}{_options(of)})"
        return f".or({_js(value.removeprefix('(').removesuffix(')'))}{_options(of)})"
    if what == "order":
        return "\n  ".join(_order(each, of) for each in value.split(","))
    if what == "limit":
        offset = given.get(f"{prefix}offset")
        if offset is None:
            return f".limit({value}{_options(of)})"
        return f".range({offset}, {int(offset) + int(value) - 1}{_options(of)})"
    if what in _MODIFIERS:
        return None
    found = _OPERATOR.fullmatch(value)
    return f".filter({_js(key)}, {_js(found['operator'])}, {_js(found['value'])})" if found else None


def _order(term: str, of: dict[str, str]) -> str:
    column, *said = term.split(".")
    nulls = next((each == "nullsfirst" for each in said if each.startswith("nulls")), None)
    options = {"ascending": "desc" not in said, "nullsFirst": nulls, **of}
    return f".order({_js(column)}{_options(options)})"


def _options(options: Mapping[str, object]) -> str:
    """A last argument of those that are said; none where nothing is."""
    said = ", ".join(f"{name}: {_js(value)}" for name, value in options.items() if value is not None)
    return f", {{ {said} }}" if said else ""


def _js(value: object) -> str:
    """A literal of JavaScript, which JSON is."""
    return json.dumps(value, ensure_ascii=False)
