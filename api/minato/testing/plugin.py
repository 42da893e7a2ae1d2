"""The pytest plugin. Whoever merely has minato installed is given nothing: `minato_fixtures = true` asks for them."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one setting."""
    said = "Give tests the fixtures of Minato: branch, module_branch, session_branch, minato_server, minato_source."
    parser.addini("minato_fixtures", said, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Nothing else is imported before it is wanted."""
    if config.getini("minato_fixtures"):
        from minato.testing import fixtures

        config.pluginmanager.register(fixtures, "minato-fixtures")
