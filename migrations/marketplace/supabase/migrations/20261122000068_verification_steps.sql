-- What happens to a submission step by step, and what each of its documents lacks.

-- What an agent writes on the transfer, so that the fee is found on a bank's list: no 0, O, 1 or I to mix up.
create function private.transfer_reference(agent uuid) returns text
language sql immutable strict set search_path = '' as $$
    select 'MN-' || left(letters, 4) || '-' || right(letters, 4)
    from (select string_agg(
            substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', get_byte(hash, n) % 32 + 1, 1), '' order by n) as letters
        from (select sha256(uuid_send(agent)) as hash) as hashed, generate_series(0, 7) as n) as spelled
$$;
comment on function private.transfer_reference(uuid) is 'The reference of an agent''s transfer; always the same one.';

-- A claim is the agent's word that the fee is paid. It is settled when the administrator has seen or waived it.
alter table public.agent_verifications
    add column transfer_reference text generated always as (private.transfer_reference(agent_id)) stored,
    add column receipt_path text,
    add column receipt_name text,
    add column payment_claimed_at timestamptz,
    add column payment_settled_at timestamptz,
    add column payment_settled_by uuid,
    add column payment_note text,
    add column identity_document_name text,
    add column identity_document_status text not null default 'waiting',
    add column identity_document_note text,
    add column company_proof_name text,
    add column company_proof_status text not null default 'waiting',
    add column company_proof_note text,
    add column documents_checked_at timestamptz;
alter table public.agent_verifications drop constraint agent_verifications_payment_status_check;
update public.agent_verifications
set identity_document_status = 'accepted', company_proof_status = 'accepted', documents_checked_at = reviewed_at
where status = 'approved';
-- a card is charged by the team after the review, so choosing it never meant that the fee was paid
update public.agent_verifications set payment_claimed = false, payment_status = 'none'
where payment_method = 'card' and payment_status = 'claimed';
alter table public.agent_verifications
    add constraint agent_verifications_payment_status_check
        check (payment_status in ('none', 'claimed', 'received', 'waived')),
    add constraint agent_verifications_identity_document_status_check
        check (identity_document_status in ('waiting', 'accepted', 'refused')),
    add constraint agent_verifications_company_proof_status_check
        check (company_proof_status in ('waiting', 'accepted', 'refused')),
    add constraint agent_verifications_receipt_path_limit check (char_length(receipt_path) <= 1024),
    add constraint agent_verifications_receipt_name_limit check (char_length(receipt_name) <= 255),
    add constraint agent_verifications_payment_note_limit check (char_length(payment_note) <= 5000),
    add constraint agent_verifications_identity_document_name_limit check (char_length(identity_document_name) <= 255),
    add constraint agent_verifications_identity_document_note_limit check (char_length(identity_document_note) <= 1000),
    add constraint agent_verifications_company_proof_name_limit check (char_length(company_proof_name) <= 255),
    add constraint agent_verifications_company_proof_note_limit check (char_length(company_proof_note) <= 1000);
comment on column public.agent_verifications.payment_claimed is 'The agent says that the fee is paid.';
comment on column public.agent_verifications.payment_note is 'Why the fee was waived, or what was not found of it.';
comment on column public.agent_verifications.payment_reference is 'The transaction''s number, as the agent or the bank gives it.';

create function public.verification_reference() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
    if coalesce(private.my_user_type(), '') <> 'agent' then
        raise exception 'Only agents pay a verification fee' using errcode = '42501';
    end if;
    return private.transfer_reference(auth.uid());
end
$$;
comment on function public.verification_reference() is 'What the caller, an agent, writes on the transfer of the fee.';
revoke execute on function public.verification_reference() from public, anon;

-- What was handed in before and not sent back need not be handed in again.
create function private.with_kept_documents(earlier public.agent_verifications, p jsonb) returns jsonb
language sql immutable set search_path = '' as $$
    select p
        || case when coalesce(p ->> 'identity_document_path', '') = '' and earlier.identity_document_status <> 'refused'
            then jsonb_build_object('identity_document_path', earlier.identity_document_path,
                'identity_document_name', earlier.identity_document_name) else '{}' end
        || case when coalesce(p ->> 'company_proof_path', '') = '' and earlier.company_proof_status <> 'refused'
            then jsonb_build_object('company_proof_path', earlier.company_proof_path,
                'company_proof_name', earlier.company_proof_name) else '{}' end
$$;
comment on function private.with_kept_documents(public.agent_verifications, jsonb) is
    'A submission with the documents of the earlier one where it names none.';

create function private.check_own_documents(agent uuid, p jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if exists (
        select from unnest(array['identity_document_path', 'company_proof_path', 'receipt_path', 'picture_path']) as field
        where coalesce(p ->> field, '') <> '' and not private.owned_document(agent, p ->> field)) then
        raise exception 'The documents must lie in your own folder' using errcode = '42501';
    end if;
end
$$;
comment on function private.check_own_documents(uuid, jsonb) is 'Refuses files that the agent did not upload.';

create or replace function private.check_submission(agent uuid, p jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if coalesce(p ->> 'identity_document_path', '') = '' or coalesce(p ->> 'company_proof_path', '') = '' then
        raise exception 'Please upload both identity document and company proof.' using errcode = '22023';
    elsif char_length(p ->> 'bio') > 250 then
        raise exception 'Bio must be less than 250 characters' using errcode = '22023';
    elsif char_length(coalesce(btrim(p ->> 'company_name'), '')) < 2 then
        raise exception 'Company name must be at least 2 characters' using errcode = '22023';
    elsif coalesce(btrim(p ->> 'experience'), '') = '' then
        raise exception 'Please enter years of experience' using errcode = '22023';
    elsif private.text_list(p -> 'languages') is null then
        raise exception 'Please enter languages spoken' using errcode = '22023';
    elsif coalesce(p ->> 'payment_method', 'bank') not in ('easypaisa', 'card', 'bank') then
        raise exception 'Unknown payment method' using errcode = '22023';
    end if;
end
$$;

create function private.begins_review(earlier public.agent_verifications, said public.agent_verifications) returns boolean
language sql immutable set search_path = '' as $$
    select earlier.status is distinct from 'pending'
        or said.identity_document_path is distinct from earlier.identity_document_path
        or said.company_proof_path is distinct from earlier.company_proof_path
$$;
comment on function private.begins_review(public.agent_verifications, public.agent_verifications) is
    'Whether there is something new to look at; telling of a payment alone is not.';

-- The submission as it will stand: what is new of it, and what is kept of the earlier one.
create function private.next_submission(earlier public.agent_verifications, p jsonb) returns public.agent_verifications
language plpgsql stable security definer set search_path = '' as $$
declare
    said public.agent_verifications := earlier;
    given constant jsonb := private.with_kept_documents(earlier, p);
    pays constant boolean := p -> 'payment_claimed' = 'true' and p ->> 'payment_method' in ('easypaisa', 'bank')
        and coalesce(earlier.payment_status, 'none') = 'none';
begin
    said.bio := p ->> 'bio';
    said.company_name := btrim(p ->> 'company_name');
    said.experience := btrim(p ->> 'experience');
    said.languages := private.text_list(p -> 'languages');
    if earlier.id is null or given ->> 'identity_document_path' is distinct from earlier.identity_document_path then
        said.identity_document_path := given ->> 'identity_document_path';
        said.identity_document_name := left(given ->> 'identity_document_name', 255);
        said.identity_document_status := 'waiting';
        said.identity_document_note := null;
        said.documents_checked_at := null;
    end if;
    if earlier.id is null or given ->> 'company_proof_path' is distinct from earlier.company_proof_path then
        said.company_proof_path := given ->> 'company_proof_path';
        said.company_proof_name := left(given ->> 'company_proof_name', 255);
        said.company_proof_status := 'waiting';
        said.company_proof_note := null;
        said.documents_checked_at := null;
    end if;
    said.picture_path := coalesce(p ->> 'picture_path', earlier.picture_path);
    said.payment_method := coalesce(p ->> 'payment_method', earlier.payment_method);
    said.payment_claimed := coalesce(earlier.payment_claimed, false) or coalesce(pays, false);
    said.payment_status := case when pays then 'claimed' else coalesce(earlier.payment_status, 'none') end;
    said.payment_claimed_at := case when pays then now() else earlier.payment_claimed_at end;
    said.payment_note := case when pays then null else earlier.payment_note end;
    said.payment_reference := coalesce(nullif(btrim(p ->> 'payment_reference'), ''), earlier.payment_reference);
    said.receipt_path := coalesce(nullif(p ->> 'receipt_path', ''), earlier.receipt_path);
    said.receipt_name := coalesce(left(p ->> 'receipt_name', 255), earlier.receipt_name);
    said.submitted_at := case when private.begins_review(earlier, said) then now() else earlier.submitted_at end;
    return said;
end
$$;
comment on function private.next_submission(public.agent_verifications, jsonb) is
    'What a submission says, upon what the agent''s earlier one said that was not approved.';

create function private.note_of_submission(said public.agent_verifications) returns text
language sql stable set search_path = '' as $$
    select case
        when said.payment_status <> 'none' then 'The review takes 24-48 hours.'
        when said.payment_method = 'card' then 'We will write to you about the card payment.'
        else format('Still open: the fee of PKR %s. Write the reference %s on your transfer, then tell us that you have paid.',
            btrim(to_char(said.amount_pkr, '999,999,999')), private.transfer_reference(said.agent_id)) end
$$;
comment on function private.note_of_submission(public.agent_verifications) is 'What comes next, in the mail about a submission.';

create or replace function public.submit_agent_verification(p jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    agent constant uuid := auth.uid();
    earlier public.agent_verifications;
    said public.agent_verifications;
    kept public.agent_verifications;
begin
    if not coalesce(private.is_active_agent(), false) then
        raise exception 'Only agents can submit a verification' using errcode = '42501';
    elsif exists (select from public.profiles where user_id = agent and verification_status = 'verified') then
        raise exception 'This account is verified already' using errcode = 'P0001';
    end if;
    -- two presses are one after the other
    perform pg_advisory_xact_lock(hashtextextended('verification:' || agent, 0));
    earlier := private.latest_verification(agent);
    if earlier.status = 'approved' then
        earlier := null;
    end if;
    perform private.check_submission(agent, private.with_kept_documents(earlier, p));
    perform private.check_own_documents(agent, p);
    said := private.next_submission(earlier, p);
    insert into public.agent_verifications (agent_id, bio, company_name, experience, languages,
        identity_document_path, identity_document_name, identity_document_status, identity_document_note,
        company_proof_path, company_proof_name, company_proof_status, company_proof_note, documents_checked_at,
        picture_path, payment_method, payment_claimed, payment_status, payment_claimed_at, payment_settled_at,
        payment_settled_by, payment_note, payment_reference, receipt_path, receipt_name, amount_pkr, submitted_at)
    values (agent, said.bio, said.company_name, said.experience, said.languages,
        said.identity_document_path, said.identity_document_name, said.identity_document_status, said.identity_document_note,
        said.company_proof_path, said.company_proof_name, said.company_proof_status, said.company_proof_note,
        said.documents_checked_at, said.picture_path, said.payment_method, said.payment_claimed, said.payment_status,
        said.payment_claimed_at, said.payment_settled_at, said.payment_settled_by, said.payment_note,
        said.payment_reference, said.receipt_path, said.receipt_name,
        coalesce((private.setting('fee_pkr') #>> '{}')::integer, 2000), said.submitted_at)
    on conflict (agent_id) where status in ('pending', 'more_info') do update set
        bio = excluded.bio, company_name = excluded.company_name, experience = excluded.experience,
        languages = excluded.languages, identity_document_path = excluded.identity_document_path,
        identity_document_name = excluded.identity_document_name,
        identity_document_status = excluded.identity_document_status,
        identity_document_note = excluded.identity_document_note,
        company_proof_path = excluded.company_proof_path, company_proof_name = excluded.company_proof_name,
        company_proof_status = excluded.company_proof_status, company_proof_note = excluded.company_proof_note,
        documents_checked_at = excluded.documents_checked_at, picture_path = excluded.picture_path,
        payment_method = excluded.payment_method, payment_claimed = excluded.payment_claimed,
        payment_status = excluded.payment_status, payment_claimed_at = excluded.payment_claimed_at,
        payment_note = excluded.payment_note, payment_reference = excluded.payment_reference,
        receipt_path = excluded.receipt_path, receipt_name = excluded.receipt_name,
        status = 'pending', submitted_at = excluded.submitted_at
    returning * into kept;
    update public.profiles
    set verification_status = 'pending', bio = coalesce(p ->> 'bio', bio), company_name = kept.company_name,
        experience = kept.experience, languages_spoken = kept.languages
    where user_id = agent;
    if private.begins_review(earlier, kept) then
        perform private.notify_member(agent, 'verification_submitted',
            jsonb_build_object('note', private.note_of_submission(kept)));
    end if;
    return kept.id;
end
$$;
comment on function public.submit_agent_verification(jsonb) is
    'Submits the caller, an agent, for verification: bio, company_name, experience, languages, the paths of both documents (kept where none is named), payment_method, and payment_claimed with payment_reference and receipt_path once the fee is paid.';

insert into private.notification_texts (kind, subject, body, action, path) values
    ('verification_submitted', 'We have your documents', 'Our team checks them by hand. {note}', 'See where it stands', '/agent/dashboard');
revoke execute on function private.transfer_reference(uuid), private.with_kept_documents(public.agent_verifications, jsonb),
    private.check_own_documents(uuid, jsonb), private.next_submission(public.agent_verifications, jsonb),
    private.begins_review(public.agent_verifications, public.agent_verifications),
    private.note_of_submission(public.agent_verifications) from public;
