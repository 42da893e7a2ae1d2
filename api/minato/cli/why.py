"""`minato why`: what somebody may do with the rows of a table, and what keeps them from it. Nothing is done."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

import httpx
import typer

from minato.cli.developer import ask_developer
from minato.cli.functions.project import FunctionsProject
from minato.cli.functions.server import user_token
from minato.cli.local.failures import CommandFailure

METHODS: Final = {"select": "GET", "insert": "POST", "update": "PATCH", "delete": "DELETE"}
REFUSED: Final = 2
_SIGNS: Final = {True: "allowed", False: "refused", None: "unknown"}


@dataclass(frozen=True)
class Question:
    """`where` is a query of the data API, `row` JSON; `who` is anon, service_role or a user's address."""

    command: str
    table: str
    who: str
    row: str | None
    where: str


def explain_command(project: FunctionsProject, question: Question, as_json: bool) -> int:
    """Print the explanation; the exit status. Raises `CommandFailure`."""
    asked = {"method": METHODS[question.command], "token": _token(project, question.who), **_place(question)}
    return _told(ask_developer(project, "POST", "/why", asked), as_json)


def explain_request(project: FunctionsProject, request_id: str, as_json: bool) -> int:
    """The same of a request that was answered: its id, `last` or `last:error`."""
    return _told(ask_developer(project, "GET", f"/requests/{quote(request_id, safe=':')}/why"), as_json)


def _told(answer: httpx.Response, as_json: bool) -> int:
    if answer.status_code == httpx.codes.NOT_FOUND and "code" not in answer.text:
        raise CommandFailure("this server explains nothing: it is one of production, or MINATO_EXPLAIN is off")
    try:
        told: dict[str, Any] = answer.json()
    except ValueError as error:
        raise CommandFailure(f"failed to ask the server: {error}") from None
    if answer.status_code != httpx.codes.OK:
        raise CommandFailure(str(told.get("message") or told))
    typer.echo(json.dumps(told, indent=2) if as_json else _as_text(told))
    return 0 if told["allowed"] is not False else REFUSED


def _place(question: Question) -> dict[str, object]:
    """What is asked about: `storage:<bucket>/<key>`, `realtime:<topic>`, or a table."""
    room, colon, path = question.table.partition(":")
    if colon and room in ("storage", "realtime"):
        method = "PUT" if question.command == "update" else METHODS[question.command]
        return {"room": room, "method": method, "path": f"/{path if room == 'storage' else quote(path, safe='')}"}
    schema, _, name = question.table.rpartition(".")
    writes = question.command in ("insert", "update")
    return {
        "path": f"/{quote(name)}{f'?{question.where}' if question.where else ''}",
        "body": _row(question.row) if writes else None,
        "profile": schema or None,
    }


def _row(given: str | None) -> object:
    try:
        return json.loads(given or "{}")
    except ValueError as error:
        raise CommandFailure(f'invalid argument "{given}" for "--row" flag: {error}') from None


def _token(project: FunctionsProject, who: str) -> str | None:
    assert project.state is not None
    if who == "anon":
        return None
    if who == "service_role":
        return str(project.state.announcement["service_role_key"])
    return user_token(project.state, who)


def _as_text(told: dict[str, Any]) -> str:
    """The sentence, then each rule with its policies and what they said."""
    request = told.get("request")
    lines = [*([f"{request['title']} ({request['id']})"] if request else []), told["sentence"]]
    for step in told["steps"]:
        verb = "hides" if step["filters"] else "refuses"
        said = "lets all rows through" if step["allowed"] else f"{verb} rows"
        lines.append(f"  {step['rule']} of {step['on']} rows: {said}")
        for policy in step["policies"]:
            verdict = _SIGNS[policy["verdict"]] if policy["applies"] else "for other roles"
            lines.append(f'    "{policy["name"]}": {policy.get("error") or verdict}')
    return "\n".join([*lines, *(f"  {note}" for note in told["notes"])])
