"""Branches with keys of their own, and with chance that repeats itself."""

from __future__ import annotations

from typing import Any

import httpx

from tests.support.hosted import CONTROL, Backed, Hosted

EMAIL = "anna@example.com"


async def status(branch: Backed, key: str) -> int:
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=branch.url, headers=headers) as client:
        return (await client.get("/rest/v1/notes")).status_code


async def test_keys_of_its_own_open_a_branch_and_nothing_else(hosted: Hosted) -> None:
    shared, own, other = await hosted.branch(), await hosted.branch(keys="own"), await hosted.branch(keys="own")
    assert own.told["keys"] == "own"
    for name in ("anon_key", "service_role_key", "publishable_key", "secret_key", "jwt_secret", "s3_access_key_secret"):
        assert len({shared.told[name], own.told[name], other.told[name]}) == 3, name
    for name in ("anon_key", "service_role_key", "publishable_key", "secret_key"):
        assert await status(own, own.told[name]) == 200
        assert await status(shared, own.told[name]) == await status(other, own.told[name]) == 401
        assert await status(own, shared.told[name]) == 401


async def test_a_reset_keeps_keys_and_seed(hosted: Hosted) -> None:
    own = await hosted.branch(keys="own", seed=7)
    again = (await hosted.control.post(f"{CONTROL}/{own.told['id']}/reset")).json()
    for name in ("url", "anon_key", "jwt_secret", "keys", "seed"):
        assert again[name] == own.told[name]


async def signed_up(branch: Backed) -> dict[str, Any]:
    """Ids and codes of somebody who signs up, all made by the branch."""
    async with branch.public() as client:
        answer = await client.post("/auth/v1/signup", json={"email": EMAIL, "password": "correct horse"})
        (mail,) = (await client.get("/_dev/outbox", params={"to": EMAIL})).json()
        return {"id": answer.json()["id"], "code": mail["token"], "hash": mail["token_hash"]}


async def test_the_same_seed_draws_the_same_ids_and_codes(hosted: Hosted) -> None:
    one, same = await hosted.branch(seed=7), await hosted.branch(seed=7)
    other, chance = await hosted.branch(seed=8), await hosted.branch()
    first = await signed_up(one)
    assert await signed_up(same) == first
    for branch in (other, chance):
        drawn = await signed_up(branch)
        assert all(drawn[name] != first[name] for name in first)


async def test_a_seed_that_is_none_is_refused(hosted: Hosted) -> None:
    for wrong in ({"seed": -1}, {"seed": "x"}, {"keys": "mine"}, {"seed": 2**63}):
        answer = await hosted.control.post(CONTROL, json=wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")


async def test_other_issuers_are_known_to_main_and_every_branch(hosted: Hosted) -> None:
    shared, own = await hosted.branch(), await hosted.branch(keys="own")
    for branch in (shared, own):
        assert branch.backend.third_party is hosted.main.backend.third_party
