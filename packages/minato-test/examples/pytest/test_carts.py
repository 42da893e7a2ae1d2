import pytest
from minato.testing import Branch
from postgrest import APIError


def test_a_stranger_cannot_pay_for_me(branch: Branch) -> None:
    anna, tom = branch.as_("anna"), branch.as_("tom")  # people of users.toml
    cart = anna.table("carts").insert({"paid": False}).execute().data[0]

    changed = tom.table("carts").update({"paid": True}).eq("id", cart["id"]).execute()

    assert changed.data == []  # no error: the row is hidden from tom
    reason = branch.why("update", "carts", as_="tom", where=f"id=eq.{cart['id']}")
    assert "People see and pay their own carts" in reason["sentence"]


def test_a_refused_insert_has_a_reason(branch: Branch) -> None:
    with pytest.raises(APIError):
        branch.supabase.table("carts").insert({"paid": True}).execute()

    assert "Was the user signed in?" in branch.why_of("last:error")["sentence"]
    assert branch.sql("select id from public.carts where paid = $1", True) == []


def test_a_new_mail_is_waited_for_and_an_old_one_is_over(branch: Branch) -> None:
    branch.supabase.auth.sign_in_with_otp({"email": "new@example.com"})
    first = branch.mailbox.wait_for("new@example.com")  # up to 5 s
    branch.clock.advance("61m")
    branch.supabase.auth.sign_in_with_otp({"email": "new@example.com"})

    second = branch.mailbox.wait_for("new@example.com")

    assert second.code != first.code
    assert [mail.id for mail in branch.mailbox.list()] == [second.id, first.id]


def test_a_test_goes_back_to_where_it_stood(branch: Branch) -> None:
    anna = branch.as_("anna")
    anna.table("carts").insert({"paid": False}).execute()
    one = branch.snapshot("one-cart")
    anna.table("carts").insert({"paid": False}).execute()

    branch.reset(one)

    assert len(anna.table("carts").select("id").execute().data) == 1
