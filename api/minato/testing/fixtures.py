"""The fixtures: a branch for each test, each module, each process of the run."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from minato.testing.branch import Branch
from minato.testing.report import keep, keeps, report
from minato.testing.server import Server, find_server

KEPT = "minato_kept"
_KEPT: list[str] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a failed test's branches did stands below its failure."""
    outcome = yield
    given = getattr(item, "funcargs", {}).values() if outcome.failed and outcome.when != "teardown" else ()
    for branch in [each for each in given if isinstance(each, Branch)]:
        branch.is_failed = True
        said = [*([keep(branch)] if keeps(True) else []), report(branch)]
        outcome.sections.append(("Minato", "\n".join(said)))
    return outcome


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist has no terminal: it hands on what it would say there."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[KEPT] = _KEPT


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """What such a process handed on; one that crashed handed on nothing."""
    _KEPT.extend(getattr(node, "workeroutput", {}).get(KEPT, []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Where the branches are that stay."""
    for said in _KEPT:
        terminalreporter.write_line(said)


@pytest.fixture(scope="session")
def minato_server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server, which all processes of pytest-xdist share."""
    folder = tmp_path_factory.getbasetemp()
    is_of_several = hasattr(request.config, "workerinput")
    server = find_server((folder.parent if is_of_several else folder) / "minato-server")
    yield server
    server.release()


@pytest.fixture
def minato_source() -> str:
    """What `branch` begins as; a module or a class that wants another has a fixture of this name."""
    return "base"


@pytest.fixture
def branch(request: pytest.FixtureRequest, minato_server: Server, minato_source: str) -> Iterator[Branch]:
    """Of this test alone."""
    with _lent(minato_server, request.node.nodeid, minato_source) as branch:
        yield branch


@pytest.fixture(scope="module")
def module_branch(request: pytest.FixtureRequest, minato_server: Server) -> Iterator[Branch]:
    """Of the tests of this module."""
    with _lent(minato_server, request.node.nodeid) as branch:
        yield branch


@pytest.fixture(scope="session")
def session_branch(minato_server: Server) -> Iterator[Branch]:
    """Of all tests of this process."""
    with _lent(minato_server, "a process of pytest") as branch:
        yield branch


@contextmanager
def _lent(server: Server, label: str, source: str = "base") -> Iterator[Branch]:
    branch = Branch.open(server.url, source=source, label=label)
    try:
        yield branch
    finally:
        if not keeps(branch.is_failed):
            branch.drop()
        elif not branch.is_failed:
            # That of a failed test has told of it in its report.
            _KEPT.append(keep(branch))
