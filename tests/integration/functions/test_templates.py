"""How `supabase functions new` began a function over the years: each runs as it is, without anything fetched."""

from __future__ import annotations

import pytest

from tests.integration.functions.conftest import Project

ANSWER = """async (request) => {
  const { name } = await request.json();
  const headers = { "Content-Type": "application/json" };
  return new Response(JSON.stringify({ message: `Hello ${name}!` }), { headers });
}"""
TYPES = "/edge-runtime.d.ts"


@pytest.mark.parametrize(
    "beginning",
    [
        f'import "jsr:@supabase/functions-js{TYPES}"; Deno.serve',
        f'import "jsr:@supabase/functions-js@2{TYPES}"; Deno.serve',
        f'import "https://esm.sh/@supabase/functions-js/src{TYPES}"; Deno.serve',
        f'import "https://esm.sh/v135/@supabase/functions-js@2.4.1/src{TYPES}"; Deno.serve',
        'import { serve } from "https://deno.land/std@0.168.0/http/server.ts"; serve',
        'import { serve } from "https://deno.land/std@0.131.0/http/server.ts"; serve',
        'import { serve } from "https://deno.land/std/http/server.ts"; serve',
        "Deno.serve",
    ],
)
async def test_a_template_greets_whoever_has_a_key_or_a_token(project: Project, beginning: str) -> None:
    project.write("closed/index.ts", f"{beginning}({ANSWER})")
    keys, token = project.minato.backend.api_keys, project.minato.token("11111111-1111-4111-8111-111111111111")
    async with project.minato.client() as client:
        for headers in (
            {"authorization": f"Bearer {token}", "apikey": keys.publishable},
            {"authorization": f"Bearer {keys.anon}"},
            {"authorization": "", "apikey": keys.secret},
        ):
            sent = {name: value for name, value in headers.items() if value}
            client.headers.pop("authorization", None)
            answer = await client.post("/functions/v1/closed", json={"name": "Ada"}, headers=sent)
            assert (answer.status_code, answer.json()) == (200, {"message": "Hello Ada!"}), headers


async def test_a_bare_name_of_the_types_counts_by_the_functions_deno_json(project: Project) -> None:
    project.write("open/deno.json", '{"imports": {"@supabase/functions-js": "jsr:@supabase/functions-js@^2"}}')
    project.write("open/index.ts", f'import "@supabase/functions-js{TYPES}"; Deno.serve({ANSWER})')
    assert (await project.call("open", json={"name": "Ada"})).json() == {"message": "Hello Ada!"}
