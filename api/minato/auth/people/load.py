"""POST /_dev/v1/users/load: a users file, as TOML or as JSON, becomes accounts of this backend."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy.exc import DBAPIError

from minato.auth.people.loading import load_people
from minato.auth.people.refusals import PersonError
from minato.auth.request.context import Transaction
from minato.auth.request.response import Response
from minato.database.engines import is_lost
from minato.database.wire.session import Command
from minato.project.errors import ProjectError
from minato.project.users_file import parse_users

# A deadlock, and a transaction that could not be serialized: it is tried again.
AGAIN = frozenset({"40P01", "40001"})


async def load(tx: Transaction) -> Response:
    """All of it or nothing."""
    try:
        file = parse_users(tx.body.decode(), "body")
    except (ProjectError, UnicodeDecodeError) as error:
        raise PersonError(400, "bad_request", str(error)) from None

    async def ask(command: Command) -> str:
        ((answer,),) = (await tx.db.ask(command))[0]
        assert answer is not None, "each statement answers with JSON"
        return answer.decode()

    try:
        loaded = await load_people(file, ask, tx.now, tx.settings)
    except DBAPIError as error:
        if is_lost(error) or getattr(error.orig, "sqlstate", None) in AGAIN:
            raise
        raise PersonError(400, "bad_request", f"PostgreSQL refused: {error.orig}") from None
    return Response(asdict(loaded))
