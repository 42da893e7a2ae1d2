"""Nobody is approved unseen: the database keeps who opened which file, and holds an approval to it."""

from __future__ import annotations

import asyncio
import json

import asyncpg
import pytest

from tests.integration.marketplace.cast import IDS, Stage, set_the_scene, sql
from tests.support.postgres import Cluster
from tests.support.waiting import until_somebody_is_locked_out

IDENTITY = f"{IDS['other_agent']}/identity.pdf"
COMPANY = f"{IDS['other_agent']}/company.pdf"
NEW = f"{IDS['other_agent']}/identity-2.pdf"
HAND_IN = f"""update agent_verifications set payment_status = 'received', company_name = 'Other Motors',
    identity_document_path = '{IDENTITY}', company_proof_path = '{COMPANY}', bio = 'x', experience = '5',
    languages = array['English'] where id = {{verification}}"""
APPROVE = "select admin_review_agent({other_agent}, 'approve')"
OPENED = "select array(select admin_opened_documents({verification}))"
REPLACE = f"""select submit_agent_verification(jsonb_build_object('company_name', 'Other Motors', 'experience', '5',
    'languages', 'English', 'identity_document_path', '{NEW}', 'payment_method', 'bank'))"""
ANEW = REPLACE.replace("'payment_method'", f"'company_proof_path', '{COMPANY}', 'payment_method'")
STATUS = "select verification_status from profiles where user_id = {other_agent}"


def opening(document: str, path: str) -> str:
    return f"select admin_open_document({{verification}}, '{document}', '{path}')"


BOTH = [opening("identity_document", IDENTITY), opening("company_proof", COMPANY)]


@pytest.fixture
async def stage(stage: Stage) -> Stage:
    """An agent has handed in two documents and paid."""
    await stage.db.execute(sql(HAND_IN))
    await stage.db.execute("insert into storage.objects (bucket_id, name) values ('verification-documents', $1)", NEW)
    return stage


async def refusal(stage: Stage) -> str:
    """Why the administrator may not approve yet."""
    await stage.act_as("admin")
    with pytest.raises(asyncpg.RaiseError) as caught:
        async with stage.db.transaction():
            await stage.db.execute(sql(APPROVE))
    await stage.act_as("owner")
    return str(caught.value.args[0])


async def test_each_document_is_opened_before_an_agent_is_approved(stage: Stage) -> None:
    assert "the identity document and the company proof" in await refusal(stage)
    await stage.value("admin", BOTH[0])
    assert (await refusal(stage)).startswith("Please open the company proof before you approve.")
    await stage.value("admin", BOTH[1])
    assert await stage.outcome("admin", APPROVE) == 1
    assert await stage.db.fetchval(sql(STATUS)) == "verified"


@pytest.mark.parametrize("decision", ["reject", "more_info"])
async def test_nothing_has_to_be_opened_to_send_a_submission_back(stage: Stage, decision: str) -> None:
    assert await stage.outcome("admin", f"select admin_review_agent({{other_agent}}, '{decision}', 'Blurred')") == 1


async def test_a_document_that_was_replaced_is_opened_again(stage: Stage) -> None:
    for opened in BOTH:
        await stage.value("admin", opened)
    assert await stage.outcome("other_agent", REPLACE) == 1
    assert await stage.value("admin", OPENED) == ["company_proof"]
    assert (await refusal(stage)).startswith("Please open the identity document before you approve.")
    assert await stage.outcome("admin", BOTH[0]) == "P0001", "what was replaced is opened no more"
    await stage.value("admin", opening("identity_document", NEW))
    assert await stage.outcome("admin", APPROVE) == 1


async def test_what_one_administrator_opened_another_has_not_seen(stage: Stage) -> None:
    for opened in BOTH:
        await stage.value("admin", opened)
    await stage.db.execute(sql("update admin_audit_log set admin_id = {nobody} where action = 'open_document'"))
    assert await stage.value("admin", OPENED) == []
    assert await stage.outcome("admin", APPROVE) == "P0001"


async def test_the_record_says_who_opened_which_file(stage: Stage) -> None:
    await stage.value("admin", BOTH[0])
    entry = (await stage.value("admin", "select admin_audit(p_limit => 1)"))["rows"][0]
    assert (entry["action"], entry["administrator"]) == ("open_document", "admin@minato.example")
    assert (entry["details"]["document"], entry["details"]["path"]) == ("identity_document", IDENTITY)


@pytest.mark.parametrize("who", ["anon", "other_agent", "importer", "service_role"])
async def test_nobody_else_opens_documents_on_record(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, BOTH[0]) == "42501"


async def test_a_document_is_not_written_over(stage: Stage) -> None:
    change = f"update storage.objects set metadata = '{{}}' where name = '{IDENTITY}'"
    assert await stage.outcome("other_agent", change) == 0


async def as_person(address: str, who: str) -> asyncpg.Connection:
    """A connection on which somebody acts."""
    db = await asyncpg.connect(address)
    claims: dict[str, object] = {"sub": IDS[who], "role": "authenticated", "email": f"{who}@minato.example"}
    claims["app_metadata"] = {"role": "admin"} if who == "admin" else {}
    await db.execute("select set_config('request.jwt.claims', $1, false)", json.dumps(claims))
    await db.execute("set role authenticated")
    return db


async def test_a_replacement_and_an_approval_at_once_are_one_after_the_other(cluster: Cluster) -> None:
    async with cluster.fresh_database() as address:
        owner = await asyncpg.connect(address.admin)
        await set_the_scene(owner)
        await owner.execute(sql(HAND_IN))
        await owner.execute("insert into storage.objects (bucket_id, name) values ('verification-documents', $1)", NEW)
        agent, admin = [await as_person(address.admin, who) for who in ("other_agent", "admin")]
        for opened in BOTH:
            await admin.execute(sql(opened))

        # the agent is first: the approval waits, and then finds a document nobody has looked at
        replacing = agent.transaction()
        await replacing.start()
        await agent.execute(REPLACE)
        approval = asyncio.create_task(admin.execute(sql(APPROVE)))
        await until_somebody_is_locked_out(owner)
        await replacing.commit()
        with pytest.raises(asyncpg.RaiseError, match="Please open the identity document"):
            await approval
        assert await owner.fetchval(sql(STATUS)) == "pending"

        # the administrator is first: the replacement waits, and then finds a verified account
        await admin.execute(sql(opening("identity_document", NEW)))
        approving = admin.transaction()
        await approving.start()
        await admin.execute(sql(APPROVE))
        replacement = asyncio.create_task(agent.execute(ANEW))
        await until_somebody_is_locked_out(owner)
        await approving.commit()
        with pytest.raises(asyncpg.RaiseError, match="This account is verified already"):
            await replacement
        assert await owner.fetchval(sql(STATUS)) == "verified"
        for db in (agent, admin, owner):
            await db.close()
