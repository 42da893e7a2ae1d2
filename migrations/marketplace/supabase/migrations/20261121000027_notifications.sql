-- What members are told by mail or SMS, as far as they want it.

create table public.notification_outbox (
    id bigint generated always as identity primary key,
    user_id uuid not null
        constraint notification_outbox_user_id_fkey references public.profiles (user_id) on delete cascade,
    channel text not null constraint notification_outbox_channel_check check (channel in ('email', 'sms')),
    kind text not null,
    payload jsonb not null default '{}',
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    error text
);
comment on table public.notification_outbox is 'What waits to be sent to members.';
create index notification_outbox_unsent_idx on public.notification_outbox (id) where sent_at is null;
create index notification_outbox_user_id_idx on public.notification_outbox (user_id, kind, created_at);

alter table public.notification_outbox enable row level security;
create policy "The administrator sees what waits to be sent" on public.notification_outbox
    for select to authenticated using ((select private.is_admin()));

create function private.notify_member(member uuid, kind text, payload jsonb) returns void
language sql security definer set search_path = '' as $$
    insert into public.notification_outbox (user_id, channel, kind, payload)
    select member, channel, notify_member.kind, notify_member.payload
    from public.notification_preferences p
    cross join lateral (values ('email', p.email), ('sms', p.sms)) as wanted (channel, wants)
    where p.user_id = member and wants
$$;
comment on function private.notify_member(uuid, text, jsonb) is 'Queues a notification on the channels the member wants.';

create function private.notify_of_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- a conversation is one notification an hour, not one a sentence
    if not exists (
        select from public.notification_outbox
        where user_id = new.receiver_id and kind = 'message' and payload ->> 'sender_id' = new.sender_id::text
        and created_at > now() - interval '1 hour') then
        perform private.notify_member(new.receiver_id, 'message',
            jsonb_build_object('sender_id', new.sender_id, 'message_id', new.id));
    end if;
    return null;
end
$$;
comment on function private.notify_of_message() is 'Tells the receiver of a message.';

create function private.notify_of_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if tg_op = 'UPDATE' then
        perform private.notify_member(new.agent_id, 'invitation_' || new.status,
            jsonb_build_object('invitation_id', new.id, 'importer_id', new.importer_id));
    elsif exists (
        select from public.notification_preferences where user_id = new.importer_id and agent_proposal_alerts) then
        perform private.notify_member(new.importer_id, 'invitation',
            jsonb_build_object('invitation_id', new.id, 'agent_id', new.agent_id));
    end if;
    return null;
end
$$;
comment on function private.notify_of_invitation() is 'Tells the importer of an invitation, and the agent of the answer.';

create function private.notify_of_request() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    insert into public.notification_outbox (user_id, channel, kind, payload)
    select p.user_id, wanted.channel, 'request', jsonb_build_object('request_id', new.id)
    from public.profiles p
    join public.notification_preferences n on n.user_id = p.user_id and n.new_request_alerts
    cross join lateral (values ('email', n.email), ('sms', n.sms)) as wanted (channel, wants)
    where p.user_type = 'agent' and p.status = 'active' and p.verification_status = 'verified' and wanted.wants;
    return null;
end
$$;
comment on function private.notify_of_request() is 'Tells verified agents of a request that became active.';

create trigger queue_notification after insert on public.messages
    for each row when (new.receiver_id is not null) execute function private.notify_of_message();
create trigger queue_notification after insert on public.invitations
    for each row execute function private.notify_of_invitation();
create trigger queue_response_notification after update of status on public.invitations
    for each row when (old.status = 'sent' and new.status <> 'sent') execute function private.notify_of_invitation();
create trigger queue_notification after insert on public.car_requests
    for each row when (new.status = 'active') execute function private.notify_of_request();
create trigger queue_approval_notification after update of status on public.car_requests
    for each row when (old.status = 'pending' and new.status = 'active') execute function private.notify_of_request();
