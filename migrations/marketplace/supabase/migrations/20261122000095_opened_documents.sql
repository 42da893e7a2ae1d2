-- An agent is approved only by somebody who opened the documents as they are now.

-- What was opened is a file, and not a place in a form: a document that was replaced has to be opened again.
drop function public.admin_open_document(uuid, text);
create function public.admin_open_document(p_submission uuid, p_document text, p_path text) returns void
language plpgsql security definer set search_path = '' as $$
declare
    submission public.agent_verifications;
begin
    perform private.require_admin();
    if p_document is null or p_document not in ('identity_document', 'company_proof') then
        raise exception 'Unknown document "%"', p_document using errcode = '22023';
    end if;
    select * into submission from public.agent_verifications where id = p_submission;
    if not found then
        raise exception 'There is no such submission' using errcode = 'P0002';
    elsif to_jsonb(submission) ->> (p_document || '_path') is distinct from p_path then
        raise exception 'This document was replaced. Please open the new one.' using errcode = 'P0001';
    end if;
    perform private.audit('open_document', 'agent', submission.agent_id::text,
        jsonb_build_object('document', p_document, 'submission', p_submission, 'path', p_path));
end
$$;
comment on function public.admin_open_document(uuid, text, text) is
    'Notes in the record which document of a submission the administrator opened: its name and the file it was.';

create function private.unopened_documents(submission public.agent_verifications, administrator uuid) returns text[]
language sql stable security definer set search_path = '' as $$
    select coalesce(array_agg(d.name order by d.place), '{}')
    from (values
        (1, 'identity_document', submission.identity_document_path),
        (2, 'company_proof', submission.company_proof_path)) as d (place, name, path)
    where d.path is not null and not exists (
        select from public.admin_audit_log
        where action = 'open_document' and admin_id = administrator
            and details ->> 'submission' = submission.id::text
            and details ->> 'document' = d.name and details ->> 'path' = d.path)
$$;
comment on function private.unopened_documents(public.agent_verifications, uuid) is
    'Which documents of a submission, as they are now, an administrator has not opened.';

create or replace function public.admin_opened_documents(p_submission uuid) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
    perform private.require_admin();
    return query select name
        from public.agent_verifications v, unnest(array['identity_document', 'company_proof']) as name
        where v.id = p_submission and to_jsonb(v) ->> (name || '_path') is not null
            and name <> all (private.unopened_documents(v, auth.uid()));
end
$$;
comment on function public.admin_opened_documents(uuid) is
    'Which documents of a submission, as they are now, the caller has opened before.';

create or replace function private.check_decision(agent uuid, decision text, note text, documents jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
    submission constant public.agent_verifications := private.latest_verification(agent);
    unopened constant text[] := private.unopened_documents(submission, auth.uid());
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
    elsif cardinality(unopened) > 0 then
        raise exception 'Please open % before you approve. If you did, the agent has replaced it since.',
            array_to_string(array(
                select 'the ' || replace(name, '_', ' ') from unnest(unopened) with ordinality as u (name, n) order by n), ' and ')
            using errcode = 'P0001', hint = 'document_unopened';
    end if;
end
$$;
comment on function private.check_decision(uuid, text, text, jsonb) is
    'Refuses decisions without a reason, and approvals while the fee or a document is open or was not looked at.';

-- A decision and a submission of the same agent are one after the other: what is approved is what was looked at.
create function private.await_submissions(agent uuid) returns void
language sql volatile set search_path = '' as $$
    select pg_advisory_xact_lock(hashtextextended('verification:' || agent, 0))
$$;
comment on function private.await_submissions(uuid) is 'Waits for a submission or decision about an agent that is under way.';

create or replace function public.admin_review_agent(
    p_agent uuid, p_decision text, p_note text default null, p_documents jsonb default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
    submission uuid;
    approves constant boolean := p_decision = 'approve';
    told constant text := private.told_reasons(p_note, p_documents);
begin
    perform private.require_admin();
    perform private.await_submissions(p_agent);
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
    'Decides on an agent''s submission: approve, reject or more_info. The last two need a note the agent sees, or a document sent back: {"identity_document": {"status": "refused", "note": "…"}, "company_proof": {"status": "accepted"}}. Approving needs the fee received or waived, and each document opened by the caller as it is now.';

-- a submission that waited for the approval it would undo
create function private.refuse_verified_submission() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if exists (select from public.profiles where user_id = new.agent_id and verification_status = 'verified') then
        raise exception 'This account is verified already' using errcode = 'P0001';
    end if;
    return new;
end
$$;
comment on function private.refuse_verified_submission() is 'Nobody who was just verified begins anew.';
create trigger refuse_verified before insert on public.agent_verifications
    for each row when (new.status = 'pending') execute function private.refuse_verified_submission();

revoke execute on function private.unopened_documents(public.agent_verifications, uuid), private.await_submissions(uuid),
    private.refuse_verified_submission() from public;
revoke execute on function public.admin_open_document(uuid, text, text) from public, anon;
