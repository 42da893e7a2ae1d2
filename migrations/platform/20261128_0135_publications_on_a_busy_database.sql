-- Taking triggers from many tables needs their locks, and may meet one who reads them in another order. A block that
-- fails lets its locks go, so whoever waited for them goes on, and the next try comes through.
create or replace function minato.watch_publications() returns event_trigger
language plpgsql security definer set search_path = '' as $$
declare
    tries int := 0;
begin
    while exists (select from minato.trigger_publications) loop
        begin
            perform minato.sync_change_triggers();
            return;
        exception
            when deadlock_detected then
                tries := tries + 1;
                if tries = 5 then
                    raise warning 'change triggers are out of date: %', sqlerrm;
                    return;
                end if;
            when others then
                raise warning 'change triggers are out of date: %', sqlerrm;
                return;
        end;
    end loop;
end
$$;
