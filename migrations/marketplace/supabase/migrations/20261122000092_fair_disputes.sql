-- A suspended member chooses mails and disputes deals; a completed deal can be disputed for ninety days.

-- A suspension takes the market away, not the say over one's own mailbox, nor the right to be heard about a deal.
alter policy "Members set their own preferences" on public.notification_preferences
    with check (user_id = (select auth.uid()) and (select private.is_confirmed_member()));
alter policy "Members change their own preferences" on public.notification_preferences
    with check (user_id = (select auth.uid()) and (select private.is_confirmed_member()));
alter policy "A party of a deal hands in evidence" on storage.objects
    with check (
        bucket_id = 'dispute-evidence' and private.is_in_own_folder(name) and (select private.is_confirmed_member())
        and private.is_party_of(private.deal_of_evidence(name)));

create function private.require_member() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if not private.is_confirmed_member() then
        raise exception 'Only members may do this' using errcode = '42501';
    end if;
end
$$;
comment on function private.require_member() is 'Refuses whoever is no confirmed member; a suspended one is.';

create function private.dispute_days() returns integer
language sql immutable set search_path = '' as $$ select 90 $$;
comment on function private.dispute_days() is 'How many days after its completion a deal can still be disputed.';

create function private.refuse_closed_deal(deal public.deals) returns void
language plpgsql stable set search_path = '' as $$
begin
    if deal.status = 'open' then
        return;
    elsif deal.status <> 'completed' then
        raise exception 'This deal is closed and cannot be disputed any more. Please write to our team.'
            using errcode = 'P0001';
    elsif coalesce(deal.completed_at, deal.opened_at) < now() - private.dispute_days() * interval '1 day' then
        raise exception 'This deal was completed more than 90 days ago and cannot be disputed any more. Please write to our team.'
            using errcode = 'P0001';
    end if;
end
$$;
comment on function private.refuse_closed_deal(public.deals) is
    'Refuses a dispute about a deal that is over: cancelled, or completed longer ago than dispute_days.';

-- A completed deal stays completed while it is disputed: it keeps its place in everybody's figures, its request stays
-- closed to other agents, and a ticket carries the dispute to the back office.
create or replace function public.raise_dispute(
    p_invitation uuid, p_reason text, p_statement text, p_evidence jsonb default '[]'
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    deal public.deals;
    held public.disputes;
    said public.dispute_statements;
    files jsonb;
begin
    perform private.require_member();
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
    end if;
    perform private.refuse_closed_deal(deal);
    files := private.checked_evidence(deal.id, p_evidence);
    if deal.status = 'completed' or not exists (
        select from public.request_cases
        where request_id = deal.request_id and status in ('pending_agent', 'in_progress', 'disputed')) then
        insert into public.support_tickets (user_id, subject, body, category, priority, tags)
        values (auth.uid(), left('Dispute: ' || p_reason, 200),
            left(format(case deal.status when 'completed' then 'A completed deal between %s and %s is disputed.'
                else 'A deal between %s and %s is disputed.' end, private.called(deal.agent_id::text),
                private.called(deal.importer_id::text)), 4000), 'deal', 'high', array['dispute'])
        returning id into held.ticket_id;
    end if;
    insert into public.disputes (deal_id, request_id, ticket_id, raised_by, reason)
    values (deal.id, deal.request_id, held.ticket_id, auth.uid(), btrim(p_reason)) returning * into held;
    insert into public.dispute_statements (dispute_id, author_id, body, evidence)
    values (held.id, auth.uid(), btrim(p_statement), files) returning * into said;
    if deal.status = 'open' then
        update public.deals set status = 'disputed' where id = deal.id;
        update public.request_cases set status = 'disputed', dispute_reason = held.reason, evidence = '[]'
        where request_id = deal.request_id and status in ('pending_agent', 'in_progress');
    end if;
    perform private.carry_statement(held, said);
    perform private.notify_member(private.other_party(deal), 'dispute_raised', jsonb_build_object(
        'sender_id', auth.uid(), 'request_id', deal.request_id, 'note', held.reason));
    return held.id;
end
$$;
comment on function public.raise_dispute(uuid, text, text, jsonb) is
    'Disputes the deal of an accepted invitation, until 90 days after its completion, with a reason, a statement and files [{title, path}]. Returns the dispute.';

create or replace function public.answer_dispute(p_dispute uuid, p_statement text, p_evidence jsonb default '[]') returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    held public.disputes;
    deal public.deals;
    said public.dispute_statements;
begin
    perform private.require_member();
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

-- The ticket of a dispute shows its files: they lie in bucket dispute-evidence, which the administrator may read.
drop function private.tickets_for_admin();
create function private.tickets_for_admin() returns table (
    id uuid, user_id uuid, full_name text, user_type text, subject text, body text, category text, priority text,
    tags text[], status text, assigned_to uuid, created_at timestamptz, updated_at timestamptz, messages jsonb,
    evidence jsonb
)
language sql stable security definer set search_path = '' as $$
    select t.id, t.user_id, p.full_name, p.user_type, t.subject, t.body, t.category, t.priority, t.tags, t.status,
        t.assigned_to, t.created_at, t.updated_at,
        coalesce((select jsonb_agg(jsonb_build_object('author_id', m.author_id, 'body', m.body, 'created_at', m.created_at,
            'from_member', m.author_id = t.user_id) order by m.created_at, m.id)
            from public.ticket_messages m where m.ticket_id = t.id), '[]'),
        coalesce((select jsonb_agg(piece order by s.created_at, s.id)
            from public.disputes d
            join public.dispute_statements s on s.dispute_id = d.id
            cross join lateral jsonb_array_elements(s.evidence) as piece
            where d.ticket_id = t.id), '[]')
    from public.support_tickets t left join public.profiles p on p.user_id = t.user_id
$$;
comment on function private.tickets_for_admin() is 'Every ticket with its conversation and, for a dispute, what was handed in.';

revoke execute on function private.require_member(), private.dispute_days(), private.refuse_closed_deal(public.deals),
    private.tickets_for_admin() from public;
