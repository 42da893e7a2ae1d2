"""The examples of docs/how-to/test-your-app.md, and tests that fail, run by the real runners in a project."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.integration.testing.conftest import project_in, variables
from tests.support.command import START_LIMIT
from tests.support.local_project import LocalProject

# The plugin itself is there because minato is installed.
WITHOUT = ("asyncio", "xdist", "cacheprovider")
PYTEST = [sys.executable, "-m", "pytest", *(f"-pno:{name}" for name in WITHOUT), "-cpytest/pytest.ini"]
RUNNERS = {
    "vitest": ["vitest", "run", "--root", "vitest"],
    "playwright": ["playwright", "test", "--config", "playwright", "--workers", "1"],
    "pytest": [*PYTEST, "pytest"],
}
# Nobody may insert as anon: the reason is found by the request, not by the test.
FAILING = {
    "vitest/failing.test.ts": """
import { expect, test } from 'minato-test/vitest';
test('fails', async ({ branch }) => {
  await branch.supabase.auth.signInWithOtp({ email: 'new@example.com' });
  expect((await branch.supabase.from('carts').insert({ paid: true })).error).toBeNull();
});
""",
    "playwright/failing.spec.ts": """
import { expect, test } from 'minato-test/playwright';
test('fails', async ({ branch }) => {
  await branch.supabase.auth.signInWithOtp({ email: 'new@example.com' });
  expect((await branch.supabase.from('carts').insert({ paid: true })).error).toBeNull();
});
""",
    "pytest/test_failing.py": """
def test_fails(branch):
    branch.supabase.auth.sign_in_with_otp({"email": "new@example.com"})
    branch.supabase.table("carts").insert({"paid": True}).execute()
""",
}
PASSING = {
    "vitest/passing.test.ts": """
import { expect, test } from 'minato-test/vitest';
test('passes', ({ branch }) => expect(branch.url).toContain('/b/'));
""",
    "playwright/passing.spec.ts": """
import { expect, test } from 'minato-test/playwright';
test('passes', ({ branch }) => expect(branch.url).toContain('/b/'));
""",
    "pytest/test_passing.py": "def test_passes(branch, session_branch):\n    assert '/b/' in branch.url\n",
}
# So many tests for so many processes, each of which notes the branches that it was given.
NOTING = """
import os
import pathlib
import pytest

@pytest.mark.parametrize("number", range(9))
def test_notes(branch, session_branch, number):
    worker = os.environ["PYTEST_XDIST_WORKER"]
    assert branch.sql("select count(*)::int as n from public.carts") == [{"n": 0}]
    branch.as_("anna").table("carts").insert({"paid": False}).execute()
    pathlib.Path(os.environ["NOTES"], str(number)).write_text(f"{worker} {branch.url} {session_branch.url}")
"""
ALONE = {
    "vitest": [*RUNNERS["vitest"], "failing"],
    "playwright": [*RUNNERS["playwright"], "failing"],
    "pytest": [*PYTEST, "pytest/test_failing.py"],
}


@pytest.fixture(scope="module")
def project(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalProject]:
    """The examples, and the server that they find running."""
    folder = tmp_path_factory.mktemp("examples")
    project = LocalProject(project_in(folder / "app", packed), folder / "state")
    try:
        project.start()
        yield project
    finally:
        project.remove()


def test_the_examples_pass_on_the_projects_own_server_and_leave_no_branch(project: LocalProject) -> None:
    ended = run(project, RUNNERS)
    assert {name: status for name, (_, status) in ended.items()} == dict.fromkeys(RUNNERS, 0), ended
    assert branches(project) == []


def test_a_test_that_fails_tells_what_it_did_and_keeps_its_branch(project: LocalProject) -> None:
    for name, text in FAILING.items():
        (project.root / name).write_text(text)
    ended = run(project, ALONE, MINATO_KEEP="failed")
    kept = branches(project)
    assert len(kept) == len(ALONE)
    for name, (said, status) in ended.items():
        assert status == 1, said
        # Playwright shows no more than the beginning of an attachment.
        earlier = ("POST /auth/v1/otp 200", "email to new@example.com: ") if name != "playwright" else ()
        for part in ("POST /rest/v1/carts 401", "why: ", *earlier):
            assert part in said, said
        assert [url for url in kept if f"after its last request: {url}" in said], said


def run(project: LocalProject, commands: dict[str, list[str]], **settings: str) -> dict[str, tuple[str, int]]:
    """What each says, and its status; they run beside each other."""
    environment = variables(CI="1", NO_COLOR="1", **settings)
    begun = {name: _begin(command, project.root, environment) for name, command in commands.items()}
    return {name: (process.communicate(timeout=START_LIMIT)[0], process.returncode) for name, process in begun.items()}


def _begin(command: list[str], folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def branches(project: LocalProject) -> list[str]:
    """The addresses of those that are there."""
    told = json.load(urllib.request.urlopen(f"{project.values()['API_URL']}/_dev/v1/branches"))
    return [branch["url"] for branch in told["branches"]]


def test_every_branch_stays_where_all_are_to_be_kept_and_is_told_of(project: LocalProject) -> None:
    for name, text in PASSING.items():
        (project.root / name).write_text(text)
    before = branches(project)
    alone = {
        "vitest": [*RUNNERS["vitest"], "passing"],
        "playwright": [*RUNNERS["playwright"], "passing"],
        "pytest": [*PYTEST, "pytest/test_passing.py"],
        "xdist": [*several(2), "pytest/test_passing.py"],
    }

    ended = run(project, alone, MINATO_KEEP="all")

    assert {name: status for name, (_, status) in ended.items()} == dict.fromkeys(alone, 0), ended
    kept = set(branches(project)) - set(before)
    assert len(kept) == len(alone) + 2
    for name, (said, _) in ended.items():
        own = [url for url in kept if f"after its last request: {url}" in said]
        assert len(own) == (2 if name in ("pytest", "xdist") else 1), said
    drop(kept)


def test_processes_of_pytest_have_branches_of_their_own_and_leave_none(project: LocalProject, tmp_path: Path) -> None:
    (project.root / "pytest" / "test_noting.py").write_text(NOTING)
    before = branches(project)

    ended = run(project, {"pytest": [*several(3), "pytest/test_noting.py"]}, NOTES=str(tmp_path))

    assert ended["pytest"][1] == 0, ended
    noted = [note.read_text().split() for note in tmp_path.iterdir()]
    assert len({branch for _, branch, _ in noted}) == len(noted) == 9
    of_processes = {(worker, branch) for worker, _, branch in noted}
    assert (
        len({worker for worker, _ in of_processes}) == len({branch for _, branch in of_processes}) == len(of_processes)
    )
    assert branches(project) == before


def several(processes: int) -> list[str]:
    """pytest with so many processes of pytest-xdist."""
    return [*(part for part in PYTEST if part != "-pno:xdist"), f"-n{processes}"]


def drop(urls: Iterable[str]) -> None:
    for url in urls:
        main, _, id_ = url.rpartition("/b/")
        urllib.request.urlopen(urllib.request.Request(f"{main}/_dev/v1/branches/{id_}", method="DELETE"))
