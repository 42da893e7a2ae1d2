-- What the back office does; every action leaves an audit entry.

create function private.require_reason(reason text) returns void
language plpgsql immutable set search_path = '' as $$
begin
    if coalesce(btrim(reason), '') = '' then
        raise exception 'Please give a reason' using errcode = '22023';
    end if;
end
$$;
comment on function private.require_reason(text) is 'What a member is told must say why.';

create function public.admin_review_agent(p_agent uuid, p_decision text, p_note text default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
    submission uuid;
begin
    perform private.require_admin();
    if p_decision is null or p_decision not in ('approve', 'reject', 'more_info') then
        raise exception 'Unknown decision "%"', p_decision using errcode = '22023';
    elsif p_decision <> 'approve' then
        perform private.require_reason(p_note);
    end if;
    update public.agent_verifications
    set status = case p_decision when 'approve' then 'approved' when 'reject' then 'rejected' else 'more_info' end,
        review_note = p_note, reviewed_by = auth.uid(), reviewed_at = now()
    where agent_id = p_agent and status in ('pending', 'more_info')
    returning id into submission;
    if submission is null then
        raise exception 'This agent has no open submission' using errcode = 'P0002';
    end if;
    update public.profiles
    set verification_status = case p_decision when 'approve' then 'verified' else 'unverified' end,
        verified_at = case p_decision when 'approve' then now() end
    where user_id = p_agent;
    perform private.notify_member(p_agent, 'verification_' || p_decision, jsonb_build_object('note', p_note));
    perform private.audit('review_agent', 'agent', p_agent::text, jsonb_build_object('decision', p_decision, 'note', p_note));
end
$$;
comment on function public.admin_review_agent(uuid, text, text) is
    'Decides on an agent''s submission: approve, reject or more_info; the last two need a note the agent sees.';

create function public.admin_mark_payment(p_agent uuid, p_status text, p_reference text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
    perform private.require_admin();
    if p_status is null or p_status not in ('none', 'claimed', 'received') then
        raise exception 'Unknown payment status "%"', p_status using errcode = '22023';
    end if;
    update public.agent_verifications
    set payment_status = p_status, payment_reference = coalesce(p_reference, payment_reference)
    where id = (private.latest_verification(p_agent)).id;
    if not found then
        raise exception 'This agent has no submission' using errcode = 'P0002';
    end if;
    perform private.audit('mark_payment', 'agent', p_agent::text,
        jsonb_build_object('status', p_status, 'reference', p_reference));
end
$$;
comment on function public.admin_mark_payment(uuid, text, text) is 'Notes that the fee of an agent''s newest submission was received, or not.';

create function public.admin_set_account_status(p_user uuid, p_status text, p_reason text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
    perform private.require_admin();
    if p_status is null or p_status not in ('active', 'inactive', 'suspended') then
        raise exception 'Unknown status "%"', p_status using errcode = '22023';
    elsif p_status = 'suspended' then
        perform private.require_reason(p_reason);
    end if;
    update public.profiles set status = p_status where user_id = p_user;
    if not found then
        raise exception 'There is no such member' using errcode = 'P0002';
    end if;
    if p_status = 'suspended' then
        insert into public.account_moderation (user_id, suspension_reason, suspended_at, suspended_by)
        values (p_user, p_reason, now(), auth.uid())
        on conflict (user_id) do update set suspension_reason = excluded.suspension_reason,
            suspended_at = excluded.suspended_at, suspended_by = excluded.suspended_by;
    else
        delete from public.account_moderation where user_id = p_user;
    end if;
    perform private.notify_member(p_user, 'account_' || p_status, jsonb_build_object('reason', p_reason));
    perform private.audit('set_account_status', 'member', p_user::text,
        jsonb_build_object('status', p_status, 'reason', p_reason));
end
$$;
comment on function public.admin_set_account_status(uuid, text, text) is 'Suspends a member, for a reason the member is told, or reactivates one.';

create function public.admin_set_account_type(p_user uuid, p_type text) returns void
language plpgsql security definer set search_path = '' as $$
begin
    perform private.require_admin();
    if p_type is null or p_type not in ('standard', 'business', 'premium') then
        raise exception 'Unknown account type "%"', p_type using errcode = '22023';
    end if;
    update public.profiles set account_type = p_type where user_id = p_user;
    if not found then
        raise exception 'There is no such member' using errcode = 'P0002';
    end if;
    perform private.audit('set_account_type', 'member', p_user::text, jsonb_build_object('type', p_type));
end
$$;
comment on function public.admin_set_account_type(uuid, text) is 'Makes an account standard, business or premium.';

-- Which step is possible from which status; null in `becomes` leaves the status as it is.
create table private.case_steps (
    action text not null,
    status text not null,
    becomes text,
    primary key (action, status)
);
comment on table private.case_steps is 'What the back office may do with a case in each status, and what the case becomes.';
insert into private.case_steps (action, status, becomes) values
    ('approve', 'pending_approval', 'pending_agent'),
    ('request_more_info', 'pending_approval', null),
    ('reject', 'pending_approval', 'cancelled'),
    ('assign_agent', 'pending_agent', null),
    ('open_dispute', 'in_progress', 'disputed'),
    ('mediate', 'disputed', 'in_progress'),
    ('contact_parties', 'disputed', null),
    ('view_evidence', 'disputed', null),
    ('cancel', 'pending_agent', 'cancelled'),
    ('cancel', 'in_progress', 'cancelled'),
    ('cancel', 'disputed', 'cancelled');

create function private.notify_parties(request uuid, kind text, payload jsonb) returns void
language sql security definer set search_path = '' as $$
    select private.notify_member(party, kind, payload || jsonb_build_object('request_id', request))
    from public.request_cases c
    join public.car_requests r on r.id = c.request_id
    cross join lateral (values (r.importer_id), (c.assigned_agent_id)) as parties (party)
    where c.request_id = request and party is not null
$$;
comment on function private.notify_parties(uuid, text, jsonb) is 'Tells the importer of a request and the agent assigned to it.';

create function private.assign_agent(request uuid, agent uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
    if not exists (select from public.profiles where user_id = agent and user_type = 'agent' and status = 'active') then
        raise exception 'Only an active agent can be assigned' using errcode = '22023';
    end if;
    insert into public.invitations (agent_id, importer_id, request_id, message)
    select agent, r.importer_id, r.id,
        format('Hello %s, I am interested in helping you with your car import request.', p.full_name)
    from public.car_requests r join public.profiles p on p.user_id = r.importer_id where r.id = request
    on conflict do nothing;
    update public.request_cases set assigned_agent_id = agent where request_id = request;
end
$$;
comment on function private.assign_agent(uuid, uuid) is 'Assigns an agent to a request: the importer still decides, so it is an invitation.';

create function private.settle_deal(request uuid, becomes text) returns void
language sql security definer set search_path = '' as $$
    update public.deals
    set status = case becomes when 'disputed' then 'disputed' when 'cancelled' then 'cancelled' else 'open' end
    where request_id = request and status in ('open', 'disputed')
$$;
comment on function private.settle_deal(uuid, text) is 'Carries a case''s dispute, its end or its cancellation over to the deal.';

create function public.admin_request_action(p_request uuid, p_action text, p_args jsonb default '{}') returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
    held public.request_cases;
    step private.case_steps;
    told jsonb := jsonb_strip_nulls(coalesce(p_args, '{}'));
begin
    perform private.require_admin();
    select * into held from public.request_cases where request_id = p_request for update;
    if not found then
        raise exception 'There is no such request' using errcode = 'P0002';
    end if;
    select * into step from private.case_steps where action = p_action and status = held.status;
    if not found then
        raise exception 'A request that is % does not allow "%"', held.status, p_action using errcode = '22023';
    elsif p_action in ('request_more_info', 'reject', 'open_dispute', 'mediate', 'contact_parties', 'cancel') then
        perform private.require_reason(told ->> 'note');
    end if;
    if p_action = 'assign_agent' then
        perform private.assign_agent(p_request, (told ->> 'agent_id')::uuid);
    end if;
    update public.request_cases
    set status = coalesce(step.becomes, status),
        dispute_reason = case p_action when 'open_dispute' then told ->> 'note' else dispute_reason end,
        evidence = case p_action when 'open_dispute' then coalesce(told -> 'evidence', evidence) else evidence end,
        notes = case when told ->> 'note' is null then notes else notes || jsonb_build_object(
            'at', now(), 'action', p_action, 'text', told ->> 'note') end
    where request_id = p_request
    returning * into held;
    if step.becomes in ('disputed', 'in_progress', 'cancelled') then
        perform private.settle_deal(p_request, step.becomes);
    end if;
    if p_action not in ('view_evidence', 'assign_agent') then
        perform private.notify_parties(p_request, 'request_' || p_action, told);
    end if;
    perform private.audit('request_' || p_action, 'request', p_request::text, told);
    return to_jsonb(held);
end
$$;
comment on function public.admin_request_action(uuid, text, jsonb) is
    'One step of a case: approve, request_more_info, reject, assign_agent {agent_id}, open_dispute {evidence}, mediate, contact_parties, view_evidence, cancel; most need {note}. Returns the case.';

create function public.admin_ticket_action(p_ticket uuid, p_action text, p_text text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
    ticket public.support_tickets;
    becomes text;
begin
    perform private.require_admin();
    select * into ticket from public.support_tickets where id = p_ticket for update;
    if not found then
        raise exception 'There is no such ticket' using errcode = 'P0002';
    end if;
    becomes := case
        when p_action = 'assign' and ticket.status in ('open', 'escalated') then 'in_progress'
        when p_action = 'escalate' and ticket.status in ('open', 'in_progress') then 'escalated'
        when p_action = 'resolve' and ticket.status in ('in_progress', 'escalated', 'waiting_response') then 'resolved'
        when p_action = 'request_info' and ticket.status = 'in_progress' then 'waiting_response'
        when p_action = 'reply' and ticket.status <> 'resolved' then ticket.status
        when p_action = 'reopen' and ticket.status = 'resolved' then 'in_progress' end;
    if becomes is null then
        raise exception 'A ticket that is % does not allow "%"', ticket.status, p_action using errcode = '22023';
    elsif p_action in ('request_info', 'reply') then
        perform private.require_reason(p_text);
    end if;
    update public.support_tickets
    set status = becomes, assigned_to = case p_action when 'assign' then auth.uid() else assigned_to end
    where id = p_ticket;
    if coalesce(btrim(p_text), '') <> '' then
        insert into public.ticket_messages (ticket_id, author_id, body) values (p_ticket, auth.uid(), p_text);
        perform private.notify_member(ticket.user_id, 'ticket_answer', jsonb_build_object('ticket_id', p_ticket));
    end if;
    perform private.audit('ticket_' || p_action, 'ticket', p_ticket::text, jsonb_build_object('text', p_text));
    return becomes;
end
$$;
comment on function public.admin_ticket_action(uuid, text, text) is
    'One step of a ticket: assign (to me), escalate, resolve, request_info, reply, reopen. Returns the new status.';

create function public.admin_conversation_open(p_report uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
    report public.conversation_reports;
begin
    perform private.require_admin();
    update public.conversation_reports set status = case status when 'open' then 'reviewed' else status end
    where id = p_report and status <> 'closed' returning * into report;
    if not found then
        raise exception 'There is no such report' using errcode = 'P0002';
    end if;
    perform private.audit('open_conversation', 'report', p_report::text,
        jsonb_build_object('reporter_id', report.reporter_id, 'counterpart_id', report.counterpart_id));
    return jsonb_build_object('report', to_jsonb(report), 'messages', coalesce((
        select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.messages m
        where (m.sender_id = report.reporter_id and m.receiver_id = report.counterpart_id)
        or (m.sender_id = report.counterpart_id and m.receiver_id = report.reporter_id)), '[]'));
end
$$;
comment on function public.admin_conversation_open(uuid) is 'Opens a conversation one of its participants reported; the record says so.';

revoke execute on function public.admin_review_agent(uuid, text, text), public.admin_mark_payment(uuid, text, text),
    public.admin_set_account_status(uuid, text, text), public.admin_set_account_type(uuid, text),
    public.admin_request_action(uuid, text, jsonb), public.admin_ticket_action(uuid, text, text),
    public.admin_conversation_open(uuid)
    from public, anon;
