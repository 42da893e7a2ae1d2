"""Answers that break, are too large or of two minds: what the caller is told, and when."""

from __future__ import annotations

import time

import pytest

from tests.integration.functions.conftest import Project

# The server's patience with a process that ends; who goes on is not waited for.
AT_ONCE = 3.0


@pytest.mark.parametrize(
    "body",
    [
        "start(out) { out.error(new Error('at once')); }",
        "pull() { throw new Error('at once'); }",
    ],
)
async def test_a_body_that_fails_at_once_is_answered_at_once(project: Project, body: str) -> None:
    """Its process goes on, so nobody waits for its end."""
    project.write("tick/index.ts", f"Deno.serve(() => new Response(new ReadableStream({{ {body} }})));")
    await project.call("tick")
    began = time.monotonic()
    answer = await project.call("tick")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
    assert time.monotonic() - began < AT_ONCE
    assert len(project.slots("tick")) == 1
