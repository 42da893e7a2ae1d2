"""The database and auth call functions, and functions call back: a hook, a webhook's trigger and a job, whole."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg
import pytest
from minato.config.auth import AuthSettings
from minato.config.functions import FunctionSettings, FunctionsSettings
from minato.config.server import ServerSettings

from tests.integration.functions.conftest import Project
from tests.support.cron import without_jobs
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for
from tests.support.waiting import until_rows

KEY = base64.b64encode(b"a shared secret of 32 bytes long").decode()
HOOKS = "http://host.docker.internal:54321/functions/v1"
OPEN = FunctionSettings(verify_jwt=False)
# Whether the hook was signed by who knows the secret, and what it adds to the claims.
CLAIMS_PYTHON = """import base64, hashlib, hmac, json, os, httpx
from starlette.responses import JSONResponse

def is_signed(headers, body):
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(os.environ["HOOK_SECRET"].removeprefix("v1,whsec_"))
    good = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return hmac.compare_digest(headers["webhook-signature"], "v1," + good)

async def handle(request):
    body = await request.body()
    if not is_signed(request.headers, body):
        return JSONResponse({"error": {"http_code": 401, "message": "not signed"}})
    event = json.loads(body)
    key = os.environ["SUPABASE_SERVICE_ROLE_KEY"]
    who = {"apikey": key, "authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=os.environ["SUPABASE_URL"], headers=who, timeout=30) as client:
        found = await client.get(f"/auth/v1/admin/users/{event['user_id']}")
    return JSONResponse({"claims": {**event["claims"], "plan": "gold", "known": found.json().get("email")}})
"""
CALLED_DENO = """Deno.serve(async (request) => {
  const told = await request.json();
  const key = Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")!;
  await fetch(`${Deno.env.get("SUPABASE_URL")}/rest/v1/heard`, { method: "POST", body: JSON.stringify({
    by: "deno", what: told.record?.name ?? told.what }), headers: { apikey: key, authorization: `Bearer ${key}`,
    "content-type": "application/json" } });
  return Response.json("written");
});"""
CALLED_PYTHON = """import os, httpx
from starlette.responses import JSONResponse
async def handle(request):
    told = await request.json()
    key = os.environ["SUPABASE_SERVICE_ROLE_KEY"]
    async with httpx.AsyncClient(headers={"apikey": key, "authorization": f"Bearer {key}"}) as client:
        row = {"by": "python", "what": (told.get("record") or {}).get("name") or told.get("what")}
        await client.post(f"{os.environ['SUPABASE_URL']}/rest/v1/heard", json=row)
    return JSONResponse("written")
"""
TABLES = """
create extension if not exists pg_net with schema extensions;
create extension if not exists pg_cron with schema pg_catalog;
create table public.cars (id int generated always as identity primary key, name text);
create table public.heard (by text, what text);
alter table public.heard enable row level security;
create trigger "deno" after insert on public.cars for each row execute function supabase_functions.http_request(
    'http://kong:8000/functions/v1/called_deno', 'POST', '{"Content-Type":"application/json"}', '{}', '30000');
create trigger "python" after insert on public.cars for each row execute function supabase_functions.http_request(
    'http://kong:8000/functions/v1/called_python', 'POST', '{"Content-Type":"application/json"}', '{}', '30000');
"""


@pytest.fixture(scope="module")
async def project(cluster: Cluster) -> AsyncIterator[Project]:
    """One whose tokens are made with a function, written first in Python."""
    names = ("claims", "called_deno", "called_python")
    with TemporaryDirectory(dir="/var/tmp") as folder:
        root, data = Path(folder), Path(folder) / "data"
        (root / "supabase" / "functions").mkdir(parents=True)
        settings = settings_for(
            data,
            server=ServerSettings(data_dir=data, environment="development", web_root=None, project=root),
            functions=FunctionsSettings.of(
                {"MINATO_FUNCTIONS_SECRETS": f'{{"HOOK_SECRET": "v1,whsec_{KEY}"}}'}
            ).model_copy(update={"config": dict.fromkeys(names, OPEN)}),
            auth=AuthSettings(
                hook_custom_access_token_enabled=True,
                hook_custom_access_token_uri=f"{HOOKS}/claims",
                hook_custom_access_token_secrets=f"v1,whsec_{KEY}",
                hook_http_backoff=0,
                mailer_autoconfirm=True,
            ),
        )
        async with without_jobs(cluster) as address, running(address, settings) as server:
            owner = await asyncpg.connect(cluster.url(address, "postgres"))
            await owner.execute(TABLES)
            await owner.close()
            made = Project(server, root / "supabase")
            made.write("claims/main.py", CLAIMS_PYTHON)
            made.write("called_deno/index.ts", CALLED_DENO)
            made.write("called_python/main.py", CALLED_PYTHON)
            yield made


async def test_a_function_makes_the_claims_and_asks_auth_while_the_sign_in_waits(project: Project) -> None:
    async with project.minato.client() as client:
        new = {"email": "anna@example.com", "password": "a good long password"}
        session = (await client.post("/auth/v1/signup", json=new)).json()
        claims = project.minato.backend.keys.verify(session["access_token"])
        # Of the sign-up's own transaction nobody else sees the user yet.
        assert claims["plan"] == "gold"
        again = (await client.post("/auth/v1/token?grant_type=password", json=new)).json()
        claims = project.minato.backend.keys.verify(again["access_token"])
        assert (claims["plan"], claims["known"]) == ("gold", "anna@example.com")


async def test_more_sign_ins_than_connections_do_not_wait_for_each_other(project: Project) -> None:
    new = {"email": "many@example.com", "password": "a good long password"}
    async with project.minato.client() as client:
        assert (await client.post("/auth/v1/signup", json=new)).status_code == 200
        grants = [client.post("/auth/v1/token?grant_type=password", json=new) for _ in range(12)]
        answers = await asyncio.gather(*grants)
    assert [(answer.status_code, answer.text) for answer in answers if answer.status_code != 200] == []


async def test_a_row_calls_functions_that_write_with_the_services_key(project: Project) -> None:
    await project.minato.db.execute("insert into public.cars (name) values ('Föhr')")
    both = "select array_agg(by || ' ' || what order by by) = '{deno Föhr,python Föhr}' from public.heard"
    await until_rows(project.minato.db, both)


async def test_a_job_calls_a_function_with_a_secret_of_the_vault(project: Project, cluster: Cluster) -> None:
    database = project.minato.db
    await database.execute("select vault.create_secret($1, 'key')", project.minato.anon_key)
    await database.execute(
        """select cron.schedule('call', '1 second', $$select net.http_post(
            url := 'http://host.docker.internal:54321/functions/v1/called_python', body := '{"what": "by the clock"}',
            headers := jsonb_build_object('authorization', 'Bearer ' ||
                (select decrypted_secret from vault.decrypted_secrets where name = 'key')))$$)"""
    )
    heard = "select count(*) > 0 from public.heard where what = 'by the clock'"
    async with asyncio.timeout(60):
        while not await database.fetchval(heard):
            project.minato.backend.clock.advance(timedelta(seconds=2))
            await asyncio.sleep(0.05)
    await database.execute("select cron.unschedule('call')")
