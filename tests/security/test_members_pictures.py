"""Pictures of members are files of this server; those of offers are, too, or lie at a plain web address elsewhere."""

from __future__ import annotations

import pytest

from tests.support.marketplace import ALL_IDS, Market, market

__all__ = ["market"]

AGENT, OTHER = ALL_IDS["agent"], ALL_IDS["other_agent"]
AVATAR = f"/storage/v1/object/public/profiles/{AGENT}/avatar.png"
PICTURE = f"/storage/v1/object/public/car-images/{AGENT}/aqua.jpg"
FOREIGN = [
    "https://tracker.example/pixel.gif",
    "//tracker.example/storage/v1/object/public/profiles/x/avatar.png",
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "https://user@tracker.example\\@here/storage/v1/object/public/profiles/x",
    "/storage/v1/object/public/verification-documents/x/identity.png",
    f"/storage/v1/object/public/profiles/{OTHER}/avatar.png",
    f"/storage/v1/object/sign/profiles/{AGENT}/avatar.png?token=x",
    f"https://tracker.example/?a=/storage/v1/object/public/profiles/{AGENT}/avatar.png",
]
NO_ADDRESS = [
    "javascript:alert(1)",
    "data:image/png;base64,AAAA",
    "ftp://example.com/a.jpg",
    "//tracker.example/a.jpg",
    "aqua.jpg",
    "https://",
    "https:///a.jpg",
    "https://?a.jpg",
    "https://user@example.com/a.jpg",
    "https://user:secret@example.com/a.jpg",
    "https://tracker.example\\@here/a.jpg",
    "https://example.com/a b.jpg",
    "https://example.com/a\n.jpg",
    "https://example.com/a\u007f.jpg",
    "https://example.com/\u202egpj.a",
    " https://example.com/a.jpg",
    "https://example.com/" + "a" * 2029,
    f"/storage/v1/object/public/car-images/{OTHER}/a.jpg",
    "/storage/v1/object/public/verification-documents/x/identity.png",
]
WEB_ADDRESSES = [
    "https://cars.example/aqua.jpg",
    "http://cars.example:8080/a@2x.jpg?width=900&sign=a%2Fb#top",
    "HTTPS://cars.example",
    "https://[2001:db8::1]/a.jpg",
    "https://cars.example/\u5199\u771f.jpg",
    "https://other.example/storage/v1/object/public/photos/a.jpg",
    "https://cars.example/" + "a" * 2027,
]


@pytest.mark.parametrize("url", FOREIGN)
async def test_a_member_has_no_picture_from_elsewhere(market: Market, url: str) -> None:
    async with market.as_("agent") as client:
        answer = await client.patch(f"/profiles?user_id=eq.{AGENT}", json={"avatar_url": url})
    assert (answer.status_code, answer.json()["code"]) == (400, "23514")


@pytest.mark.parametrize("url", NO_ADDRESS)
async def test_what_is_neither_a_web_address_nor_uploaded_here_is_no_picture_of_an_offer(
    market: Market, url: str
) -> None:
    async with market.as_("agent") as client:
        for row in ({"image_url": url}, {"image_urls": [PICTURE, url]}):
            made = await client.post("/agent_posts", json={"agent_id": AGENT, "car_name": "a", "model": "b", **row})
            changed = await client.patch(f"/agent_posts?id=eq.{ALL_IDS['post']}", json=row)
            assert [made.json()["code"], changed.json()["code"]] == ["23514", "23514"], row
            assert "web address" in made.json()["message"]


@pytest.mark.parametrize("url", WEB_ADDRESSES)
async def test_an_offer_keeps_a_web_address_elsewhere_as_it_was_written(market: Market, url: str) -> None:
    row = {"image_url": url, "image_urls": [PICTURE, url]}
    async with market.as_("agent", prefer="tx=rollback, return=representation") as client:
        made = await client.post(
            "/agent_posts?select=image_url,image_urls", json={"agent_id": AGENT, "car_name": "a", "model": "b", **row}
        )
        changed = await client.patch(f"/agent_posts?id=eq.{ALL_IDS['post']}&select=image_url,image_urls", json=row)
    assert [made.json(), changed.json()] == [[row], [row]]


async def test_an_address_of_this_server_is_a_picture_of_the_agent_or_none(market: Market) -> None:
    await market.run("insert into app_settings values ('public_url', '\"https://here.example\"')")
    try:
        async with market.as_("agent") as client:
            for path in (f"/storage/v1/object/public/car-images/{OTHER}/a.jpg", "/auth/v1/logout"):
                row = {"image_url": f"https://Here.example{path}"}
                answer = await client.patch(f"/agent_posts?id=eq.{ALL_IDS['post']}", json=row)
                assert answer.json()["code"] == "23514"
    finally:
        await market.run("delete from app_settings where key = 'public_url'")


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        (AVATAR, AVATAR),
        (f"{AVATAR}?v=1763784000000", f"{AVATAR}?v=1763784000000"),
        (f"https://here.example{AVATAR}?v=1", f"https://here.example{AVATAR}?v=1"),
        (f"http://localhost:5173{AVATAR}", AVATAR),
        (f"https://tracker.example/prefix{AVATAR}", f"/prefix{AVATAR}"),
        (None, None),
    ],
)
async def test_an_own_picture_is_kept_without_any_host_but_ours(
    market: Market, url: str | None, kept: str | None
) -> None:
    await market.run("insert into app_settings values ('public_url', '\"https://here.example\"')")
    try:
        async with market.as_("agent", prefer="tx=rollback, return=representation") as client:
            answer = await client.patch(f"/profiles?user_id=eq.{AGENT}&select=avatar_url", json={"avatar_url": url})
        assert answer.json() == [{"avatar_url": kept}]
    finally:
        await market.run("delete from app_settings where key = 'public_url'")


async def test_an_offer_shows_pictures_of_its_agent_and_samples(market: Market) -> None:
    row = {"image_url": PICTURE, "image_urls": [PICTURE, "/storage/v1/object/public/car-images/samples/a%20b.svg"]}
    async with market.as_("agent", prefer="tx=rollback, return=representation") as client:
        answer = await client.patch(f"/agent_posts?id=eq.{ALL_IDS['post']}&select=image_url,image_urls", json=row)
    assert answer.json() == [row]


async def test_a_picture_from_before_stays_while_other_columns_change(market: Market) -> None:
    await market.run("update profiles set avatar_url = 'https://old.example/a.png' where user_id = {agent}")
    try:
        async with market.as_("agent") as client:
            row = {"city": "Kobe", "avatar_url": "https://old.example/a.png"}
            answer = await client.patch(f"/profiles?user_id=eq.{AGENT}", json=row)
        assert answer.status_code == 204
    finally:
        await market.run("update profiles set avatar_url = null where user_id = {agent}")
