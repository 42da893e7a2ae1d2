"""What went wrong in a function is told with file and line of its source, in the answer and in its log."""

from __future__ import annotations

import json

import pytest

from tests.integration.functions.conftest import Project

DEEP = """interface Nothing { a: number }
type Text = { b: string };

export function deep(nothing: Nothing, text?: Text): never {
  throw new Error("outer", { cause: new TypeError(`inner ${nothing.a}`) });
}
"""
OPEN = """import { deep } from "../_shared/deep.ts";
enum Kind { A, B }
Deno.serve((request) => {
  const kind = new URL(request.url).searchParams.get("kind");
  if (kind === "thrown") deep({ a: Kind.B });
  if (kind === "rejected") Promise.reject(new Error("nobody waits"));
  if (kind === "behind") EdgeRuntime.waitUntil((async () => { await 1; throw new Error("behind"); })());
  if (kind === "shown") console.warn("oh", new Error("looked at"));
  return new Response("went on");
});
"""


def said(project: Project, name: str, request_id: str) -> str:
    log = project.minato.backend.settings.server.data_dir / "functions" / f"{name}.log"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return "\n".join(line["text"] for line in lines if line["request_id"] == request_id)


@pytest.mark.parametrize(
    ("kind", "words", "place"),
    [
        ("thrown", "[cause]: TypeError: inner 1", "_shared/deep.ts:5:"),
        ("rejected", "Uncaught Error: nobody waits", "open/index.ts:6:"),
        ("behind", "Error: behind", "open/index.ts:7:"),
        ("shown", "oh Error: looked at", "open/index.ts:8:"),
    ],
)
async def test_an_error_is_in_the_log_by_its_request_with_the_line_of_the_source(
    project: Project, kind: str, words: str, place: str
) -> None:
    project.write("_shared/deep.ts", DEEP)
    project.write("open/index.ts", OPEN)
    answer = await project.call(f"open?kind={kind}")
    # Another request waits for what the first has said.
    await project.call("open")
    told = said(project, "open", answer.headers["x-request-id"])
    assert words in told
    assert place in told
    assert "boot.ts" not in told
    assert "ext:" not in told
    if kind == "thrown":
        assert answer.json()["trace"] == told


@pytest.mark.parametrize(
    ("source", "words", "place"),
    [
        ("const a = 1;\nconst b = ;", "SyntaxError: Expression expected", "broken/index.ts:2:11"),
        ("interface A {}\n\n(undefined as any).x;", "Cannot read properties of undefined", "broken/index.ts:3:"),
        ("import './none.ts';", "Module not found", "broken/index.ts:1:8"),
    ],
)
async def test_a_function_that_does_not_begin_says_where(project: Project, source: str, words: str, place: str) -> None:
    project.write("broken/index.ts", source)
    trace = (await project.call("broken")).json()["trace"]
    assert words in trace
    assert place in trace
    assert "boot.ts" not in trace
