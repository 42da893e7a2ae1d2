"""The example of all settings is one that works: what it shows can be written into the environment as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.config import Settings
from minato.config.example import render_example

from tests.support.command import run_minato, served

SHOWN = [line.removeprefix("# ").partition("=") for line in render_example().splitlines() if line.startswith("# ")]
EXAMPLE = {name: value for name, mark, value in SHOWN if mark and name.isidentifier() and name.isupper()}
VERSION = "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION"
# Where the server stands and what it stands on is the test's own.
PLACES = {"MINATO_HOST", "MINATO_PORT", "MINATO_DATA_DIR", "DATABASE_URL", "AUTHENTICATOR_URL"}


@pytest.mark.parametrize("name", EXAMPLE)
def test_each_value_of_the_example_is_understood(name: str) -> None:
    Settings.of({name: EXAMPLE[name]})


def test_a_server_starts_with_all_values_of_the_example(tmp_path: Path) -> None:
    shown = {name: value for name, value in EXAMPLE.items() if name not in PLACES}
    assert len(shown) > 300
    with served(tmp_path, **shown) as server:
        assert server.info["url"].startswith("http://")


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_a_variable_chooses_the_version_of_refresh_tokens(version: str) -> None:
    assert Settings.of({VERSION: version}).auth.security_refresh_token_algorithm_version == int(version)


@pytest.mark.parametrize("version", ["3", "-1", "two"])
def test_a_version_of_refresh_tokens_that_is_none_stops_the_start(tmp_path: Path, version: str) -> None:
    refused = run_minato("serve", "--port", "0", "--data-dir", str(tmp_path), **{VERSION: version})
    assert (refused.returncode, VERSION in refused.stderr or "algorithm_version" in refused.stderr) == (1, True)
