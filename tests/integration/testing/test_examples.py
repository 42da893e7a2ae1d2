"""The examples of docs/how-to/test-your-app.md, and tests that fail, run by the real runners in a project."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
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
