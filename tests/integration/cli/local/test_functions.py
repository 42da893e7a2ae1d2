"""`minato functions`: files of a new function, and a plain answer of what is not here."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path

import pytest

from tests.support.local_project import LocalProject


@pytest.fixture
def project(tmp_path: Path) -> LocalProject:
    """A project that nothing runs of."""
    project = LocalProject(tmp_path / "app", tmp_path / "state")
    project.write("config.toml", 'project_id = "shop"\n\n[api]\nport = 4000\n')
    return project


def test_a_new_function_has_its_files_and_its_section_in_the_configuration(project: LocalProject) -> None:
    ended = project.minato("functions", "new", "say-hello", "--auth", "user")
    assert (ended.returncode, ended.stdout) == (0, "Created new Function at supabase/functions/say-hello\n")
    folder = project.root / "supabase" / "functions" / "say-hello"
    assert {path.name for path in folder.iterdir()} == {"index.ts", "deno.json", ".npmrc"}
    index = (folder / "index.ts").read_text()
    assert "http://127.0.0.1:4000/functions/v1/say-hello" in index
    assert 'withSupabase({ auth: "user" }' in index
    assert set(json.loads((folder / "deno.json").read_text())["imports"]) == {
        "@supabase/functions-js",
        "@supabase/server",
    }
    configuration = tomllib.loads((project.root / "supabase" / "config.toml").read_text())
    assert configuration["api"] == {"port": 4000}
    assert configuration["functions"]["say-hello"] == {
        "enabled": True,
        "verify_jwt": True,
        "import_map": "./functions/say-hello/deno.json",
        "entrypoint": "./functions/say-hello/index.ts",
    }


@pytest.mark.parametrize("auth", ["none", "apikey", "user"])
def test_a_new_function_in_python_compiles_and_says_how_it_is_called(project: LocalProject, auth: str) -> None:
    ended = project.minato("functions", "new", "say-hello", "--python", "--auth", auth)
    assert (ended.returncode, ended.stdout) == (0, "Created new Function at supabase/functions/say-hello\n")
    folder = project.root / "supabase" / "functions" / "say-hello"
    assert {path.name for path in folder.iterdir()} == {"main.py"}
    text = (folder / "main.py").read_text()
    module = ast.parse(text)
    assert [node.name for node in module.body if isinstance(node, ast.AsyncFunctionDef)] == ["handle"]
    assert "http://127.0.0.1:4000/functions/v1/say-hello' \\\n" in (ast.get_docstring(module) or "")
    configuration = tomllib.loads((project.root / "supabase" / "config.toml").read_text())
    assert configuration["functions"]["say-hello"] == {
        "enabled": True,
        "verify_jwt": auth != "none",
        "entrypoint": "./functions/say-hello/main.py",
    }


def test_functions_in_python_are_listed_and_need_no_deno(project: LocalProject) -> None:
    assert project.minato("functions", "new", "hello", "--python").returncode == 0
    without = {"MINATO_FUNCTIONS_DENO": "/nowhere/deno"}
    assert project.minato("functions", "cache", "hello", **without).stdout == "Cached hello\n"
    (listed,) = json.loads(project.minato("functions", "list", "-o", "json", **without).stdout)
    assert (listed["status"], listed["entrypoint_path"]) == ("ACTIVE", "supabase/functions/hello/main.py")


def test_a_function_that_is_there_is_left_as_it_is(project: LocalProject) -> None:
    assert project.minato("functions", "new", "pay").returncode == 0
    index = project.root / "supabase" / "functions" / "pay" / "index.ts"
    index.write_text("mine")
    before = (project.root / "supabase" / "config.toml").read_text()
    ended = project.minato("functions", "new", "pay")
    assert ended.returncode == 1
    assert "failed to create entrypoint: open supabase/functions/pay/index.ts: file exists\n" in ended.stderr
    assert (index.read_text(), (project.root / "supabase" / "config.toml").read_text()) == ("mine", before)
    index.unlink()
    assert "[functions.pay] is already declared in" in project.minato("functions", "new", "pay").stderr
    assert (project.root / "supabase" / "config.toml").read_text() == before


def test_a_configuration_of_json_is_not_written_into(project: LocalProject) -> None:
    toml = project.root / "supabase" / "config.toml"
    file = toml.rename(toml.with_name("config.jsonc"))
    file.write_text("{} // mine")
    ended = project.minato("functions", "new", "pay")
    assert (ended.returncode, file.read_text(), toml.exists()) == (0, "{} // mine", False)
    assert 'Add "pay": {"verify_jwt": false} to functions in supabase/config.jsonc' in ended.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["new", "../evil"], "Invalid Function name. Must start with at least one letter, and only include"),
        (["new"], "accepts 1 arg(s), received 0"),
        (
            ["new", "a", "--auth", "all"],
            'invalid argument "all" for "--auth" flag: must be one of [ none | apikey | user',
        ),
        (["serve", "--no-verify-jwt"], "supabase start is not running."),
        (["invoke", "hello"], "supabase start is not running."),
        (["deploy", "hello", "--use-api"], "functions deploy belongs to the hosted service"),
        (["download"], "functions download belongs to the hosted service"),
        (["delete", "hello"], "functions delete belongs to the hosted service"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(project: LocalProject, words: list[str], sentence: str) -> None:
    ended = project.minato("functions", *words)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert sentence in ended.stderr
    assert not (project.root / "supabase" / "functions").exists()


def test_packages_are_fetched_before_the_first_start_and_outlive_every_database(project: LocalProject) -> None:
    project.write("functions/hello/index.ts", "Deno.serve(() => new Response('hello'))")
    assert project.minato("functions", "cache").stdout == "Cached hello\n"
    assert (project.data / ".gitignore").read_text() == "*\n"
    try:
        for _ in range(2):
            project.start()
            assert project.minato("stop", "--no-backup").returncode == 0
            assert {path.name for path in project.data.iterdir()} >= {"deno", ".gitignore"}
    finally:
        project.remove()


def test_a_function_that_cannot_be_fetched_keeps_no_other_from_it(project: LocalProject) -> None:
    project.write("functions/bad/index.ts", "import './missing.ts';")
    project.write("functions/good/index.ts", "Deno.serve(() => new Response('good'))")
    ended = project.minato("functions", "cache", "bad", "none", "good")
    assert (ended.returncode, ended.stdout) == (1, "Cached good\n")
    assert "Failed bad: Deno could not fetch what bad imports; it says above why.\n" in ended.stderr
    assert "Failed none: Function not found: none\n" in ended.stderr
    assert "Not cached: bad, none\n" in ended.stderr


def test_status_names_what_is_not_served_and_why(project: LocalProject) -> None:
    project.write("functions/hello/index.ts", "")
    reasons = {
        "pip install 'minato[functions]'": ({"MINATO_FUNCTIONS_DENO": "/nowhere"}, ()),
        "Edge Functions are switched off": ({}, ("-x", "edge-runtime")),
    }
    try:
        for reason, (settings, words) in reasons.items():
            started = project.start(*words, **settings)
            status = project.minato("status", "-o", "json")
            assert "FUNCTIONS_URL" not in json.loads(status.stdout)
            for told in (started.stderr, status.stderr):
                assert f"{reason}\n  Not served: hello\n" in told
            assert "supabase_edge_runtime_shop" in status.stderr
            project.minato("stop")
    finally:
        project.remove()
