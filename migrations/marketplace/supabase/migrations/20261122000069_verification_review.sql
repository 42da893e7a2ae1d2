-- The review judges each document, and approves nobody whose fee is open.

insert into private.notification_texts (kind, subject, body, action, path) values
    ('payment_received', 'Your verification fee has arrived', 'Now our team checks your documents. That takes 24-48 hours.', 'See where it stands', '/agent/dashboard'),
    ('payment_waived', 'You do not have to pay the verification fee', 'Reason: {note}', 'See where it stands', '/agent/dashboard'),
    ('payment_missing', 'We did not find your verification fee', '{note}', 'See where it stands', '/agent/dashboard');

create or replace function private.shown_agent_status(member public.profiles, submission public.agent_verifications) returns text
language sql immutable set search_path = '' as $$
    select case
        when member.status = 'suspended' then 'suspended'
        when member.verification_status = 'verified' then 'verified'
        when member.verification_status = 'pending' and coalesce(submission.payment_status, 'none') in ('none', 'claimed')
            then 'payment_pending'
        when member.verification_status = 'pending' then 'pending'
        else 'unverified' end
$$;

create function private.check_verdicts(documents jsonb) returns void
language plpgsql immutable set search_path = '' as $$
declare
    verdict record;
begin
    for verdict in select key, value from jsonb_each(coalesce(documents, '{}')) loop
        if verdict.key not in ('identity_document', 'company_proof')
            or coalesce(verdict.value ->> 'status', '') not in ('accepted', 'refused') then
            raise exception 'Unknown verdict on "%"', verdict.key using errcode = '22023';
        elsif verdict.value ->> 'status' = 'refused' then
            perform private.require_reason(verdict.value ->> 'note');
        end if;
    end loop;
end
$$;
comment on function private.check_verdicts(jsonb) is 'Refuses verdicts on documents that are unknown or say no reason.';

-- the note to the agent, and a line for each document that is sent back
create function private.told_reasons(note text, documents jsonb) returns text
language sql immutable set search_path = '' as $$
    select nullif(concat_ws(E'\n', nullif(btrim(note), ''),
        'Identity document: ' || case when documents #>> '{identity_document,status}' = 'refused'
            then btrim(documents #>> '{identity_document,note}') end,
        'Company proof: ' || case when documents #>> '{company_proof,status}' = 'refused'
            then btrim(documents #>> '{company_proof,note}') end), '')
$$;
comment on function private.told_reasons(text, jsonb) is 'Everything an agent is told about a decision.';

create function private.check_decision(agent uuid, decision text, note text, documents jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
    submission constant public.agent_verifications := private.latest_verification(agent);
begin
    if decision is null or decision not in ('approve', 'reject', 'more_info') then
        raise exception 'Unknown decision "%"', decision using errcode = '22023';
    end if;
    perform private.check_verdicts(documents);
    if decision <> 'approve' then
        perform private.require_reason(private.told_reasons(note, documents));
    elsif submission.status not in ('pending', 'more_info') or submission.id is null then
        return;
    elsif documents @? '$.* ? (@.status == "refused")' then
        raise exception 'A submission with a document sent back cannot be approved' using errcode = '22023';
    elsif submission.payment_status not in ('received', 'waived') then
        raise exception 'The fee is still open. Note that it has arrived, or waive it, before you approve.'
            using errcode = 'P0001';
    end if;
end
$$;
comment on function private.check_decision(uuid, text, text, jsonb) is
    'Refuses decisions without a reason, and approvals while the fee or a document is open.';

drop function public.admin_review_agent(uuid, text, text);
create function public.admin_review_agent(
    p_agent uuid, p_decision text, p_note text default null, p_documents jsonb default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
    submission uuid;
    approves constant boolean := p_decision = 'approve';
    told constant text := private.told_reasons(p_note, p_documents);
begin
    perform private.require_admin();
    perform private.check_decision(p_agent, p_decision, p_note, p_documents);
    update public.agent_verifications
    set status = case p_decision when 'approve' then 'approved' when 'reject' then 'rejected' else 'more_info' end,
        review_note = nullif(btrim(p_note), ''), reviewed_by = auth.uid(), reviewed_at = now(), documents_checked_at = now(),
        identity_document_status = case when approves then 'accepted'
            else coalesce(p_documents #>> '{identity_document,status}', identity_document_status) end,
        identity_document_note = case when approves then null when p_documents ? 'identity_document'
            then btrim(p_documents #>> '{identity_document,note}') else identity_document_note end,
        company_proof_status = case when approves then 'accepted'
            else coalesce(p_documents #>> '{company_proof,status}', company_proof_status) end,
        company_proof_note = case when approves then null when p_documents ? 'company_proof'
            then btrim(p_documents #>> '{company_proof,note}') else company_proof_note end
    where agent_id = p_agent and status in ('pending', 'more_info')
    returning id into submission;
    if submission is null then
        raise exception 'This agent has no open submission' using errcode = 'P0002';
    end if;
    update public.profiles
    set verification_status = case p_decision when 'approve' then 'verified' else 'unverified' end,
        verified_at = case p_decision when 'approve' then now() end
    where user_id = p_agent;
    perform private.notify_member(p_agent, 'verification_' || p_decision, jsonb_build_object('note', told));
    perform private.audit('review_agent', 'agent', p_agent::text,
        jsonb_build_object('decision', p_decision, 'note', p_note, 'documents', p_documents));
end
$$;
comment on function public.admin_review_agent(uuid, text, text, jsonb) is
    'Decides on an agent''s submission: approve, reject or more_info. The last two need a note the agent sees, or a document sent back: {"identity_document": {"status": "refused", "note": "…"}, "company_proof": {"status": "accepted"}}. Approving needs the fee received or waived.';

drop function public.admin_mark_payment(uuid, text, text);
create function public.admin_mark_payment(
    p_agent uuid, p_status text, p_reference text default null, p_reason text default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
    before public.agent_verifications;
    settles constant boolean := p_status in ('received', 'waived');
begin
    perform private.require_admin();
    if p_status is null or p_status not in ('none', 'claimed', 'received', 'waived') then
        raise exception 'Unknown payment status "%"', p_status using errcode = '22023';
    elsif p_status = 'waived' then
        perform private.require_reason(p_reason);
    end if;
    select * into before from public.agent_verifications
    where id = (private.latest_verification(p_agent)).id for update;
    if not found then
        raise exception 'This agent has no submission' using errcode = 'P0002';
    end if;
    update public.agent_verifications
    set payment_status = p_status, payment_reference = coalesce(nullif(btrim(p_reference), ''), payment_reference),
        payment_note = nullif(btrim(p_reason), ''), payment_claimed = payment_claimed and p_status <> 'none',
        payment_settled_at = case when not settles then null
            when payment_status = p_status then payment_settled_at else now() end,
        payment_settled_by = case when settles then auth.uid() end
    where id = before.id;
    -- pressed twice, told once
    if before.payment_status <> p_status and p_status <> 'claimed' and before.status in ('pending', 'more_info') then
        perform private.notify_member(p_agent,
            case p_status when 'none' then 'payment_missing' else 'payment_' || p_status end,
            jsonb_build_object('note', coalesce(nullif(btrim(p_reason), ''), 'Please check your transfer and tell us again.')));
    end if;
    perform private.audit('mark_payment', 'agent', p_agent::text,
        jsonb_build_object('status', p_status, 'reference', p_reference, 'reason', p_reason));
end
$$;
comment on function public.admin_mark_payment(uuid, text, text, text) is
    'Notes that the fee of an agent''s newest submission was received, was waived for a reason, or was not found.';

revoke execute on function public.admin_review_agent(uuid, text, text, jsonb),
    public.admin_mark_payment(uuid, text, text, text) from public, anon;
revoke execute on function private.check_verdicts(jsonb), private.told_reasons(text, jsonb),
    private.check_decision(uuid, text, text, jsonb) from public;
