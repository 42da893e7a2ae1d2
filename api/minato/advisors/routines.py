"""Functions that run with the rights of their owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import Routine, Snapshot
from minato.database.identifiers import quote_identifier

MUTABLE_PATH = Lint(
    "function_search_path_mutable",
    "Function Search Path Mutable",
    Level.WARN,
    "SECURITY",
    "A security definer function finds its tables by the search_path of whoever calls it, unless it sets one.",
)
BY_ANON = Lint(
    "anon_security_definer_function_executable",
    "Public Can Execute SECURITY DEFINER Function",
    Level.WARN,
    "SECURITY",
    "Without signing in everybody may call it through the API; it runs past all policies and never asks who calls.",
)
BY_AUTHENTICATED = Lint(
    "authenticated_security_definer_function_executable",
    "Signed-In Users Can Execute SECURITY DEFINER Function",
    Level.WARN,
    "SECURITY",
    "Everybody signed in may call it through the API; it runs past all policies and never asks who calls.",
)
# What a function asks that wants to know who calls.
_ASKS: Final = re.compile(r"\bauth\s*\.\s*(uid|jwt|role|email)\b|request\.jwt|request\.headers|\bsession_user\b")
_CALLED: Final = re.compile(r"([a-z_][\w$]*)\"?\s*\(")


def mutable_paths(snapshot: Snapshot) -> Iterator[Finding]:
    """Security definer functions that leave their search_path to the caller. A body that was parsed when the function
    was made looks for nothing when it is called."""
    for routine in snapshot.routines.values():
        is_set = any(setting.startswith("search_path=") for setting in routine.settings)
        if routine.is_definer and not is_set and not routine.is_parsed:
            path = ", ".join([*(quote_identifier(name) for name in _path(routine)), "pg_temp"])
            detail = (
                f"Function {routine.schema}.{routine.name}{routine.part} is a security definer without a search_path."
            )
            mend = f"alter routine {routine.place} set search_path = {path}"
            yield Finding(MUTABLE_PATH, "function", routine.schema, routine.name, routine.part, detail, (mend,))


def _path(routine: Routine) -> list[str]:
    """Where the function finds today what it names, as far as that is the project's own: its schema, and what
    `postgres` and the API search by themselves."""
    return list(dict.fromkeys([routine.schema, "public", "extensions"]))


def open_to_everybody(snapshot: Snapshot) -> Iterator[Finding]:
    """Functions of the API that anybody calls with their owner's rights, and that ask nothing about the caller, neither
    themselves nor by a function of the project."""
    for routine in _open_definers(snapshot):
        if "anon" in routine.callers:
            yield _open_to(routine, BY_ANON, "Everybody")


def open_to_members(snapshot: Snapshot) -> Iterator[Finding]:
    """The same, of those that want people signed in."""
    for routine in _open_definers(snapshot):
        if "anon" not in routine.callers:
            yield _open_to(routine, BY_AUTHENTICATED, "Everybody signed in")


def _open_definers(snapshot: Snapshot) -> Iterator[Routine]:
    asking = _asking(snapshot)
    for oid, routine in snapshot.routines.items():
        is_open = routine.is_definer and routine.schema in snapshot.exposed and not routine.is_trigger
        if is_open and routine.callers and oid not in asking:
            yield routine


def _open_to(routine: Routine, lint: Lint, who: str) -> Finding:
    detail = f"{who} may call {routine.schema}.{routine.name}{routine.part}, a security definer that asks for nobody."
    mend = (f"revoke execute on routine {routine.place} from public, {', '.join(routine.callers)}",)
    return Finding(lint, "function", routine.schema, routine.name, routine.part, detail, mend)


def _asking(snapshot: Snapshot) -> set[int]:
    """The functions that want to know who calls, by themselves or by what they call. Names alone are compared: of
    overloads, one that asks is enough."""
    bodies = {oid: routine.body.lower() for oid, routine in snapshot.routines.items()}
    found = {oid for oid, body in bodies.items() if _ASKS.search(body)}
    calls = {oid: set(_CALLED.findall(body)) for oid, body in bodies.items()}
    while True:
        names = {snapshot.routines[oid].name.lower() for oid in found}
        more = {oid for oid, called in calls.items() if oid not in found and called & names}
        if not more:
            return found
        found |= more
