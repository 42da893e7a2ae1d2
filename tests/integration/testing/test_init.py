"""`minato test init`: the npm package that the installation carries comes into a project, and npm installs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from minato import __version__
from minato.cli.local.failures import CommandFailure
from minato.cli.local.test_library import add_library

from tests.support.command import START_LIMIT, environment
from tests.support.copies import run

TABBED = '{\n\t"name": "shop",\n\t"devDependencies": {\n\t\t"vitest": "^3.2.0",\n\t\t"esbuild": "1"\n\t}\n}\n'
FILE = f"minato-test-{__version__}.tgz"


def init(folder: Path) -> subprocess.CompletedProcess[str]:
    return run(("test", "init"), cwd=folder, env=environment(), timeout=START_LIMIT)


def test_the_package_lies_in_the_project_and_npm_installs_it_without_a_network(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop", "private": true}')
    (tmp_path / "supabase").mkdir()
    (tmp_path / "supabase" / "minato-test-0.1.0.tgz").write_text("a former one")

    ended = init(tmp_path)

    assert ended.returncode == 0, ended.stderr
    assert "npm install" in ended.stderr + ended.stdout
    assert [path.name for path in (tmp_path / "supabase").iterdir()] == [FILE]
    npm = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(npm, cwd=tmp_path, check=True, capture_output=True)
    installed = json.loads((tmp_path / "node_modules" / "minato-test" / "package.json").read_text())
    assert installed["version"] == __version__
    assert (tmp_path / "node_modules" / "minato-test" / "dist" / "vitest.js").is_file()


def test_package_json_stays_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(TABBED)
    below = tmp_path / "apps" / "shop"
    below.mkdir(parents=True)

    assert init(below).returncode == 0
    assert init(below).returncode == 0

    added = f'\t\t"esbuild": "1",\n\t\t"minato-test": "file:{FILE}",\n\t\t"vitest": "^3.2.0"\n'
    assert (tmp_path / "package.json").read_text() == TABBED.replace(
        '\t\t"vitest": "^3.2.0",\n\t\t"esbuild": "1"\n', added
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["apps", FILE, "package.json"]


def test_without_a_package_json_or_the_package_it_says_what_helps(tmp_path: Path) -> None:
    with pytest.raises(CommandFailure, match=r"There is no package\.json"):
        add_library(tmp_path)
    (tmp_path / "package.json").write_text("[]")
    with pytest.raises(CommandFailure, match=r"is no package\.json"):
        add_library(tmp_path)
    (tmp_path / "package.json").write_text("{")
    with pytest.raises(CommandFailure, match="is no JSON"):
        add_library(tmp_path)
    with pytest.raises(CommandFailure, match="carries no minato-test"):
        add_library(tmp_path, tmp_path / "nothing")
    assert [path.name for path in tmp_path.iterdir()] == ["package.json"]
