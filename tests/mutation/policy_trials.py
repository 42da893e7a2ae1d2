"""Trials of policies: each condition dropped in a template of its own, before the tests that know the marketplace."""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Sequence

import pytest

from tests.mutation.conditions import POLICIES, Dropped, Policy, dropped_once
from tests.mutation.database import Shared
from tests.mutation.trial import Trial
from tests.support.command import REPOSITORY

MARKETPLACE = "tests/integration/marketplace"
# These name the table in each of their cases and need no server.
NEAR = tuple(f"{MARKETPLACE}/test_{name}.py" for name in ("policies", "policy_conditions", "disputes"))
SERVERS = (
    "tests/security/test_members_suspended.py",
    "tests/security/test_matrix_rest.py",
    "tests/security/test_matrix_storage.py",
    "tests/security/test_matrix_realtime.py",
    "tests/security/test_members_unconfirmed.py",
    "tests/security/test_members_pictures.py",
)
LIMIT = 120.0
# What the table of all buckets is called in cases.
SAID = {"objects": "objects|bucket|picture|evidence", "dispute_statements": "disputes"}


def all_dropped(postgres: Shared, tables: Collection[str] = ()) -> list[Dropped]:
    """Every condition of every policy of a migrated database, or of these tables (`public.reviews`)."""
    # without a search path every name is written in full
    rows = postgres.run(f"set search_path = ''; {POLICIES}", postgres.template)
    policies = of_tables([Policy(*map(_text, row)) for row in rows], tables)
    return [mutant for policy in policies for mutant in dropped_once(policy)]


def of_tables(policies: Sequence[Policy], tables: Collection[str]) -> list[Policy]:
    """The policies of the named tables, all without a name; a name without any policy ends the run."""
    known = {f"{policy.schema}.{policy.table}" for policy in policies}
    if unknown := sorted(set(tables) - known):
        raise SystemExit(f"no policy on {', '.join(unknown)}")
    return [policy for policy in policies if not tables or f"{policy.schema}.{policy.table}" in tables]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def warm() -> None:
    """Import what the tests import, once for all trials."""
    for file in files():
        importlib.import_module(file.removesuffix(".py").replace("/", "."))


def files() -> list[str]:
    """What is run when the near tests have noticed nothing: the marketplace's, then those with a server."""
    own = sorted(path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / MARKETPLACE).glob("test_*.py"))
    return [*own, *SERVERS]


def near(postgres: Shared, mutants: list[Dropped]) -> list[Trial]:
    """Before the tests that name the policy's table."""
    return [
        Trial(mutant.label, _Prepared(postgres, mutant, f"mutant_near_{number}"), NEAR, LIMIT, Naming(mutant.policy))
        for number, mutant in enumerate(mutants)
    ]


def far(postgres: Shared, mutants: list[Dropped]) -> list[Trial]:
    """Before all others."""
    return [
        Trial(mutant.label, _Prepared(postgres, mutant, f"mutant_far_{number}"), files(), 5 * LIMIT)
        for number, mutant in enumerate(mutants)
    ]


class _Prepared:
    """Called in the fork: makes the template and names it in the environment."""

    def __init__(self, postgres: Shared, mutant: Dropped, name: str) -> None:
        self._postgres, self._mutant, self._name = postgres, mutant, name

    def __call__(self) -> None:
        self._postgres.copied(self._name, self._mutant.statement).announce()


class Naming:
    """Whether a test's name or parameters have the policy's table in them."""

    def __init__(self, policy: Policy) -> None:
        self._table = re.compile(SAID.get(policy.table, policy.table))

    def __call__(self, item: pytest.Item) -> bool:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        return bool(self._table.search(" ".join(map(str, (item.nodeid, *parameters.values())))))
