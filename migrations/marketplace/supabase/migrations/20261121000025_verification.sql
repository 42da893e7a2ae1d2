-- How an agent earns the badge.

create table public.agent_verifications (
    id uuid primary key default gen_random_uuid(),
    agent_id uuid not null
        constraint agent_verifications_agent_id_fkey references public.profiles (user_id) on delete cascade,
    bio text constraint agent_verifications_bio_check check (char_length(bio) <= 250),
    company_name text,
    experience text,
    languages text[],
    identity_document_path text,
    company_proof_path text,
    picture_path text,
    payment_method text
        constraint agent_verifications_payment_method_check check (payment_method in ('easypaisa', 'card', 'bank')),
    payment_claimed boolean not null default false,
    payment_status text not null default 'none'
        constraint agent_verifications_payment_status_check check (payment_status in ('none', 'claimed', 'received')),
    payment_reference text,
    amount_pkr integer not null default 2000,
    status text not null default 'pending'
        constraint agent_verifications_status_check check (status in ('pending', 'approved', 'rejected', 'more_info')),
    review_note text,
    reviewed_by uuid,
    reviewed_at timestamptz,
    submitted_at timestamptz not null default now()
);
comment on table public.agent_verifications is 'What agents submit to be verified, and what was decided.';
comment on column public.agent_verifications.identity_document_path is 'The object''s name in bucket verification-documents.';
create index agent_verifications_agent_id_idx on public.agent_verifications (agent_id, submitted_at desc);
create unique index agent_verifications_one_open_key on public.agent_verifications (agent_id)
    where status in ('pending', 'more_info');

alter table public.agent_verifications enable row level security;
create policy "Agents see their own submissions" on public.agent_verifications
    for select to authenticated using (agent_id = (select auth.uid()));
create policy "The administrator sees every submission" on public.agent_verifications
    for select to authenticated using ((select private.is_admin()));

create function private.latest_verification(agent uuid) returns public.agent_verifications
language sql stable security definer set search_path = '' as $$
    select * from public.agent_verifications where agent_id = agent order by submitted_at desc, id limit 1
$$;
comment on function private.latest_verification(uuid) is 'An agent''s newest submission.';

-- a list, or what a form gives: "Japanese, English"
create function private.text_list(value jsonb) returns text[]
language sql immutable set search_path = '' as $$
    select array_agg(btrim(item)) filter (where btrim(item) <> '')
    from unnest(case jsonb_typeof(value)
        when 'array' then array(select jsonb_array_elements_text(value))
        else string_to_array(value #>> '{}', ',') end) as item
$$;
comment on function private.text_list(jsonb) is 'A JSON list or a comma-separated text as an array; null when there is nothing in it.';

create function private.owned_document(agent uuid, path text) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (
        select from storage.objects
        where bucket_id = 'verification-documents' and name = path and name like agent || '/%')
$$;
comment on function private.owned_document(uuid, text) is 'Whether an agent uploaded this document.';

create function private.check_submission(agent uuid, p jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if coalesce(p ->> 'identity_document_path', '') = '' or coalesce(p ->> 'company_proof_path', '') = '' then
        raise exception 'Please upload both identity document and company proof.' using errcode = '22023';
    elsif not private.owned_document(agent, p ->> 'identity_document_path')
        or not private.owned_document(agent, p ->> 'company_proof_path') then
        raise exception 'The documents must lie in your own folder' using errcode = '42501';
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
comment on function private.check_submission(uuid, jsonb) is 'Refuses an incomplete submission in the words of the form.';

create function public.submit_agent_verification(p jsonb) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    agent uuid := auth.uid();
    claimed boolean := p ->> 'payment_method' is not null;
    submission uuid;
begin
    if not coalesce(private.is_active_agent(), false) then
        raise exception 'Only agents can submit a verification' using errcode = '42501';
    elsif exists (select from public.profiles where user_id = agent and verification_status = 'verified') then
        raise exception 'This account is verified already' using errcode = 'P0001';
    end if;
    perform private.check_submission(agent, p);
    insert into public.agent_verifications as open (agent_id, bio, company_name, experience, languages,
        identity_document_path, company_proof_path, picture_path, payment_method, payment_claimed, payment_status,
        payment_reference, amount_pkr)
    values (agent, p ->> 'bio', btrim(p ->> 'company_name'), btrim(p ->> 'experience'), private.text_list(p -> 'languages'),
        p ->> 'identity_document_path', p ->> 'company_proof_path', p ->> 'picture_path', p ->> 'payment_method', claimed,
        case when claimed then 'claimed' else 'none' end, p ->> 'payment_reference',
        coalesce((private.setting('fee_pkr') #>> '{}')::integer, 2000))
    -- whoever adds what was missing does not pay twice
    on conflict (agent_id) where status in ('pending', 'more_info') do update set
        bio = excluded.bio, company_name = excluded.company_name, experience = excluded.experience,
        languages = excluded.languages, identity_document_path = excluded.identity_document_path,
        company_proof_path = excluded.company_proof_path,
        picture_path = coalesce(excluded.picture_path, open.picture_path),
        payment_method = coalesce(excluded.payment_method, open.payment_method),
        payment_claimed = open.payment_claimed or excluded.payment_claimed,
        payment_status = case when open.payment_status = 'none' then excluded.payment_status else open.payment_status end,
        payment_reference = coalesce(excluded.payment_reference, open.payment_reference),
        status = 'pending', submitted_at = now()
    returning id into submission;
    update public.profiles
    set verification_status = 'pending', bio = coalesce(p ->> 'bio', bio), company_name = btrim(p ->> 'company_name'),
        experience = btrim(p ->> 'experience'), languages_spoken = private.text_list(p -> 'languages')
    where user_id = agent;
    return submission;
end
$$;
comment on function public.submit_agent_verification(jsonb) is
    'Submits the caller, an agent, for verification: bio, company_name, experience, languages, the paths of both documents, and the payment.';
revoke execute on function public.submit_agent_verification(jsonb) from public, anon;
