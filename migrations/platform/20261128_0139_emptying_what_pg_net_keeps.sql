-- pg_net lets everybody empty its tables by truncate. Ours is in SQL alone; where it is the one in C, nothing is done.
do $do$
begin
    if exists (
        select from pg_catalog.pg_proc p
        join pg_catalog.pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
        where p.oid = to_regprocedure('net.worker_restart()')
    ) then
        perform minato.attempt('grant truncate on net.http_request_queue, net._http_response to public');
    end if;
end
$do$;
