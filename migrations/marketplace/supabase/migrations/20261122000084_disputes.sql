-- Either side of a deal may dispute it, with a statement and evidence.

-- A dispute is about a deal. Where the deal has a request, the request's case carries it to the back office, as before:
-- its status, reason, evidence and notes. A deal without a request has no case; then a ticket carries it.
create table public.disputes (
    id uuid primary key default gen_random_uuid(),
    deal_id uuid not null constraint disputes_deal_id_fkey references public.deals (id) on delete cascade,
    request_id uuid constraint disputes_request_id_fkey references public.car_requests (id) on delete set null,
    ticket_id uuid constraint disputes_ticket_id_fkey references public.support_tickets (id) on delete set null,
    raised_by uuid constraint disputes_raised_by_fkey references public.profiles (user_id) on delete set null,
    by_team boolean not null default false,
    reason text not null constraint disputes_reason_check check (btrim(reason) <> '' and char_length(reason) <= 5000),
    status text not null default 'open' constraint disputes_status_check check (status in ('open', 'settled')),
    outcome text constraint disputes_outcome_limit check (char_length(outcome) <= 5000),
    created_at timestamptz not null default now(),
    settled_at timestamptz
);
comment on table public.disputes is 'What two parties of a deal disagree about, and how it ended.';
comment on column public.disputes.raised_by is 'Null when the team opened it (by_team), or the member has left.';
create unique index disputes_one_open_key on public.disputes (deal_id) where status = 'open';
create index disputes_deal_id_idx on public.disputes (deal_id, created_at desc);
create index disputes_request_id_idx on public.disputes (request_id);
create index disputes_ticket_id_idx on public.disputes (ticket_id);
create index disputes_raised_by_idx on public.disputes (raised_by);

create table public.dispute_statements (
    id uuid primary key default gen_random_uuid(),
    dispute_id uuid not null
        constraint dispute_statements_dispute_id_fkey references public.disputes (id) on delete cascade,
    author_id uuid constraint dispute_statements_author_id_fkey references public.profiles (user_id) on delete set null,
    body text not null
        constraint dispute_statements_body_check check (btrim(body) <> '' and char_length(body) <= 4000),
    evidence jsonb not null default '[]'
        constraint dispute_statements_evidence_check check (
            jsonb_typeof(evidence) = 'array' and jsonb_array_length(evidence) <= 5
            and octet_length(evidence::text) <= 20000),
    created_at timestamptz not null default now()
);
comment on table public.dispute_statements is 'What each side of a dispute says, and the files it hands in.';
comment on column public.dispute_statements.evidence is 'A list of {title, kind, path}; path is the object''s name in bucket dispute-evidence.';
create index dispute_statements_dispute_id_idx on public.dispute_statements (dispute_id, created_at);
create index dispute_statements_author_id_idx on public.dispute_statements (author_id);

create function private.is_party_of(deal uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.deals where id = deal and auth.uid() in (agent_id, importer_id))
$$;
comment on function private.is_party_of(uuid) is 'Whether the caller is one of the two sides of a deal.';

create function private.may_see_dispute(dispute uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.disputes where id = dispute and private.is_party_of(deal_id))
$$;
comment on function private.may_see_dispute(uuid) is 'Whether the caller is one of the two sides of a dispute.';

alter table public.disputes enable row level security;
create policy "The two parties and the administrator see a dispute" on public.disputes
    for select to authenticated using (private.is_party_of(deal_id) or (select private.is_admin()));
alter table public.dispute_statements enable row level security;
create policy "The two parties and the administrator read what is said" on public.dispute_statements
    for select to authenticated using (private.may_see_dispute(dispute_id) or (select private.is_admin()));
alter publication supabase_realtime add table public.disputes, public.dispute_statements;

-- {member}/{deal}/{file}: whoever uploaded it, and what it is about
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
    ('dispute-evidence', 'dispute-evidence', false, 10485760,
        array['application/pdf', 'image/jpeg', 'image/png', 'image/webp'])
on conflict (id) do nothing;

create function private.deal_of_evidence(object text) returns uuid
language sql immutable set search_path = '' as $$
    select substring(object from '^[0-9a-f-]{36}/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/[^/]{1,200}$')::uuid
$$;
comment on function private.deal_of_evidence(text) is 'The deal a piece of evidence is about, by its name.';

create policy "The two parties look at the evidence" on storage.objects
    for select to authenticated using (
        bucket_id = 'dispute-evidence' and private.is_party_of(private.deal_of_evidence(name)));
create policy "The administrator looks at the evidence" on storage.objects
    for select to authenticated using (bucket_id = 'dispute-evidence' and (select private.is_admin()));
create policy "A party of a deal hands in evidence" on storage.objects
    for insert to authenticated with check (
        bucket_id = 'dispute-evidence' and private.is_in_own_folder(name) and (select private.is_active())
        and private.is_party_of(private.deal_of_evidence(name)));

create function private.checked_evidence(deal uuid, pieces jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
    checked jsonb;
begin
    if pieces is null or jsonb_typeof(pieces) <> 'array' or jsonb_array_length(pieces) > 5 then
        raise exception 'Please hand in at most five files' using errcode = '22023';
    end if;
    select coalesce(jsonb_agg(jsonb_build_object('title', left(coalesce(piece ->> 'title', o.name), 200),
            'kind', coalesce(o.metadata ->> 'mimetype', 'file'), 'path', o.name)), '[]')
    into checked
    from jsonb_array_elements(pieces) as piece
    join storage.objects o on o.bucket_id = 'dispute-evidence' and o.name = piece ->> 'path'
        and o.name like auth.uid() || '/' || deal || '/%';
    if jsonb_array_length(checked) <> jsonb_array_length(pieces) then
        raise exception 'A file is missing. Please choose it again.' using errcode = '22023';
    end if;
    return checked;
end
$$;
comment on function private.checked_evidence(uuid, jsonb) is 'The files a party hands in, if they are there and their own.';

create function private.other_party(deal public.deals) returns uuid
language sql immutable set search_path = '' as $$
    select case auth.uid() when deal.agent_id then deal.importer_id else deal.agent_id end
$$;
comment on function private.other_party(public.deals) is 'Who stands on the other side of the caller''s deal.';

-- The case of the request shows what is said, and the files; where there is none, the ticket does.
create function private.carry_statement(dispute public.disputes, statement public.dispute_statements) returns void
language plpgsql security definer set search_path = '' as $$
declare
    said text := format('%s: %s', private.called(statement.author_id::text), statement.body);
    files text := (select string_agg(piece ->> 'title', ', ') from jsonb_array_elements(statement.evidence) as piece);
begin
    update public.request_cases
    set evidence = evidence || statement.evidence,
        notes = notes || jsonb_build_object('at', statement.created_at, 'action', 'statement', 'text', said)
    where request_id = dispute.request_id;
    if dispute.ticket_id is not null then
        insert into public.ticket_messages (ticket_id, author_id, body)
        select id, user_id, left(said || coalesce(E'\n\nFiles: ' || files, ''), 4000)
        from public.support_tickets where id = dispute.ticket_id;
    end if;
end
$$;
comment on function private.carry_statement(public.disputes, public.dispute_statements) is
    'Brings a statement to where the back office reads disputes.';

create function public.raise_dispute(
    p_invitation uuid, p_reason text, p_statement text, p_evidence jsonb default '[]'
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    deal public.deals;
    held public.disputes;
    said public.dispute_statements;
    files jsonb;
begin
    perform private.require_active();
    select * into deal from public.deals
    where invitation_id = p_invitation and auth.uid() in (agent_id, importer_id) for update;
    if not found then
        raise exception 'Only the two sides of a deal can dispute it' using errcode = '42501';
    elsif coalesce(btrim(p_reason), '') = '' or coalesce(btrim(p_statement), '') = '' then
        raise exception 'Please say what happened' using errcode = '22023';
    end if;
    select * into held from public.disputes where deal_id = deal.id and status = 'open';
    if held.raised_by = auth.uid() then
        return held.id;
    elsif held.id is not null then
        raise exception 'This deal is disputed already. Add your side there.' using errcode = 'P0001';
    elsif deal.status <> 'open' then
        raise exception 'This deal is closed and cannot be disputed any more. Please write to our team.'
            using errcode = 'P0001';
    end if;
    files := private.checked_evidence(deal.id, p_evidence);
    if not exists (
        select from public.request_cases
        where request_id = deal.request_id and status in ('pending_agent', 'in_progress', 'disputed')) then
        insert into public.support_tickets (user_id, subject, body, category, priority, tags)
        values (auth.uid(), left('Dispute: ' || p_reason, 200),
            left(format('A deal between %s and %s is disputed.', private.called(deal.agent_id::text),
                private.called(deal.importer_id::text)), 4000), 'deal', 'high', array['dispute'])
        returning id into held.ticket_id;
    end if;
    insert into public.disputes (deal_id, request_id, ticket_id, raised_by, reason)
    values (deal.id, deal.request_id, held.ticket_id, auth.uid(), btrim(p_reason)) returning * into held;
    insert into public.dispute_statements (dispute_id, author_id, body, evidence)
    values (held.id, auth.uid(), btrim(p_statement), files) returning * into said;
    update public.deals set status = 'disputed' where id = deal.id;
    update public.request_cases set status = 'disputed', dispute_reason = held.reason, evidence = '[]'
    where request_id = deal.request_id and status in ('pending_agent', 'in_progress');
    perform private.carry_statement(held, said);
    perform private.notify_member(private.other_party(deal), 'dispute_raised', jsonb_build_object(
        'sender_id', auth.uid(), 'request_id', deal.request_id, 'note', held.reason));
    return held.id;
end
$$;
comment on function public.raise_dispute(uuid, text, text, jsonb) is
    'Disputes the deal of an accepted invitation, with a reason, a statement and files [{title, path}]. Returns the dispute.';

create function public.answer_dispute(p_dispute uuid, p_statement text, p_evidence jsonb default '[]') returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    held public.disputes;
    deal public.deals;
    said public.dispute_statements;
begin
    perform private.require_active();
    select * into held from public.disputes where id = p_dispute and private.is_party_of(deal_id) for update;
    if not found then
        raise exception 'Only the two sides of a deal can dispute it' using errcode = '42501';
    elsif held.status <> 'open' then
        raise exception 'This dispute is settled.' using errcode = 'P0001';
    elsif coalesce(btrim(p_statement), '') = '' then
        raise exception 'Please say what happened' using errcode = '22023';
    elsif (select count(*) >= 20 from public.dispute_statements
            where dispute_id = held.id and author_id = auth.uid()) then
        raise exception 'You have said a lot here. Please wait for our team.' using errcode = 'P0001';
    end if;
    select * into deal from public.deals where id = held.deal_id;
    insert into public.dispute_statements (dispute_id, author_id, body, evidence)
    values (held.id, auth.uid(), btrim(p_statement), private.checked_evidence(deal.id, p_evidence))
    returning * into said;
    perform private.carry_statement(held, said);
    perform private.notify_member(private.other_party(deal), 'dispute_answered', jsonb_build_object(
        'sender_id', auth.uid(), 'request_id', deal.request_id, 'note', said.body));
    return said.id;
end
$$;
comment on function public.answer_dispute(uuid, text, jsonb) is
    'Adds the caller''s side to an open dispute, with files [{title, path}]. Returns the statement.';
revoke execute on function public.raise_dispute(uuid, text, text, jsonb), public.answer_dispute(uuid, text, jsonb)
    from public, anon;

create function private.settle_dispute(dispute uuid, ending text) returns void
language plpgsql security definer set search_path = '' as $$
declare
    held public.disputes;
begin
    update public.disputes set status = 'settled', outcome = left(ending, 5000), settled_at = now()
    where id = dispute and status = 'open' returning * into held;
    if found then
        update public.deals set status = 'open' where id = held.deal_id and status = 'disputed';
    end if;
end
$$;
comment on function private.settle_dispute(uuid, text) is 'Ends a dispute, with the words both sides read.';

-- Cases that become disputed, and cease to be, by whatever step.
create function private.follow_case() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    ending text := case when new.notes is distinct from old.notes then new.notes -> -1 ->> 'text' end;
begin
    if new.status = 'disputed' then
        insert into public.disputes (deal_id, request_id, by_team, reason)
        select d.id, d.request_id, true, left(coalesce(nullif(btrim(new.dispute_reason), ''), 'Opened by our team'), 5000)
        from public.deals d
        where d.request_id = new.request_id and d.status in ('open', 'disputed')
            and not exists (select from public.disputes where request_id = new.request_id and status = 'open')
        on conflict (deal_id) where status = 'open' do nothing;
    else
        perform private.settle_dispute(id, coalesce(ending, case new.status
            when 'completed' then 'The importer reported the deal as completed.' else 'Closed by our team.' end))
        from public.disputes where request_id = new.request_id and status = 'open';
    end if;
    return null;
end
$$;
comment on function private.follow_case() is 'The two sides see what the back office does with a disputed request.';
create trigger follow_case after update of status on public.request_cases
    for each row when ((old.status = 'disputed') <> (new.status = 'disputed'))
    execute function private.follow_case();

create function private.follow_ticket() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
    held record;
    ending text := coalesce((
        select body from public.ticket_messages
        where ticket_id = new.id and author_id is distinct from new.user_id
        order by created_at desc, id desc limit 1), 'Closed by our team.');
begin
    for held in
        select p.id, d.agent_id, d.importer_id from public.disputes p join public.deals d on d.id = p.deal_id
        where p.ticket_id = new.id and p.status = 'open'
    loop
        perform private.settle_dispute(held.id, ending);
        perform private.notify_member(party, 'dispute_settled', jsonb_build_object('note', ending))
        from (values (held.agent_id), (held.importer_id)) as parties (party) where party is not null;
    end loop;
    return null;
end
$$;
comment on function private.follow_ticket() is 'A dispute that came by a ticket ends with it.';
create trigger follow_ticket after update of status on public.support_tickets
    for each row when (old.status <> 'resolved' and new.status = 'resolved')
    execute function private.follow_ticket();

-- whoever is disputed doesn't get rid of it
create function private.refuse_deleting_disputed() returns trigger
language plpgsql set search_path = '' as $$
begin
    if current_user = 'authenticated' and exists (
        select from public.disputes where request_id = old.id and status = 'open') then
        raise exception 'This request is disputed and cannot be deleted before the dispute is settled.'
            using errcode = 'P0001', hint = 'request_disputed';
    end if;
    return old;
end
$$;
comment on function private.refuse_deleting_disputed() is 'A disputed request stays until the dispute is settled.';
create trigger refuse_deleting_disputed before delete on public.car_requests
    for each row execute function private.refuse_deleting_disputed();

insert into private.notification_texts (kind, subject, body, action, path, quoted, is_from_team) values
    ('dispute_raised', '{who} disputes your deal', 'Tell our team your side. We decide when both were heard. {who} says:',
        'Tell your side', '/{area}/messages?{other}={sender}', 'note', false),
    ('dispute_answered', '{who} added to your dispute', 'Our team reads it, too:',
        'Read both sides', '/{area}/messages?{other}={sender}', 'note', false),
    ('dispute_settled', 'Your dispute is settled', 'Our team has decided:', 'See your messages', '/{area}/messages',
        'note', true);

-- disputes that are open already
insert into public.disputes (deal_id, request_id, by_team, reason)
select d.id, d.request_id, true, left(coalesce(nullif(btrim(c.dispute_reason), ''), 'Opened by our team'), 5000)
from public.request_cases c join public.deals d on d.request_id = c.request_id
where c.status = 'disputed' and d.status in ('open', 'disputed')
on conflict (deal_id) where status = 'open' do nothing;

revoke execute on all functions in schema private from public;
grant execute on function private.is_party_of(uuid), private.may_see_dispute(uuid), private.deal_of_evidence(text)
    to authenticated, service_role;
