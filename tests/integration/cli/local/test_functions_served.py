"""`minato functions` beside a project that runs: what a developer asks of the server, and what it tells."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.support.copies import Copy
from tests.support.local_project import LocalProject, local_project

HELLO = """Deno.serve(async (request) => {
  const sent = await request.text();
  console.log("was sent", sent);
  if (sent === "throw") throw new Error("on purpose");
  const token = request.headers.get("authorization")?.split(".")[1];
  const who = token ? JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/"))) : {};
  return Response.json({
    sent, method: request.method, who: who.email ?? who.role ?? null, type: request.headers.get("content-type"),
    own: request.headers.get("x-own"), colour: Deno.env.get("COLOUR"),
  }, { status: Number(request.headers.get("x-status") ?? 200) });
});
"""


@pytest.fixture(scope="module")
def project() -> Iterator[LocalProject]:
    """Not in memory, where other tests' folders lie: Deno lets nobody read below /dev."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        config = "[functions.hello]\nverify_jwt = false\n[functions.off]\nenabled = false\n"
        with local_project(Path(folder).resolve(), migration=None, config=config) as project:
            project.write("functions/hello/index.ts", HELLO)
            project.write("functions/closed/index.ts", HELLO)
            project.write("functions/off/index.ts", HELLO)
            project.write("functions/.env", "COLOUR=red")
            project.start()
            yield project


@contextmanager
def going_on(project: LocalProject, *words: str) -> Iterator[Copy]:
    """A command that lasts; ended by Ctrl-C."""
    process = Copy(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=project.root, env=project.environment()
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(30)
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            stream.close()


def read_until(process: Copy, words: str) -> str:
    """The output up to the line with these words."""
    assert process.stdout is not None
    told = ""
    while words not in told:
        line = process.stdout.readline()
        assert line, told
        told += line
    return told


def invoke(project: LocalProject, *words: str) -> tuple[int, dict[str, object]]:
    ended = project.minato("functions", "invoke", *words)
    return ended.returncode, json.loads(ended.stdout or json.dumps({"stderr": ended.stderr}))


def test_a_call_is_made_with_the_anon_key_and_its_answer_printed(project: LocalProject) -> None:
    ended = project.minato("functions", "invoke", "hello", "--data", '{"a": 1}', "-H", "x-own: mine", "-X", "put")
    assert ended.returncode == 0
    assert ended.stderr.startswith("200 OK  request ")
    assert json.loads(ended.stdout) == {
        **{"sent": '{"a": 1}', "method": "PUT", "who": "anon", "type": "application/json"},
        **{"own": "mine", "colour": "red"},
    }


def test_a_call_is_made_by_whom_the_developer_says(project: LocalProject) -> None:
    values = project.values()
    answer = httpx.post(
        f"{values['API_URL']}/auth/v1/signup",
        json={"email": "ann@example.com", "password": "secret-12"},
        headers={"apikey": values["ANON_KEY"]},
    )
    answer.raise_for_status()
    assert invoke(project, "closed", "--as", "ANN@example.com")[1]["who"] == "ann@example.com"
    assert invoke(project, "closed", "--as", "service_role")[1]["who"] == "service_role"
    assert invoke(project, "closed", "--no-auth") == (1, {"msg": "Error: Missing authorization header"})
    ended = project.minato("functions", "invoke", "closed", "--as", "bob@example.com")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "User not found: bob@example.com" in ended.stderr


def test_a_call_has_the_key_that_a_function_of_the_template_asks_for(project: LocalProject) -> None:
    told = 'export default { fetch: (r: Request) => Response.json({ key: r.headers.get("apikey") }) };'
    project.write("functions/keyed/index.ts", told)
    values = project.values()
    assert invoke(project, "keyed")[1] == {"key": values["PUBLISHABLE_KEY"]}
    assert invoke(project, "keyed", "--as", "service_role")[1] == {"key": values["SECRET_KEY"]}


def test_a_call_that_fails_ends_with_a_failure(project: LocalProject) -> None:
    assert invoke(project, "hello", "-H", "x-status: 399")[0] == 0
    assert invoke(project, "hello", "-H", "x-status: 400")[0] == 1
    wrong = [
        (["none"], "404 Not Found"),
        (["hello", "-H", "nothing"], "must be formatted as Name: value"),
        (["hello", "--data-file", "none.json"], "failed to read body: open none.json: No such file or directory"),
        (["hello", "--data", "a", "--data-file", "b"], "if any flags in the group [data data-file] are set"),
        (["hello", "--as", "root"], "must be anon, service_role or the address of a user"),
        ([], "accepts 1 arg(s), received 0"),
    ]
    for words, sentence in wrong:
        ended = project.minato("functions", "invoke", *words)
        assert (ended.returncode, sentence in ended.stderr) == (1, True), ended.stderr


def test_functions_are_listed_with_what_they_are(project: LocalProject) -> None:
    invoke(project, "hello")
    project.write("functions/fresh/index.ts", HELLO)
    listed = json.loads(project.minato("functions", "list", "-o", "json").stdout)
    found = {each["name"]: (each["status"], each["verify_jwt"], each["running"]) for each in listed}
    assert found["hello"] == ("ACTIVE", False, True)
    assert found["fresh"] == ("ACTIVE", True, False)
    assert found["off"] == ("DISABLED", True, False)
    hello = next(each for each in listed if each["name"] == "hello")
    assert hello["entrypoint_path"] == "supabase/functions/hello/index.ts"
    assert hello["url"] == f"{project.values()['API_URL']}/functions/v1/hello"
    assert "│ hello" in project.minato("functions", "list").stdout
    assert "slug: hello\n" in project.minato("functions", "list", "-o", "yaml").stdout
    assert '[[functions]]\nname = "' in project.minato("functions", "list", "-o", "toml").stdout
    refused = project.minato("functions", "list", "-o", "env")
    assert (refused.returncode, "--output env flag is not supported" in refused.stderr) == (1, True)


def test_processes_are_told_to_nobody_without_the_service_key(project: LocalProject) -> None:
    values = project.values()
    address = f"{values['API_URL']}/functions/v1/_internal/metric"
    for headers in ({}, {"authorization": f"Bearer {values['ANON_KEY']}"}, {"authorization": "Bearer x"}):
        assert httpx.get(address, headers=headers).status_code == 404
    told = httpx.get(address, headers={"apikey": values["SECRET_KEY"]}).json()
    assert {"activeUserWorkersCount", "retiredUserWorkersCount", "functions"} == told.keys()


def test_what_a_request_said_is_found_by_its_id(project: LocalProject) -> None:
    ended = project.minato("functions", "invoke", "hello", "--data", "throw")
    request = ended.stderr.split()[-1]
    told = project.minato("functions", "logs", "hello", "--request", request).stdout
    assert f"hello [Info] {request} was sent throw\n" in told
    assert f"hello [Error] {request} Error: on purpose\n" in told
    assert "functions/hello/index.ts:4:" in told
    assert project.minato("functions", "logs", "--lines", "1").stdout.count(" [") == 1
    assert project.minato("functions", "logs", "--lines", "0").stdout == ""
    assert project.minato("functions", "logs", "--lines", "all").stdout.count(" [") > 1
    for wrong in ("-1", "some", "1.5"):
        refused = project.minato("functions", "logs", "--lines", wrong)
        assert (refused.returncode, "must be a number or all" in refused.stderr) == (1, True), wrong
    unknown = project.minato("functions", "logs", "../server")
    assert (unknown.returncode, "Function not found: ../server" in unknown.stderr) == (1, True)


def test_lines_are_followed_until_ctrl_c(project: LocalProject) -> None:
    invoke(project, "hello", "--data", "before")
    with going_on(project, "functions", "logs", "--follow", "--lines", "1") as process:
        assert "was sent before" in read_until(process, "was sent")
        invoke(project, "closed", "--data", "after")
        assert "closed [Info]" in read_until(process, "was sent after")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_serve_lends_its_flags_to_the_running_server_while_it_lasts(project: LocalProject) -> None:
    project.write("functions/blue.env", "COLOUR=blue")
    flags = ("--no-verify-jwt", "--env-file", "supabase/functions/blue.env")
    with going_on(project, "functions", "serve", *flags) as process:
        told = read_until(process, "Using deno")
        url = project.values()["API_URL"]
        assert told.startswith(f"Serving functions on {url}/functions/v1/<function-name>\n - {url}/functions/v1/")
        assert invoke(project, "closed", "--no-auth", "--data", "x")[1]["colour"] == "blue"
        assert "closed [Info]" in read_until(process, "was sent x")
        second = project.minato("functions", "serve")
        assert "Another functions serve of this project goes on" in second.stderr
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 1
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read().endswith("Stopped serving supabase/functions\n")
        complaint = process.stderr.read()
        assert "Setting up Edge Functions runtime...\nSkipped serving Function: off\n" in complaint
        assert complaint.endswith("context canceled\n")
    assert invoke(project, "closed", "--no-auth")[0] == 1
    assert invoke(project, "hello")[1]["colour"] == "red"


def test_a_serve_that_is_killed_asks_for_nothing_any_more(project: LocalProject) -> None:
    with going_on(project, "functions", "serve", "--no-verify-jwt") as process:
        read_until(process, "Using deno")
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    assert invoke(project, "closed", "--no-auth")[0] == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--env-file", "none.env"], "failed to open env file: open none.env: no such file or directory"),
        (["--inspect", "--inspect-mode", "run"], "if any flags in the group [inspect inspect-mode] are set"),
        (["--inspect-mode", "stop"], 'invalid argument "stop" for "--inspect-mode" flag'),
        (["--inspect-main"], "--inspect-main must be used together with one of these flags: [inspect inspect-mode]"),
        (["none"], "Function not found: none"),
    ],
)
def test_serve_refuses_what_makes_no_sense(project: LocalProject, words: list[str], sentence: str) -> None:
    ended = project.minato("functions", "serve", *words)
    assert (ended.returncode, sentence in ended.stderr) == (1, True), ended.stderr


def test_status_tells_where_functions_are_and_which(project: LocalProject) -> None:
    for form in ("env", "json", "yaml", "toml", "pretty"):
        ended = project.minato("status", "-o", form)
        assert "/functions/v1" in ended.stdout, form
        assert "\nEdge Functions: closed, " in ended.stderr, form
        assert "Skipped serving Function: off\n" in ended.stderr, form
    values = project.values()
    assert values["FUNCTIONS_URL"] == f"{values['API_URL']}/functions/v1"
    assert "edge_runtime" not in project.minato("status").stderr


def test_a_function_is_told_the_own_port_of_the_database(project: LocalProject) -> None:
    project.write(
        "functions/hello/index.ts", "Deno.serve(() => Response.json({ db: Deno.env.get('SUPABASE_DB_URL') }))"
    )
    try:
        assert invoke(project, "hello")[1]["db"] == project.values()["DB_URL"]
    finally:
        project.write("functions/hello/index.ts", HELLO)
