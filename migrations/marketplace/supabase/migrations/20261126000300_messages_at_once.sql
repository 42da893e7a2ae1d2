-- Thirty messages a minute are thirty also where they come in several requests of the same moment.

create or replace function private.messages_rate_limit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    -- two sent at once must not both be the last one
    perform pg_advisory_xact_lock(hashtextextended('message:' || new.sender_id, 0));
    if (select count(*) from public.messages
        where sender_id = new.sender_id and created_at > now() - interval '1 minute') >= 30 then
        raise exception 'Too many messages. Please wait a moment.' using errcode = 'P0001';
    end if;
    return new;
end
$$;
