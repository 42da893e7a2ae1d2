-- The tables and functions of pg_cron 1.6.4 (citusdata/pg_cron), without its C: the server that serves this database
-- runs what is due, see minato/jobs/cron. It hears of changes on the channel minato_jobs.

create schema cron;
create sequence cron.jobid_seq;
create sequence cron.runid_seq;

create table cron.job (
    jobid bigint primary key default nextval('cron.jobid_seq'),
    schedule text not null,
    command text not null,
    nodename text not null default 'localhost',
    nodeport int not null default current_setting('port')::int,
    database text not null default current_database(),
    username text not null default current_user,
    active boolean not null default true,
    jobname text,
    constraint jobname_username_uniq unique (jobname, username)
);
grant select on cron.job to public;
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);

create table cron.job_run_details (
    jobid bigint,
    runid bigint primary key default nextval('cron.runid_seq'),
    job_pid integer,
    database text,
    username text,
    command text,
    status text,
    return_message text,
    start_time timestamptz,
    end_time timestamptz
);
grant select, delete on cron.job_run_details to public;
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

grant select on sequence cron.jobid_seq, cron.runid_seq to public;
grant usage on sequence cron.jobid_seq to public;

select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');

-- Where the jobs were scheduled. In a copy of this database they have to run in the copy.
create table cron._home (database oid not null, name text not null);
insert into cron._home select oid, datname from pg_catalog.pg_database where datname = current_database();

-- How the functions below write to cron.job: a view asks for its owner's rights on the table, while current_user is who
-- asks. So nobody has a right on the table, and everybody writes jobs of their own alone.
create view cron._own_job as select * from cron.job where username = current_user with check option;
grant select, insert, update, delete on cron._own_job to public;

-- A number or a name as vixie-cron reads it; null for neither.
create function cron._number(word text, low int, names text[]) returns int
language sql immutable set search_path = '' as $$
    select coalesce(
        array_position(names, lower(word)) - 1 + low,
        case when word ~ '^[0-9]+$' then least(word::numeric, 1000000)::int end)
$$;

-- The bits from `start` to `stop`. Backwards (22-2) vixie-cron sets the end of one byte and the begin of the other.
create function cron._bits(start int, stop int) returns bigint
language sql immutable set search_path = '' as $$
    select case
        when start <= stop then ((1::bigint << (stop - start + 1)) - 1) << start
        when start / 8 = stop / 8 then 0
        else cron._bits(start, start / 8 * 8 + 7) | cron._bits(stop / 8 * 8, stop)
    end
$$;

-- One field of a schedule as a bit for each number from `low` on; null when it is none. What follows a list is left
-- unread, as vixie-cron leaves it.
create function cron._field(token text, low int, high int, names text[]) returns bigint
language plpgsql immutable set search_path = '' as $$
declare
    rest text := token;
    part text[];
    first int;
    last int;
    step int;
    bits bigint := 0;
    value int;
begin
    loop
        if left(rest, 1) = '*' then
            part := regexp_match(rest, '^(\*)(/([0-9A-Za-z]*))?(.?)');
            first := low;
            last := high;
            step := case when part[2] is null then 1 else cron._number(part[3], 0, null) end;
            rest := substr(rest, 2 + coalesce(length(part[2]), 0));
        else
            part := regexp_match(rest, '^([0-9A-Za-z]+)(-([0-9A-Za-z]*))?(/([0-9A-Za-z]*))?');
            first := cron._number(part[1], low, names);
            if part is null or first is null or (part[2] is null and part[4] is not null) then
                return null;
            end if;
            last := case when part[2] is null then first else cron._number(part[3], low, names) end;
            step := case when part[4] is null then 1 else cron._number(part[5], 0, null) end;
            rest := substr(rest, 1 + length(part[1]) + coalesce(length(part[2]), 0) + coalesce(length(part[4]), 0));
        end if;
        if last is null or step is null or first < low or first > high or last < low or last > high or step <= 0 then
            return null;
        end if;
        if step = 1 then
            bits := bits | cron._bits(first - low, last - low);
        else
            for value in select generate_series(first - low, last - low, step) loop
                bits := bits | (1::bigint << value);
            end loop;
        end if;
        exit when left(rest, 1) <> ',' or rest = '';
        rest := substr(rest, 2);
    end loop;
    return bits & ((1::bigint << (high - low + 1)) - 1);
end
$$;

-- What a schedule means: seconds between runs, flags, then minutes, hours, days, months and days of the week as bits
-- from the first one on. Null when it means nothing. Flags: 1 any day of the month, 2 any day of the week, 4 at a
-- start, 8 any minute, 16 any hour, 32 the last day of the month.
create function cron._meaning(schedule text) returns bigint[]
language plpgsql immutable set search_path = '' as $$
declare
    text_ text := regexp_replace(schedule, '^([ \t]*(#[^\n]*)?\n)+', '');
    token text[];
    dow bigint;
    any_dom constant bigint := (1::bigint << 31) - 1;
    result bigint[];
    seconds text[];
begin
    if octet_length(schedule) >= 1000 then
        return null;
    end if;
    text_ := ltrim(text_, E' \t');
    if left(text_, 1) = '@' then
        return case substring(text_ from '^@([^ \t\n]*)')
            when 'reboot' then array[0, 4, 0, 0, 0, 0, 0]
            when 'restart' then array[0, 4, 0, 0, 0, 0, 0]
            when 'yearly' then array[0, 2, 1, 1, 1, 1, 255]
            when 'annually' then array[0, 2, 1, 1, 1, 1, 255]
            when 'monthly' then array[0, 2, 1, 1, 1, 4095, 255]
            when 'weekly' then array[0, 2, 1, 1, any_dom, 4095, 129]
            when 'daily' then array[0, 0, 1, 1, any_dom, 4095, 255]
            when 'midnight' then array[0, 0, 1, 1, any_dom, 4095, 255]
            when 'hourly' then array[0, 16, 1, (1 << 24) - 1, any_dom, 4095, 255]
        end;
    end if;
    token := regexp_match(text_,
        '^([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)');
    if token is not null then
        dow := cron._field(token[5], 0, 7, array['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']);
        result := array[
            0,
            case when token[3] like '*%' then 1 else 0 end | case when token[5] like '*%' then 2 else 0 end
                | case when token[1] like '*%' then 8 else 0 end | case when token[2] like '*%' then 16 else 0 end
                | case when token[3] = '$' then 32 else 0 end,
            cron._field(token[1], 0, 59, null),
            cron._field(token[2], 0, 23, null),
            case when token[3] = '$' then 0 else cron._field(token[3], 1, 31, null) end,
            cron._field(token[4], 1, 12,
                array['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']),
            -- Sunday is 0 and 7
            dow | case when dow & 129 > 0 then 129 else 0 end];
        if array_position(result, null) is null then
            return result;
        end if;
    end if;
    seconds := regexp_match(lower(schedule), '^\s*\+?([0-9]+)\s*second(s\s*)?$');
    if seconds is not null and seconds[1]::numeric between 1 and 59 then
        return array[seconds[1]::bigint, 0, 0, 0, 0, 0, 0];
    end if;
    return null;
end
$$;

create function cron._check_schedule(schedule text) returns void
language plpgsql immutable set search_path = '' as $$
begin
    if cron._meaning(schedule) is null then
        raise exception using
            errcode = 'invalid_parameter_value',
            message = 'invalid schedule: ' || schedule,
            hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
    end if;
end
$$;

create function cron._check_login(username text) returns void
language plpgsql stable set search_path = '' as $$
declare
    may_login boolean := (select rolcanlogin from pg_catalog.pg_roles where rolname = username);
begin
    if may_login is null then
        raise exception using errcode = 'internal_error', message = format('role "%s" does not exist', username);
    elsif not may_login then
        raise exception using
            errcode = 'internal_error',
            message = format('role "%s" can not log in', username),
            detail = 'Jobs may only be run by roles that have the LOGIN attribute.';
    end if;
end
$$;

create function cron._check_database(username text, database text) returns void
language plpgsql stable set search_path = '' as $$
begin
    if not exists (select from pg_catalog.pg_database where datname = database) then
        raise exception using
            errcode = 'invalid_catalog_name', message = format('database "%s" does not exist', database);
    elsif not has_database_privilege(username::name, database, 'connect') then
        raise exception using
            errcode = 'internal_error',
            message = format('User %s does not have CONNECT privilege on %s', username, database);
    end if;
end
$$;

create function cron._is_superuser() returns boolean
language sql stable set search_path = '' as $$
    select rolsuper from pg_catalog.pg_roles where rolname = current_user
$$;

create function cron._refuse_null(variadic named text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
    for place in 1 .. array_length(named, 1) by 2 loop
        if named[place + 1] is null then
            raise exception using errcode = 'internal_error', message = named[place] || ' can not be NULL';
        end if;
    end loop;
end
$$;

-- Writes a job for `owner`: one's own past no right but those of the view, another's by one's right on the table.
create function cron._put(name_ text, schedule_ text, command_ text, place text, owner text, active_ boolean)
returns bigint
language plpgsql set search_path = '' as $$
declare
    id bigint;
begin
    perform cron._check_schedule(schedule_);
    perform cron._check_database(owner, place);
    if owner = current_user then
        insert into cron._own_job as j (jobname, schedule, command, database, username, active)
            values (name_, schedule_, command_, place, owner, active_)
            on conflict (jobname, username) do update set
                schedule = excluded.schedule, command = excluded.command, database = excluded.database
            returning j.jobid into id;
    else
        insert into cron.job as j (jobname, schedule, command, database, username, active)
            values (name_, schedule_, command_, place, owner, active_)
            on conflict (jobname, username) do update set
                schedule = excluded.schedule, command = excluded.command, database = excluded.database
            returning j.jobid into id;
    end if;
    return id;
end
$$;

create function cron.schedule(schedule text, command text) returns bigint
language sql strict set search_path = '' as $$
    select cron._put(null, schedule, command, current_database(), current_user, true)
$$;
comment on function cron.schedule(text, text) is 'schedule a pg_cron job';

create function cron.schedule(job_name text, schedule text, command text) returns bigint
language plpgsql set search_path = '' as $$
begin
    perform cron._refuse_null('job_name', job_name, 'schedule', schedule, 'command', command);
    return cron._put(job_name, schedule, command, current_database(), current_user, true);
end
$$;
comment on function cron.schedule(text, text, text) is 'schedule a pg_cron job';

create function cron.schedule_in_database(
    job_name text, schedule text, command text, database text, username text default null, active boolean default true)
returns bigint
language plpgsql set search_path = '' as $$
begin
    perform cron._refuse_null('job_name', job_name, 'schedule', schedule, 'command', command);
    if username is not null then
        if not cron._is_superuser() then
            raise exception using
                errcode = 'internal_error', message = 'must be superuser to create a job for another role';
        end if;
        perform cron._check_login(username);
    end if;
    return cron._put(job_name, schedule, command, coalesce(database, current_database()),
        coalesce(username, current_user), coalesce(active, true));
end
$$;
comment on function cron.schedule_in_database(text, text, text, text, text, boolean) is 'schedule a pg_cron job';
revoke all on function cron.schedule_in_database(text, text, text, text, text, boolean) from public;

create function cron._owner(job_id bigint) returns text
language sql stable security definer set search_path = '' as $$
    select username from cron.job where jobid = job_id
$$;

create function cron.unschedule(job_id bigint) returns boolean
language plpgsql strict set search_path = '' as $$
declare
    owner text := cron._owner(job_id);
begin
    if owner is null then
        raise exception using
            errcode = 'internal_error', message = format('could not find valid entry for job %s', job_id);
    elsif owner = current_user then
        delete from cron._own_job where jobid = job_id;
    else
        -- Whoever may delete rows of the table may delete this one, too.
        delete from cron.job where jobid = job_id;
    end if;
    return true;
end
$$;
comment on function cron.unschedule(bigint) is 'unschedule a pg_cron job';

create function cron.unschedule(job_name text) returns boolean
language plpgsql strict set search_path = '' as $$
begin
    delete from cron._own_job where jobname = job_name;
    if not found then
        raise exception using
            errcode = 'internal_error', message = format('could not find valid entry for job ''%s''', job_name);
    end if;
    return true;
end
$$;
comment on function cron.unschedule(text) is 'unschedule a pg_cron job';

create function cron.alter_job(
    job_id bigint, schedule text default null, command text default null, database text default null,
    username text default null, active boolean default null)
returns void
language plpgsql set search_path = '' as $$
#variable_conflict use_variable
begin
    perform cron._refuse_null('job_id', job_id::text);
    if username is not null then
        if not cron._is_superuser() then
            raise exception using errcode = 'internal_error', message = 'must be superuser to alter username';
        end if;
        perform cron._check_login(username);
    end if;
    if database is not null then
        perform cron._check_database(coalesce(username, current_user), database);
    end if;
    if schedule is not null then
        perform cron._check_schedule(schedule);
    end if;
    if num_nonnulls(schedule, command, database, username, active) = 0 then
        raise exception using
            errcode = 'internal_error',
            message = 'no updates specified',
            hint = 'You must specify at least one job attribute to change when calling alter_job';
    end if;
    if cron._is_superuser() then
        update cron.job j set
            schedule = coalesce(schedule, j.schedule), command = coalesce(command, j.command),
            database = coalesce(database, j.database), username = coalesce(username, j.username),
            active = coalesce(active, j.active)
        where j.jobid = job_id;
    else
        update cron._own_job j set
            schedule = coalesce(schedule, j.schedule), command = coalesce(command, j.command),
            database = coalesce(database, j.database), active = coalesce(active, j.active)
        where j.jobid = job_id;
    end if;
    if not found then
        raise exception using
            errcode = 'internal_error', message = format('Job %s does not exist or you don''t own it', job_id);
    end if;
end
$$;
comment on function cron.alter_job(bigint, text, text, text, text, boolean) is
    'Alter the job identified by job_id. Any option left as NULL will not be modified.';
revoke all on function cron.alter_job(bigint, text, text, text, text, boolean) from public;

create function cron.job_cache_invalidate() returns trigger
language plpgsql set search_path = '' as $$
begin
    perform pg_notify('minato_jobs', 'cron');
    return null;
end
$$;
comment on function cron.job_cache_invalidate() is 'invalidate job cache';
create trigger cron_job_cache_invalidate after insert or update or delete or truncate on cron.job
    for statement execute function cron.job_cache_invalidate();

-- As on Supabase: the developer schedules, nobody else unless told so. Not even the developer may hang a trigger on
-- these tables, for the server writes to them as their owner.
do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'postgres') then
        grant usage on schema cron to postgres with grant option;
        grant all on all functions in schema cron to postgres with grant option;
        grant select on cron.job to postgres with grant option;
        grant select, insert, update, delete, truncate, references on cron.job_run_details
            to postgres with grant option;
    end if;
end
$$;

-- The server learns that there is something to look after.
select pg_notify('minato_jobs', 'cron');
