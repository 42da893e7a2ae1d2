"""Single sign-on attacked: forged, wrapped, strayed, repeated and poisoned answers of an identity provider.

Whoever attacks holds a genuine, signed assertion about a person of no importance and wants to be the director.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import AsyncIterator, Callable

import pytest
from minato.config.auth import AuthSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.test_single_sign_on import ACS, depart, enter, post
from tests.integration.auth.oauth.walk import APP, Landing, bearer, landing
from tests.support.postgres import Cluster
from tests.support.saml_idp import IdentityProvider, private_key
from tests.support.server import Minato, running, settings_for

DIRECTOR, PERSON = "director", "person-1"
ASSERTION = re.compile(r"<a:Assertion .*?</a:Assertion>", re.S)
SIGNATURE = re.compile(r"<ds:Signature.*?</ds:Signature>", re.S)
SHA1 = ("http://www.w3.org/2000/09/xmldsig#rsa-sha1", "http://www.w3.org/2000/09/xmldsig#sha1")
SHA256 = ("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "http://www.w3.org/2001/04/xmlenc#sha256")


@pytest.fixture(scope="module")
async def guild(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server for organisations."""
    auth = AuthSettings(
        saml_enabled=True, saml_private_key=SecretStr(private_key()), uri_allow_list="https://app.example/**"
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


async def arrive(guild: Minato, form: dict[str, str]) -> Landing:
    return landing((await post(guild, form)).headers["location"])


async def outcome(guild: Minato, form: dict[str, str]) -> str:
    """Who was signed in, or `refused`; nothing else may come of it."""
    answer = await post(guild, form)
    end = landing(answer.headers["location"])
    if answer.status_code == 303:
        assert "access_token" not in end.fragment
        assert end.query["error_code"] in ("validation_failed", "saml_idp_not_found", "saml_assertion_no_user_id")
        return "refused"
    async with guild.client() as client:
        user = (await client.get("/auth/v1/user", headers=bearer(end.fragment))).json()
    return str(user["identities"][0]["identity_data"]["sub"])


def unrequested(guild: Minato, idp: IdentityProvider) -> str:
    """The XML of an answer nobody asked for, about the person of no importance."""
    response = idp.response(f"{guild.url}{ACS}", f"{guild.url}/auth/v1/sso/saml/metadata", mail="p@guild.example")
    return base64.b64decode(response).decode()


def form_of(xml: str, **further: str) -> dict[str, str]:
    return {"SAMLResponse": base64.b64encode(xml.encode()).decode(), **further}


async def requested(guild: Minato, idp_domain: str) -> str:
    """The URL of the identity provider that a sign-in of ours leaves for."""
    return str((await depart(guild, domain=idp_domain)).json()["url"])


async def test_the_genuine_answer_that_all_attacks_begin_with_is_accepted(guild: Minato) -> None:
    idp, _ = await enter(guild)
    assert await outcome(guild, form_of(unrequested(guild, idp))) == PERSON


def _forged(assertion: str) -> str:
    """The assertion as the attacker wants it: another id, the director's name, no signature."""
    bare = SIGNATURE.sub("", assertion)
    return re.sub(r' ID="_[0-9a-f]+"', ' ID="_forged"', bare, count=1).replace(PERSON, DIRECTOR)


def _id(assertion: str) -> str:
    found = re.search(r' ID="(_[0-9a-f]+)"', assertion)
    assert found is not None
    return found[1]


def _inside(forged: str, inner: str) -> str:
    return forged.replace("</a:Assertion>", f"{inner}</a:Assertion>")


def _before(forged: str, genuine: str) -> str:
    return forged + genuine


def _after(forged: str, genuine: str) -> str:
    return genuine + forged


def _in_forged(forged: str, genuine: str) -> str:
    return _inside(forged, genuine)


def _in_genuine(forged: str, genuine: str) -> str:
    return _inside(genuine, forged)


def _with_its_signature(forged: str, genuine: str) -> str:
    """The genuine signature in the forged assertion, what it signs inside the signature's own object."""
    signature = SIGNATURE.findall(genuine)[0]
    wrapped = signature.replace(
        "</ds:Signature>", f"<ds:Object>{SIGNATURE.sub('', genuine)}</ds:Object></ds:Signature>"
    )
    return forged.replace("</a:Issuer>", f"</a:Issuer>{wrapped}", 1)


def _signature_moved(forged: str, genuine: str) -> str:
    """The genuine signature in the forged assertion, what it signs in front."""
    signature = SIGNATURE.findall(genuine)[0]
    return SIGNATURE.sub("", genuine) + forged.replace("</a:Issuer>", f"</a:Issuer>{signature}", 1)


def _same_id(forged: str, genuine: str) -> str:
    return forged.replace("_forged", _id(genuine)) + genuine


def _in_advice(forged: str, genuine: str) -> str:
    return forged.replace("</a:Conditions>", f"</a:Conditions><a:Advice>{genuine}</a:Advice>")


def _in_extensions(forged: str, genuine: str) -> str:
    return f"<p:Extensions>{genuine}</p:Extensions>{forged}"


WRAPPINGS = (
    _before,
    _after,
    _in_forged,
    _in_genuine,
    _with_its_signature,
    _signature_moved,
    _same_id,
    _in_advice,
    _in_extensions,
)


@pytest.mark.parametrize("wrap", WRAPPINGS, ids=lambda wrap: wrap.__name__.strip("_"))
async def test_a_forged_assertion_beside_a_signed_one_is_refused(
    guild: Minato, wrap: Callable[[str, str], str]
) -> None:
    idp, _ = await enter(guild)
    xml = unrequested(guild, idp)
    genuine = ASSERTION.findall(xml)[0]
    forged = wrap(_forged(genuine), genuine)
    assert await outcome(guild, form_of(ASSERTION.sub(lambda _: forged, xml))) == "refused"


async def test_an_assertion_nobody_signed_is_refused(guild: Minato) -> None:
    idp, _ = await enter(guild)
    xml = SIGNATURE.sub("", unrequested(guild, idp))
    assert await outcome(guild, form_of(xml)) == "refused"


async def test_a_signed_assertion_that_was_changed_is_refused(guild: Minato) -> None:
    idp, _ = await enter(guild)
    xml = unrequested(guild, idp).replace(PERSON, DIRECTOR)
    assert await outcome(guild, form_of(xml)) == "refused"


async def test_an_organisation_cannot_sign_for_another(guild: Minato) -> None:
    theirs, _ = await enter(guild)
    ours, _ = await enter(guild)
    ours.entity_id = theirs.entity_id
    assert await outcome(guild, form_of(unrequested(guild, ours))) == "refused"


async def test_the_key_inside_the_answer_is_not_believed(guild: Minato) -> None:
    idp, _ = await enter(guild)
    attacker = IdentityProvider(idp.entity_id)
    assert await outcome(guild, form_of(unrequested(guild, attacker))) == "refused"


@pytest.mark.parametrize("algorithms", [SHA1, (SHA1[0], SHA256[1]), (SHA256[0], SHA1[1])])
async def test_a_signature_of_a_broken_algorithm_is_refused(guild: Minato, algorithms: tuple[str, str]) -> None:
    idp, _ = await enter(guild)
    idp.algorithms = algorithms
    assert await outcome(guild, form_of(unrequested(guild, idp))) == "refused"


@pytest.mark.parametrize("name", ["hmac-sha1", "hmac-sha256"])
async def test_the_certificate_is_no_shared_secret(guild: Minato, name: str) -> None:
    """The public certificate as the key of a message authentication code, which everybody could compute."""
    idp, _ = await enter(guild)
    space = "2000/09/xmldsig#" if name == "hmac-sha1" else "2001/04/xmldsig-more#"
    xml = unrequested(guild, idp).replace(SHA256[0], f"http://www.w3.org/{space}{name}")
    digest = hmac.new(idp.certificate.encode(), b"", hashlib.sha256).digest()
    signed = base64.b64encode(digest).decode()
    xml = re.sub(r"(<ds:SignatureValue>).*?(</ds:SignatureValue>)", rf"\g<1>{signed}\g<2>", xml, flags=re.S)
    assert await outcome(guild, form_of(xml)) == "refused"


async def test_a_comment_in_a_name_does_not_shorten_it(guild: Minato) -> None:
    """Comments are not signed: `director<!---->.person-1` must stay one name."""
    idp, _ = await enter(guild)
    name = f"{DIRECTOR}.person"
    response = idp.response(
        f"{guild.url}{ACS}", f"{guild.url}/auth/v1/sso/saml/metadata", name_id=name, mail="p@guild.example"
    )
    xml = base64.b64decode(response).decode().replace(f">{name}<", f">{DIRECTOR}<!-- -->.person<")
    assert await outcome(guild, form_of(xml)) in (name, "refused")


@pytest.mark.parametrize("instruction", ["<?x?>", "<![CDATA[]]>"])
async def test_nothing_in_a_name_shortens_it(guild: Minato, instruction: str) -> None:
    idp, _ = await enter(guild)
    name = f"{DIRECTOR}.person"
    response = idp.response(
        f"{guild.url}{ACS}", f"{guild.url}/auth/v1/sso/saml/metadata", name_id=name, mail="p@guild.example"
    )
    xml = base64.b64decode(response).decode().replace(f">{name}<", f">{DIRECTOR}{instruction}.person<")
    assert await outcome(guild, form_of(xml)) in (name, "refused")


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DOCUMENT_TYPES = (
    f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]>',
    '<!DOCTYPE r [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE r [<!ENTITY % remote SYSTEM "http://127.0.0.1:9/x.dtd"> %remote;]>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd">',
)


@pytest.mark.parametrize("declared", DOCUMENT_TYPES)
async def test_a_document_type_is_refused_before_it_is_read(guild: Minato, declared: str) -> None:
    idp, _ = await enter(guild, domains=[f"{guild.backend.entropy.base32(8).lower()}.example"])
    xml = declared + unrequested(guild, idp).replace(PERSON, "&l9;" if "l9" in declared else PERSON)
    end = await arrive(guild, form_of(xml))
    assert end.query["error_description"] == "SAMLResponse is not a valid XML SAML assertion"
    bare = declared + f'<r xmlns="urn:oasis:names:tc:SAML:2.0:assertion"><Issuer>{idp.entity_id}</Issuer></r>'
    assert (await arrive(guild, form_of(bare))).query["error_code"] == "validation_failed"


@pytest.mark.parametrize("declared", DOCUMENT_TYPES)
async def test_metadata_with_a_document_type_is_refused(guild: Minato, declared: str) -> None:
    metadata = declared + IdentityProvider("https://laughs.example").metadata
    async with guild.client(guild.service_role_key) as admin:
        answer = await admin.post("/auth/v1/admin/sso/providers", json={"type": "saml", "metadata_xml": metadata})
    assert (answer.status_code, answer.json()["msg"]) == (400, "SAML Metadata is not valid XML")


ACS_OF = 'Recipient="'
EDITS: dict[str, Callable[[str], str]] = {
    "another audience": lambda xml: re.sub(r"(<a:Audience>).*?<", r"\1https://other.example<", xml),
    "no audience": lambda xml: re.sub(r"<a:AudienceRestriction>.*?</a:AudienceRestriction>", "", xml),
    "a second restriction that leaves us out": lambda xml: xml.replace(
        "</a:Conditions>",
        "<a:AudienceRestriction><a:Audience>https://other.example</a:Audience></a:AudienceRestriction></a:Conditions>",
    ),
    "another recipient": lambda xml: re.sub(r'Recipient="[^"]*"', 'Recipient="https://other.example/acs"', xml),
    "a recipient that contains ours": lambda xml: xml.replace(ACS_OF, f"{ACS_OF}https://other.example/?"),
    "no recipient": lambda xml: re.sub(r' Recipient="[^"]*"', "", xml),
    "no end of the confirmation": lambda xml: re.sub(r'(Recipient="[^"]*") NotOnOrAfter="[^"]*"', r"\1", xml),
    "an expired confirmation": lambda xml: re.sub(
        r'(Recipient="[^"]*") NotOnOrAfter="[^"]*"', r'\1 NotOnOrAfter="2020-01-01T00:00:00Z"', xml
    ),
    "expired conditions": lambda xml: re.sub(
        r'(<a:Conditions NotBefore="[^"]*") NotOnOrAfter="[^"]*"', r'\1 NotOnOrAfter="2020-01-01T00:00:00Z"', xml
    ),
    "conditions to come": lambda xml: re.sub(
        r'<a:Conditions NotBefore="[^"]*" NotOnOrAfter="[^"]*"',
        '<a:Conditions NotBefore="2099-01-01T00:00:00Z" NotOnOrAfter="2099-02-01T00:00:00Z"',
        xml,
    ),
    "no conditions": lambda xml: re.sub(r"<a:Conditions .*?</a:Conditions>", "", xml),
    "another issuer": lambda xml: re.sub(r"(<a:Issuer>).*?<", r"\1https://other.example<", xml, count=1),
    "no bearer": lambda xml: xml.replace("cm:bearer", "cm:sender-vouches"),
    "an answer to a request": lambda xml: xml.replace("ConfirmationData ", 'ConfirmationData InResponseTo="_r" '),
}


@pytest.mark.parametrize("edit", EDITS)
async def test_a_signed_assertion_for_another_place_time_or_purpose_is_refused(guild: Minato, edit: str) -> None:
    idp, _ = await enter(guild)
    genuine = unrequested(guild, idp)
    idp.edit = EDITS[edit]
    assert idp.edit(genuine) != genuine
    assert await outcome(guild, form_of(unrequested(guild, idp))) == "refused"


@pytest.mark.parametrize("destination", ["https://other.example/acs", ""])
async def test_a_response_sent_to_another_place_is_refused(guild: Minato, destination: str) -> None:
    idp, _ = await enter(guild)
    xml = re.sub(r'Destination="[^"]*"', f'Destination="{destination}"', unrequested(guild, idp))
    assert await outcome(guild, form_of(xml)) == "refused"


async def test_a_status_of_failure_is_refused_whatever_is_signed(guild: Minato) -> None:
    idp, _ = await enter(guild)
    xml = unrequested(guild, idp).replace("status:Success", "status:Responder")
    assert await outcome(guild, form_of(xml)) == "refused"


async def test_an_assertion_nobody_asked_for_serves_once(guild: Minato) -> None:
    idp, _ = await enter(guild)
    form = form_of(unrequested(guild, idp))
    assert [await outcome(guild, form), await outcome(guild, form)] == [PERSON, "refused"]
    assert await outcome(guild, {**form, "RelayState": APP}) == "refused"


async def test_the_note_of_a_used_assertion_begins_no_sign_in(guild: Minato) -> None:
    idp, made = await enter(guild)
    assert await outcome(guild, form_of(unrequested(guild, idp))) == PERSON
    noted = await guild.db.fetchrow("select * from auth.saml_relay_states where sso_provider_id = $1", made["id"])
    form = form_of(unrequested(guild, idp), RelayState=str(noted["id"]))
    assert await outcome(guild, form) == "refused"


def _stripped(form: dict[str, str]) -> dict[str, str]:
    """Without what the unsigned response says about the request it answers."""
    xml = base64.b64decode(form["SAMLResponse"]).decode()
    head, mark, rest = xml.partition("<p:Status>")
    return form_of(re.sub(r' InResponseTo="[^"]*"', "", head) + mark + rest)


async def test_an_answer_to_a_request_is_none_to_another_request(guild: Minato) -> None:
    """A stolen answer in a sign-in of the thief's own: what is signed names the request, whatever stands around it."""
    domain = f"{guild.backend.entropy.base32(8).lower()}.example"
    idp, _ = await enter(guild, domains=[domain])
    stolen = idp.answer(await requested(guild, domain), mail="p@guild.example")
    own = idp.answer(await requested(guild, domain), mail="p@guild.example")
    assert await outcome(guild, {**stolen, "RelayState": own["RelayState"]}) == "refused"
    own = idp.answer(await requested(guild, domain), mail="p@guild.example")
    assert await outcome(guild, {**_stripped(stolen), "RelayState": own["RelayState"]}) == "refused"


async def test_an_answer_to_a_request_does_not_come_without_it(guild: Minato) -> None:
    """Or somebody signs others in as himself, with an answer that he asked for."""
    domain = f"{guild.backend.entropy.base32(8).lower()}.example"
    idp, _ = await enter(guild, domains=[domain])
    answer = idp.answer(await requested(guild, domain), mail="p@guild.example")
    assert await outcome(guild, {"SAMLResponse": answer["SAMLResponse"]}) == "refused"
    assert await outcome(guild, _stripped(answer)) == "refused"


async def test_an_answer_nobody_asked_for_finishes_no_request(guild: Minato) -> None:
    domain = f"{guild.backend.entropy.base32(8).lower()}.example"
    idp, _ = await enter(guild, domains=[domain])
    own = idp.answer(await requested(guild, domain), mail="p@guild.example")
    form = form_of(unrequested(guild, idp), RelayState=own["RelayState"])
    assert await outcome(guild, form) == "refused"


async def test_one_organisation_does_not_finish_the_sign_in_of_another(guild: Minato) -> None:
    domains = [f"{guild.backend.entropy.base32(8).lower()}.example" for _ in range(2)]
    _, (other, _) = await enter(guild, domains=domains[:1]), await enter(guild, domains=domains[1:])
    answer = other.answer(await requested(guild, domains[0]), mail="p@guild.example")
    assert await outcome(guild, answer) == "refused"


async def test_no_organisation_becomes_an_account_that_is_not_its_own(guild: Minato) -> None:
    """An address says nothing across organisations, nor to accounts that sign in otherwise."""
    (first, _), (second, _) = await enter(guild), await enter(guild)
    ids = set()
    for idp in (first, second):
        end = await arrive(guild, form_of(unrequested(guild, idp)))
        ids.add(guild.backend.keys.verify(end.fragment["access_token"])["sub"])
    assert len(ids) == 2


async def test_an_answer_that_is_no_response_is_told_from_an_unknown_organisation(guild: Minato) -> None:
    bare = '<x xmlns="urn:oasis:names:tc:SAML:2.0:assertion"><Issuer>https://nobody.example</Issuer></x>'
    end = await arrive(guild, form_of(bare))
    expected = ("validation_failed", "SAMLResponse is not a valid XML SAML assertion")
    assert (end.query["error_code"], end.query["error_description"]) == expected
