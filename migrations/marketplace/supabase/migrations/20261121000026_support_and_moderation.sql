-- Tickets, reports, and the record of what administrators did.

create table public.support_tickets (
    id uuid primary key default gen_random_uuid(),
    user_id uuid constraint support_tickets_user_id_fkey references public.profiles (user_id) on delete set null,
    subject text not null constraint support_tickets_subject_check check (btrim(subject) <> '' and char_length(subject) <= 200),
    body text not null constraint support_tickets_body_check check (btrim(body) <> '' and char_length(body) <= 4000),
    category text not null default 'general',
    priority text not null default 'medium'
        constraint support_tickets_priority_check check (priority in ('urgent', 'high', 'medium', 'low')),
    tags text[] not null default '{}',
    status text not null default 'open' constraint support_tickets_status_check check (
        status in ('open', 'in_progress', 'waiting_response', 'escalated', 'resolved')),
    assigned_to uuid,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);
comment on table public.support_tickets is 'What members ask the team.';
create index support_tickets_user_id_idx on public.support_tickets (user_id, created_at desc);
create index support_tickets_status_idx on public.support_tickets (status, created_at desc);

create table public.ticket_messages (
    id uuid primary key default gen_random_uuid(),
    ticket_id uuid not null
        constraint ticket_messages_ticket_id_fkey references public.support_tickets (id) on delete cascade,
    author_id uuid,
    body text not null constraint ticket_messages_body_check check (btrim(body) <> '' and char_length(body) <= 4000),
    created_at timestamptz not null default now()
);
comment on table public.ticket_messages is 'The conversation of a ticket. The author may be the administrator, who has no profile.';
create index ticket_messages_ticket_id_idx on public.ticket_messages (ticket_id, created_at);

create table public.conversation_reports (
    id uuid primary key default gen_random_uuid(),
    reporter_id uuid
        constraint conversation_reports_reporter_id_fkey references public.profiles (user_id) on delete set null,
    counterpart_id uuid
        constraint conversation_reports_counterpart_id_fkey references public.profiles (user_id) on delete set null,
    reason text not null constraint conversation_reports_reason_check check (btrim(reason) <> '' and char_length(reason) <= 1000),
    status text not null default 'open'
        constraint conversation_reports_status_check check (status in ('open', 'reviewed', 'closed')),
    created_at timestamptz not null default now()
);
comment on table public.conversation_reports is 'Conversations a participant reported: the only ones an administrator may read.';
create unique index conversation_reports_one_open_key on public.conversation_reports (reporter_id, counterpart_id)
    where status = 'open';
create index conversation_reports_counterpart_id_idx on public.conversation_reports (counterpart_id);

create table public.admin_audit_log (
    id bigint generated always as identity primary key,
    admin_id uuid,
    action text not null,
    target_type text not null,
    target_id text,
    details jsonb not null default '{}',
    created_at timestamptz not null default now()
);
comment on table public.admin_audit_log is 'What administrators did. Nobody changes it; the account that acted may be gone.';
create index admin_audit_log_created_at_idx on public.admin_audit_log (created_at desc);

create function private.owns_ticket(ticket uuid) returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.support_tickets where id = ticket and user_id = auth.uid())
$$;
comment on function private.owns_ticket(uuid) is 'Whether the caller opened this ticket.';
grant execute on function private.owns_ticket(uuid) to authenticated, service_role;

alter table public.support_tickets enable row level security;
create policy "Members see their own tickets" on public.support_tickets
    for select to authenticated using (user_id = (select auth.uid()));
create policy "The administrator sees every ticket" on public.support_tickets
    for select to authenticated using ((select private.is_admin()));
create policy "Active members open tickets" on public.support_tickets
    for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_active()));

alter table public.ticket_messages enable row level security;
create policy "Members read the messages of their own tickets" on public.ticket_messages
    for select to authenticated using (private.owns_ticket(ticket_id));
create policy "The administrator reads the messages of every ticket" on public.ticket_messages
    for select to authenticated using ((select private.is_admin()));
create policy "Active members write to their own tickets" on public.ticket_messages
    for insert to authenticated with check (
        author_id = (select auth.uid()) and (select private.is_active()) and private.owns_ticket(ticket_id));

alter table public.conversation_reports enable row level security;
create policy "Reporters see their own reports" on public.conversation_reports
    for select to authenticated using (reporter_id = (select auth.uid()));
create policy "The administrator sees every report" on public.conversation_reports
    for select to authenticated using ((select private.is_admin()));

alter table public.admin_audit_log enable row level security;
create policy "The administrator sees the record" on public.admin_audit_log
    for select to authenticated using ((select private.is_admin()));

create function private.default_ticket_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.status := 'open';
        new.assigned_to := null;
        new.tags := '{}';
        new.priority := 'medium';
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_ticket_columns() is 'A ticket starts open; how urgent it is, the team decides.';
create trigger default_columns before insert on public.support_tickets
    for each row execute function private.default_ticket_columns();
create trigger set_updated_at before update on public.support_tickets
    for each row execute function private.set_updated_at();

create function private.continue_ticket() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    update public.support_tickets set status = 'in_progress'
    where id = new.ticket_id and user_id = new.author_id and status = 'waiting_response';
    return null;
end
$$;
comment on function private.continue_ticket() is 'An answer from its author takes a ticket out of waiting.';
create trigger continue_ticket after insert on public.ticket_messages
    for each row execute function private.continue_ticket();

create function public.report_conversation(p_counterpart uuid, p_reason text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    report uuid;
begin
    if auth.uid() is null or not exists (
        select from public.messages
        where (sender_id = auth.uid() and receiver_id = p_counterpart)
        or (sender_id = p_counterpart and receiver_id = auth.uid())) then
        raise exception 'You can only report a conversation you take part in' using errcode = '42501';
    elsif coalesce(btrim(p_reason), '') = '' then
        raise exception 'Please say why you report this conversation' using errcode = '22023';
    end if;
    insert into public.conversation_reports (reporter_id, counterpart_id, reason)
    values (auth.uid(), p_counterpart, p_reason)
    on conflict (reporter_id, counterpart_id) where status = 'open' do update set reason = excluded.reason
    returning id into report;
    return report;
end
$$;
comment on function public.report_conversation(uuid, text) is 'Lets the administrator read the caller''s conversation with a member.';
revoke execute on function public.report_conversation(uuid, text) from public, anon;

create function private.audit(action text, target_type text, target_id text, details jsonb default '{}') returns void
language sql security definer set search_path = '' as $$
    insert into public.admin_audit_log (admin_id, action, target_type, target_id, details)
    values (auth.uid(), action, target_type, target_id, jsonb_strip_nulls(coalesce(details, '{}')))
$$;
comment on function private.audit(text, text, text, jsonb) is 'Records what the administrator just did.';
