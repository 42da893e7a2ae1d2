"""Edge Functions in production: nothing of a developer's, and what would be unsafe is named before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from minato.cli.options import read_config_file
from minato.cli.unsafe_functions import function_findings
from minato.config import Settings
from minato.config.functions import FunctionsSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.functions.attached import Attachment, attached
from minato.functions.folders import work_folder

from tests.support.server import running, settings_for

THROWS = "Deno.serve(() => { throw new Error('a detail of ours'); });"
CONFIG = """
[edge_runtime]
policy = "oneshot"
inspector_port = 9000
deno_version = 2
[edge_runtime.secrets]
greeting = "env(GREETING)"
absent = "env(NO_SUCH_VARIABLE)"
[functions.Pay]
verify_jwt = false
speed = 1
"""


@pytest.fixture
def project() -> Iterator[Path]:
    """A folder with one function; not in memory: Deno lets nobody read below /dev."""
    with TemporaryDirectory(dir="/var/tmp") as made:
        root = Path(made).resolve()
        (root / "supabase" / "functions" / "pay").mkdir(parents=True)
        (root / "supabase" / "functions" / "pay" / "index.ts").write_text(THROWS)
        yield root


def settings_of(project: Path, **given: str) -> Settings:
    server = ServerSettings(environment="production", data_dir=project / "data", project=project, web_root=None)
    return Settings(server=server, functions=FunctionsSettings.of(given))


def found(project: Path, **given: str) -> dict[str, bool]:
    """What is said, and whether it is refused."""
    return {one.problem: one.is_refused for one in function_findings(settings_of(project, **given))}


async def test_nothing_of_a_developer_s_is_there(project: Path, address: DatabaseAddress) -> None:
    given = {"MINATO_FUNCTIONS_INSPECT": "run", "MINATO_FUNCTIONS_CONFIG": '{"pay": {"verify_jwt": false}}'}
    settings = settings_of(project, **given)
    served = settings_for(project / "data", server=settings.server, functions=settings.functions)
    (project / "supabase" / "functions" / "closed").mkdir()
    (project / "supabase" / "functions" / "closed" / "index.ts").write_text("throw new Error('a detail of ours')")
    async with running(address, served) as server, server.client() as client:
        answer = await client.post("/functions/v1/pay")
        assert answer.json() == {
            "code": "WORKER_ERROR",
            "message": "Function exited due to an error (please check logs)",
        }
        with attached(work_folder(settings), Attachment(no_verify_jwt=True, since=1)):
            refused = await client.post("/functions/v1/closed", headers={"authorization": "Bearer x"})
        assert refused.status_code == 401
        broken = await client.post("/functions/v1/closed")
        assert (broken.status_code, "detail" in broken.text, "trace" in broken.json()) == (503, False, False)


def test_what_is_unsafe_about_the_settings_is_refused_or_advised(project: Path) -> None:
    assert found(project) == {}
    given = {
        "MINATO_FUNCTIONS_POLICY": "oneshot",
        "MINATO_FUNCTIONS_INSPECT": "wait",
        "MINATO_FUNCTIONS_DB_URL": "postgresql://postgres:postgres@127.0.0.1/postgres",
        "MINATO_FUNCTIONS_DENO": "/nowhere",
        "MINATO_FUNCTIONS_CONFIG": '{"pay": {"verify_jwt": false}}',
    }
    told = found(project, **given)
    beginnings = {
        "MINATO_FUNCTIONS_POLICY=oneshot": True,
        "MINATO_FUNCTIONS_INSPECT": True,
        "The password in MINATO_FUNCTIONS_DB_URL": True,
        "There is no Deno, so pay will not be served": False,
        "Anybody may call pay": False,
    }
    assert [one.is_refused for one in function_findings(settings_of(project, **given))] == list(beginnings.values())
    for problem, beginning in zip(told, beginnings, strict=True):
        assert problem.startswith(beginning)
    assert found(project, **given, MINATO_FUNCTIONS_ENABLED="false") == {}


def test_files_that_others_may_change_are_refused(project: Path) -> None:
    functions = project / "supabase" / "functions"
    (functions / ".env").write_text("KEY=1")
    (functions / ".env").chmod(0o644)
    assert found(project) == {f"Everybody on this machine may read {functions / '.env'}.": False}
    (functions / ".env").chmod(0o600)
    index = functions / "pay" / "index.ts"
    for path in (index, index.parent, functions):
        mode = path.stat().st_mode
        os.chmod(path, mode | 0o002)
        assert list(found(project).values()) == [True], path
        os.chmod(path, mode)
    assert found(project) == {}


def test_the_file_that_serve_is_given_says_all_of_functions(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = project / "supabase" / "config.toml"
    config.write_text(CONFIG)
    monkeypatch.setenv("GREETING", "ahoy")
    file = read_config_file(config)
    assert file.unknown == ["edge_runtime.deno_version", "functions.pay.speed"]
    functions = FunctionsSettings.of(file.variables)
    assert (functions.policy, functions.inspector_port) == ("oneshot", 9000)
    assert functions.folder == project / "supabase" / "functions"
    assert {name: value.get_secret_value() for name, value in functions.secrets.items()} == {"GREETING": "ahoy"}
    assert not functions.config["pay"].verify_jwt
    assert functions.db_url is None
