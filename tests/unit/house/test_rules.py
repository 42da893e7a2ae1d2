"""Rules of the house that no linter knows: where time and randomness come from, what may wait, how long a file is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

API = Path(__file__).parents[3] / "api" / "minato"
LONGEST_FILE = 400

# Stages that turn one value into another and never touch the database or the network.
PURE = (
    "rest/parse",
    "rest/plan",
    "rest/sql",
    "rest/respond",
    "realtime/message",
    "realtime/serializer",
    "realtime/payloads",
    "realtime/change_feed/pgoutput",
    "storage/names",
    "storage/ranges",
    "storage/validation",
)

# (module, attribute) → the only files that may use it. Time and chance have one door each, so that tests can move them.
ONE_DOOR = {
    ("datetime", "now"): ("clock.py",),
    ("datetime", "utcnow"): (),
    ("time", "time"): ("clock.py",),
    ("uuid", "uuid4"): ("entropy.py",),
    ("secrets", "token_bytes"): ("entropy.py",),
    ("os", "urandom"): ("entropy.py",),
    ("random", "random"): (),
}


# Where the process is asked what it was given. All below gets values, so that several backends live in one process.
# The others are not in the server: the process of a function, whose environment is the project's, and tests of others.
ENVIRONMENT = ("cli/environment.py", "functions/python/boot.py", "testing/control.py", "testing/server.py")
PROCESS = ("environ", "environb", "getenv", "getenvb", "putenv", "cpu_count", "process_cpu_count", "sched_getaffinity")


# Who begins tasks, and why not by the supervisor: what is not there would run on when nobody looks.
BEGIN_TASKS = {
    "background.py": "the supervisor itself",
    "auth/request/later.py": "awaited by `finish`",
    "cli/local/buckets.py": "awaited at the end of its block",
    "cli/local/mail_catcher.py": "the second server, awaited at the end of its block",
    "cli/rest.py": "the second server, awaited at the end of its block",
    "database/wire/pool.py": "cancels a statement; `close` waits for it",
    "dev/messages.py": "ended in the same call",
    "faults/sockets.py": "closes a socket of a developer, and ends with that",
    "functions/child.py": "reads what a process says, to its end",
    "functions/pool.py": "starts and watches of processes; `close` ends them",
    "functions/proxy.py": "end with the request",
    "functions/sockets.py": "end with the socket",
    "functions/watch.py": "ended in the same call",
    "host/base.py": "makes the template; `close` waits for it",
    "http/inner_request.py": "ended in the same call",
    "jobs/cron/scheduler.py": "runs of jobs; ended with the lead",
    "jobs/extensions.py": "awaited in the same call",
    "jobs/jobs.py": "awaited, shielded from a stop",
    "jobs/net/sender.py": "requests on their way; ended with the lead",
    "mailpit/events.py": "ended with the socket that it tells",
    "postgres/embedded.py": "below the backends: the process's own PostgreSQL",
    "dev/journal.py": "ends with the stream that began it",
    "realtime/change_feed/faulty.py": "ended in the same call",
    "realtime/change_feed/relayed.py": "ends with the stream that began it",
    "realtime/change_feed/replication.py": "ends with the stream that began it",
    "realtime/change_feed/triggers.py": "ends with the stream that began it",
    "realtime/changes_follower.py": "ends with its channel",
    "realtime/postgres_changes/dispatcher.py": "awaited in the same call",
    "realtime/postgres_changes/visibility.py": "gives a session back after a failed check",
    "realtime/socket.py": "reader and writer end with the socket",
    "rest/disconnect.py": "ends with the request",
}
TASKS = ("create_task", "ensure_future", "TaskGroup")


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(API.rglob("*.py")):
        yield file.relative_to(API).as_posix(), ast.parse(file.read_text())


def test_time_and_randomness_come_through_one_door() -> None:
    strays = [
        f"{name}:{node.lineno} {node.value.id}.{node.attr}"
        for name, tree in modules()
        # The launcher and the command line run outside any backend.
        if not name.startswith(("postgres/", "cli/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and name not in ONE_DOOR.get((node.value.id, node.attr), (name,))
    ]
    assert strays == []


def test_nobody_waits_in_a_way_that_can_lose_a_cancellation() -> None:
    # `wait_for` of Python 3.11, where what it waits for comes at the same moment. `asyncio.timeout` is the way.
    strays = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "asyncio.wait_for"
    ]
    assert strays == []


def test_only_one_file_asks_the_process_for_its_environment() -> None:
    strays = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        if name not in ENVIRONMENT
        for node in ast.walk(tree)
        if _names_the_process(node)
    ]
    assert strays == []


def test_work_beside_the_requests_is_begun_by_the_supervisor() -> None:
    found = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in TASKS
    }
    assert found == set(BEGIN_TASKS)


def _names_the_process(node: ast.AST) -> TypeGuard[ast.expr | ast.stmt | ast.keyword]:
    """Whether it is `os.environ` and its kin, an import of them, or the settings library's own look at them."""
    if isinstance(node, ast.Attribute):
        return node.attr in PROCESS
    if isinstance(node, ast.ImportFrom):
        return any(name.name in (*PROCESS, "dotenv_values", "load_dotenv") for name in node.names)
    return isinstance(node, ast.keyword) and node.arg in ("env_file", "_env_file")


def test_nobody_below_the_commands_imports_what_they_found_there() -> None:
    strays = [
        name
        for name, tree in modules()
        if not name.startswith("cli/")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "minato.cli.environment"
    ]
    assert strays == []


def test_pure_stages_wait_for_nothing() -> None:
    waiting = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        if name.startswith(PURE)
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await)
    ]
    assert waiting == []


@pytest.mark.parametrize("file", sorted(API.rglob("*.py")), ids=lambda file: file.relative_to(API).as_posix())
def test_no_file_outgrows_the_house(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= LONGEST_FILE


def test_every_module_says_what_it_is_for() -> None:
    silent = [name for name, tree in modules() if tree.body and ast.get_docstring(tree) is None]
    assert silent == []
