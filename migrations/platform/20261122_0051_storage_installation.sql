-- Which database this is: a copy restored or cloned elsewhere has the rows of the first, but not its oid in this cluster.
create function minato.database_identity() returns text language plpgsql security definer set search_path = '' as $$
declare
    found text := (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database());
begin
    return (select system_identifier from pg_catalog.pg_control_system()) || '/' || found;
exception when insufficient_privilege then
    return found;
end
$$;
comment on function minato.database_identity() is 'The cluster and the database in it, as no copy has them.';

create table minato.installation (
    only_one boolean primary key default true check (only_one),
    id uuid not null,
    prefix text not null,
    database text not null,
    previous uuid,
    current uuid
);
comment on table minato.installation is
    'Whose files lie in the store: prefix is the first segment of their paths, current what the marker beside them holds.';

-- Files of before lie at the top of the store and stay there. A new installation is named at its first start.
insert into minato.installation (id, prefix, database)
select gen_random_uuid(), '', minato.database_identity()
where exists (select from storage.objects) or exists (select from storage.s3_multipart_uploads_parts);

-- The rights of the owner, because those who upload must not read auth.users; a deleted user's token is good for an hour.
create function minato.require_user(id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if not exists (select from auth.users u where u.id = require_user.id and u.deleted_at is null) then
        raise invalid_authorization_specification using message = 'User from sub claim in JWT does not exist';
    end if;
end
$$;
comment on function minato.require_user(uuid) is 'Raises 28000 when there is no such user any more.';

revoke execute on function minato.database_identity(), minato.require_user(uuid) from public;
grant usage on schema minato to authenticator, service_role;
grant execute on function minato.database_identity() to service_role;
grant execute on function minato.require_user(uuid) to authenticator, service_role;
grant select, insert, update on minato.installation to service_role;
