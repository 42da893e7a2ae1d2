-- An invitation the administrator made is marked as such, and the agent is told.

-- The administrator finds an agent for a request. The invitation that makes is the team's word, not the agent's: it says
-- so, carries no greeting in the agent's name, and the agent is told.
alter table public.invitations add column is_assigned boolean not null default false;
comment on column public.invitations.is_assigned is 'Whether the team brought the two together; then it has no message.';

create or replace function private.default_invitation_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.status := 'sent';
        new.response_message := null;
        new.responded_at := null;
        new.created_at := now();
        new.is_assigned := false;
    end if;
    return new;
end
$$;
comment on function private.default_invitation_columns() is 'An invitation starts unanswered, and is a member''s own.';

insert into private.notification_texts (kind, subject, body, action, path) values
    ('assignment', 'We suggested you for a request: {car}',
        'Our team thinks that you are the right agent for {who}, who now decides. You need not do anything; write to them if you like. This is the request:',
        'See the invitation', '/agent/invitations'),
    ('invitation_assigned', 'We found an agent for your {car}: {who}',
        'Our team suggests {who} for this request. You decide whether to accept:',
        'See the invitation', '/importer/dashboard');

create or replace function private.notify_of_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'UPDATE' then
        perform private.notify_member(new.agent_id, 'invitation_' || new.status,
            jsonb_build_object('invitation_id', new.id, 'importer_id', new.importer_id));
    elsif exists (
        select from public.notification_preferences where user_id = new.importer_id and agent_proposal_alerts) then
        perform private.notify_member(new.importer_id,
            case when new.is_assigned then 'invitation_assigned' else 'invitation' end,
            jsonb_strip_nulls(jsonb_build_object('invitation_id', new.id, 'agent_id', new.agent_id,
                'request_id', case when new.is_assigned then new.request_id end)));
    end if;
    return null;
end
$$;

create or replace function private.assign_agent(request uuid, agent uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
    if not exists (select from public.profiles where user_id = agent and user_type = 'agent' and status = 'active') then
        raise exception 'Only an active agent can be assigned' using errcode = '22023';
    end if;
    -- who has offered help already is waiting for the answer, and stays the one who asked
    insert into public.invitations (agent_id, importer_id, request_id, is_assigned)
    select agent, r.importer_id, r.id, true from public.car_requests r where r.id = request
    on conflict do nothing;
    if found then
        perform private.notify_member(agent, 'assignment',
            jsonb_build_object('request_id', request, 'importer_id', r.importer_id))
        from public.car_requests r where r.id = request;
    end if;
    update public.request_cases set assigned_agent_id = agent where request_id = request;
end
$$;
