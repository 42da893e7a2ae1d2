-- How an offer and a request meet: invitations, deals, and the case behind a request.

create table public.invitations (
    id uuid primary key default gen_random_uuid(),
    agent_id uuid not null constraint invitations_agent_id_fkey references public.profiles (user_id) on delete cascade,
    importer_id uuid not null
        constraint invitations_importer_id_fkey references public.profiles (user_id) on delete cascade,
    message text,
    status text not null default 'sent'
        constraint invitations_status_check check (status in ('sent', 'accepted', 'declined')),
    created_at timestamptz not null default now(),
    request_id uuid constraint invitations_request_id_fkey references public.car_requests (id) on delete set null,
    response_message text,
    responded_at timestamptz
);
comment on table public.invitations is 'An agent''s offer to help an importer, with a request or without one.';
create index invitations_agent_id_idx on public.invitations (agent_id, created_at desc);
create index invitations_importer_id_idx on public.invitations (importer_id, created_at desc);
create index invitations_request_id_idx on public.invitations (request_id);
create unique index invitations_one_open_key on public.invitations
    (agent_id, importer_id, coalesce(request_id, '00000000-0000-0000-0000-000000000000'::uuid)) where status = 'sent';
comment on index public.invitations_one_open_key is 'Asking twice makes no sense while the first invitation is open.';

create table public.deals (
    id uuid primary key default gen_random_uuid(),
    invitation_id uuid constraint deals_invitation_id_key unique
        constraint deals_invitation_id_fkey references public.invitations (id) on delete set null,
    request_id uuid constraint deals_request_id_fkey references public.car_requests (id) on delete set null,
    agent_id uuid constraint deals_agent_id_fkey references public.profiles (user_id) on delete set null,
    importer_id uuid constraint deals_importer_id_fkey references public.profiles (user_id) on delete set null,
    make text,
    model text,
    category text,
    country text,
    value_usd numeric(12, 2) constraint deals_value_usd_check check (value_usd >= 0),
    status text not null default 'open'
        constraint deals_status_check check (status in ('open', 'completed', 'disputed', 'cancelled')),
    satisfaction integer constraint deals_satisfaction_check check (satisfaction between 1 and 5),
    opened_at timestamptz not null default now(),
    completed_at timestamptz
);
comment on table public.deals is 'What two members agreed on, as they report it; nothing is traded here.';
comment on column public.deals.value_usd is 'The middle of the budget until the importer reports the agreed price.';
create index deals_agent_id_idx on public.deals (agent_id, status);
create index deals_importer_id_idx on public.deals (importer_id, status);
create index deals_request_id_idx on public.deals (request_id);
create index deals_completed_at_idx on public.deals (completed_at) where status = 'completed';

create table public.request_cases (
    request_id uuid primary key
        constraint request_cases_request_id_fkey references public.car_requests (id) on delete cascade,
    status text not null constraint request_cases_status_check check (
        status in ('pending_agent', 'pending_approval', 'in_progress', 'completed', 'disputed', 'cancelled')),
    priority text not null default 'low'
        constraint request_cases_priority_check check (priority in ('urgent', 'high', 'medium', 'low')),
    assigned_agent_id uuid
        constraint request_cases_assigned_agent_id_fkey references public.profiles (user_id) on delete set null,
    progress integer not null default 0 constraint request_cases_progress_check check (progress between 0 and 100),
    dispute_reason text,
    evidence jsonb not null default '[]',
    notes jsonb not null default '[]',
    updated_at timestamptz not null default now()
);
comment on table public.request_cases is 'How far a request has come, as the back office sees it.';
create index request_cases_status_idx on public.request_cases (status);
create index request_cases_assigned_agent_id_idx on public.request_cases (assigned_agent_id);

create function private.are_connected(one uuid, other uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (
        select from public.invitations where status = 'accepted'
        and ((agent_id = one and importer_id = other) or (agent_id = other and importer_id = one)))
$$;
comment on function private.are_connected(uuid, uuid) is 'Whether one accepted an invitation of the other.';

create function private.invited_to(request uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.invitations where request_id = request and agent_id = auth.uid())
$$;
comment on function private.invited_to(uuid) is 'Whether the caller invited the importer of this request because of it.';

create function private.may_be_invited(importer uuid, request uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select private.user_type_of(importer) = 'importer' and case
        when request is not null then exists (
            select from public.car_requests where id = request and importer_id = importer and status = 'active')
        else exists (select from public.profiles where user_id = importer and allow_invitations)
            or exists (select from public.car_requests where importer_id = importer and status = 'active')
        end
$$;
comment on function private.may_be_invited(uuid, uuid) is
    'Whether an importer takes invitations: for an active request of theirs, or in general.';
grant execute on function private.are_connected(uuid, uuid), private.invited_to(uuid), private.may_be_invited(uuid, uuid)
    to authenticated, service_role;

alter table public.invitations enable row level security;
create policy "Both sides see an invitation" on public.invitations
    for select to authenticated using (
        agent_id = (select auth.uid()) or importer_id = (select auth.uid()) or (select private.is_admin()));
create policy "Active agents invite importers who take invitations" on public.invitations
    for insert to authenticated with check (
        agent_id = (select auth.uid()) and (select private.is_active_agent())
        and private.may_be_invited(importer_id, request_id));
create policy "Importers answer open invitations once" on public.invitations
    for update to authenticated
    using (importer_id = (select auth.uid()) and status = 'sent')
    with check (importer_id = (select auth.uid()) and status in ('accepted', 'declined'));

create policy "Agents see the requests they invited for" on public.car_requests
    for select to authenticated using (private.invited_to(id));

alter table public.deals enable row level security;
create policy "The two parties and the administrator see a deal" on public.deals
    for select to authenticated using (
        agent_id = (select auth.uid()) or importer_id = (select auth.uid()) or (select private.is_admin()));

alter table public.request_cases enable row level security;
create policy "The administrator sees the cases" on public.request_cases
    for select to authenticated using ((select private.is_admin()));

create function private.default_invitation_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.status := 'sent';
        new.response_message := null;
        new.responded_at := null;
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_invitation_columns() is 'An invitation starts unanswered.';
create trigger default_columns before insert on public.invitations
    for each row execute function private.default_invitation_columns();
create trigger guard_columns before update on public.invitations
    for each row execute function private.guard_all_columns_but('status', 'response_message', 'responded_at');

create function private.note_response() returns trigger language plpgsql set search_path = '' as $$
begin
    new.responded_at := now();
    return new;
end
$$;
comment on function private.note_response() is 'Notes when an invitation was answered.';
create trigger note_response before update on public.invitations
    for each row when (old.status = 'sent' and new.status <> 'sent') execute function private.note_response();

create function private.open_deal_on_accept() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.deals (invitation_id, request_id, agent_id, importer_id, make, model, category, country, value_usd)
    select new.id, new.request_id, new.agent_id, new.importer_id, r.car_make, r.car_model,
        case when r.id is not null then private.category_of(r.car_make, r.car_model) end,
        p.country, (r.budget_min + r.budget_max) / 2
    from public.profiles p left join public.car_requests r on r.id = new.request_id
    where p.user_id = new.importer_id
    on conflict (invitation_id) do nothing;
    update public.request_cases
    set status = 'in_progress', assigned_agent_id = new.agent_id, progress = greatest(progress, 25)
    where request_id = new.request_id and status = 'pending_agent';
    return null;
end
$$;
comment on function private.open_deal_on_accept() is 'An accepted invitation opens a deal and moves its request''s case on.';
create trigger open_deal_on_accept after update on public.invitations
    for each row when (old.status <> 'accepted' and new.status = 'accepted')
    execute function private.open_deal_on_accept();

-- Case and request stay in step: each change writes the other's status only if that would differ, so neither trigger
-- can call the other twice.
create function private.request_status_of(case_status text) returns text
language sql immutable set search_path = '' as $$
    select case case_status
        when 'pending_approval' then 'pending' when 'completed' then 'completed' when 'cancelled' then 'expired'
        else 'active' end
$$;
comment on function private.request_status_of(text) is 'The status of a request whose case has the given one.';

create function private.case_status_of(request_status text) returns text
language sql immutable set search_path = '' as $$
    select case request_status
        when 'pending' then 'pending_approval' when 'completed' then 'completed' when 'expired' then 'cancelled'
        else 'pending_agent' end
$$;
comment on function private.case_status_of(text) is 'The status of a case whose request got the given one.';

create function private.open_request_case() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.request_cases (request_id, status, priority, progress)
    values (new.id, private.case_status_of(new.status),
        case new.urgency when 'high' then 'urgent' when 'medium' then 'high' when 'low' then 'medium' else 'low' end,
        case new.status when 'completed' then 100 else 0 end)
    on conflict (request_id) do nothing;
    return null;
end
$$;
comment on function private.open_request_case() is 'Every request has a case from the start.';
create trigger open_request_case after insert on public.car_requests
    for each row execute function private.open_request_case();

create function private.request_case_sync() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if tg_table_name = 'request_cases' then
        update public.car_requests set status = private.request_status_of(new.status)
        where id = new.request_id and status <> private.request_status_of(new.status);
    else
        update public.request_cases
        set status = private.case_status_of(new.status),
            progress = case new.status when 'completed' then 100 else progress end
        where request_id = new.id and private.request_status_of(status) <> new.status;
    end if;
    return null;
end
$$;
comment on function private.request_case_sync() is 'Keeps a request and its case in step.';
create trigger request_case_sync after update of status on public.car_requests
    for each row when (old.status <> new.status) execute function private.request_case_sync();
create trigger request_case_sync after update of status on public.request_cases
    for each row when (old.status <> new.status) execute function private.request_case_sync();
create trigger set_updated_at before update on public.request_cases
    for each row execute function private.set_updated_at();
