-- The reference of a transfer is bounded, and whoever adds a submission as the service may have it made.

alter table public.agent_verifications
    add constraint agent_verifications_transfer_reference_limit check (char_length(transfer_reference) <= 20);
-- the column is made of it, so whoever adds a row calls it
grant execute on function private.transfer_reference(uuid) to service_role;
