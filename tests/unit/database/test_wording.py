"""What errors mean, whatever language PostgreSQL speaks: the texts are those of its catalogues of messages."""

from __future__ import annotations

import pytest
from minato.database.wire.session import StatementError
from minato.database.wording import is_refused_by_policy, is_still_referenced, is_unknown_role, is_without_partition
from minato.realtime.authorization import AuthorizationUnavailable, _failure
from minato.rest.sqlstate import database_error
from minato.storage.errors import from_database

CHECKED = {"C": "22023", "R": "call_string_check_hook"}
ROLES = [
    "Rolle »nobody« existiert nicht",
    "no existe el rol «nobody»",
    "le rôle « nobody » n'existe pas",
    'ロール"nobody"は存在しません',
    'роль "nobody" не существует',
    '角色 "nobody" 不存在',
]
POINTS_AT = {"C": "23503", "R": "ri_ReportViolation", "t": "objects", "n": "objects_bucketId_fkey"}
STILL = {
    **POINTS_AT,
    "M": "Aktualisieren oder Löschen …",
    "D": "Auf Schlüssel (id)=(1) wird noch aus Tabelle »objects« …",
}
LACKS = {
    **POINTS_AT,
    "M": "Einfügen oder Aktualisieren …",
    "D": "Schlüssel (bucket_id)=(9) ist nicht in Tabelle »buckets« …",
}


@pytest.mark.parametrize("message", ROLES)
def test_an_unknown_role_is_told_in_any_language(message: str) -> None:
    assert is_unknown_role({**CHECKED, "M": message})
    assert database_error({**CHECKED, "M": message}, authenticated=True).status == 401
    assert from_database(StatementError({**CHECKED, "M": message})).status == 401


@pytest.mark.parametrize(
    "message",
    [
        'invalid value for parameter "TimeZone": "nowhere"',
        "ungültiger Wert für Parameter »TimeZone«: »nowhere«",
        'パラメータ"TimeZone"の値が不正です: "nowhere"',
    ],
)
def test_another_setting_that_is_looked_up_is_no_role(message: str) -> None:
    assert not is_unknown_role({**CHECKED, "M": message})


def test_a_policy_is_told_from_a_missing_right() -> None:
    refused = {"C": "42501", "R": "ExecWithCheckOptions", "M": "neue Zeile verletzt Policy …"}
    assert is_refused_by_policy(refused)
    assert from_database(StatementError(refused)).message == "new row violates row-level security policy"
    assert not is_refused_by_policy(
        {"C": "42501", "R": "aclcheck_error", "M": "keine Berechtigung für Tabelle objects"}
    )


def test_what_is_still_used_is_told_from_what_is_missing() -> None:
    assert is_still_referenced(STILL)
    assert not is_still_referenced(LACKS)
    assert from_database(StatementError(STILL)).code == "ResourceReferenced"
    assert from_database(StatementError(LACKS)).code != "ResourceReferenced"


@pytest.mark.parametrize("sqlstate", ["57P01", "57P02", "57P03", "57P04", "57P05"])
def test_a_server_that_ends_the_session_has_refused_nobody(sqlstate: str) -> None:
    ended = StatementError({"C": sqlstate, "M": "terminating connection"})
    assert from_database(ended).status == 503
    assert isinstance(_failure(ended), AuthorizationUnavailable)
    assert database_error(ended.fields, authenticated=True).status == 503


def test_a_missing_partition_is_no_refusal() -> None:
    missing = {"C": "23514", "R": "ExecFindPartition", "M": "keine Partition von Relation »messages« …"}
    assert is_without_partition(missing)
    assert isinstance(_failure(StatementError(missing)), AuthorizationUnavailable)
