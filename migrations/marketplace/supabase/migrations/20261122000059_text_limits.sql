-- Every text a member writes has a limit.

-- What is longer than a limit is shortened here and kept whole in private.cut_texts, so that nothing is lost and every
-- row can still be changed.
create table private.cut_texts (
    id bigint generated always as identity primary key,
    source text not null,
    field text not null,
    row_id text not null,
    value text not null
);
comment on table private.cut_texts is 'Texts that were longer than their limit when limits came, as they were.';

create function private.texts_within(list text[], most integer, characters integer) returns boolean
language sql immutable set search_path = '' as $$
    select cardinality(list) <= most
        and (select coalesce(sum(char_length(word)), 0) from unnest(list) as word) <= characters
$$;
comment on function private.texts_within(text[], integer, integer) is
    'Whether a list has few enough texts, and few enough characters in all of them.';
revoke execute on function private.texts_within(text[], integer, integer) from public;
grant execute on function private.texts_within(text[], integer, integer) to authenticated, service_role;

create function pg_temp.limit_column(
    tab text, key text, col text, too_long text, shortened text, within text) returns void
language plpgsql as $$
begin
    execute format('insert into private.cut_texts (source, field, row_id, value)
        select %L, %L, %I::text, %I::text from public.%I where %s', tab, col, key, col, tab, too_long);
    execute format('update public.%I set %I = %s where %s', tab, col, shortened, too_long);
    execute format('alter table public.%I add constraint %I check (%s)', tab, tab || '_' || col || '_limit', within);
end
$$;

create function pg_temp.limit_text(tab text, key text, col text, longest integer) returns void language sql as $$
    select pg_temp.limit_column(tab, key, col, format('char_length(%I) > %s', col, longest),
        format('left(%I, %s)', col, longest), format('char_length(%I) <= %s', col, longest))
$$;

create function pg_temp.limit_list(tab text, key text, col text, most integer, characters integer) returns void
language sql as $$
    select pg_temp.limit_column(tab, key, col,
        format('not private.texts_within(%I, %s, %s)', col, most, characters),
        format('array(select left(word, %s) from unnest(%I) with ordinality as t (word, n) order by n limit %s)',
            characters / most, col, most),
        format('private.texts_within(%I, %s, %s)', col, most, characters))
$$;

-- jsonb can't be shortened: what is too big is empty afterwards, and kept above
create function pg_temp.limit_json(tab text, key text, col text, bytes integer, empty text) returns void
language sql as $$
    select pg_temp.limit_column(tab, key, col, format('octet_length(%I::text) > %s', col, bytes), empty,
        format('octet_length(%I::text) <= %s', col, bytes))
$$;

select pg_temp.limit_text('profiles', 'user_id', col, longest) from (values
    ('full_name', 120), ('country', 120), ('city', 120), ('company_name', 120), ('avatar_url', 2048),
    ('budget_range', 120), ('import_frequency', 120), ('experience', 500)) as limits (col, longest);
select pg_temp.limit_list('profiles', 'user_id', col, 250, 2000) from (values
    ('languages_spoken'), ('interested_car_brands'), ('shipping_ports'), ('specialties')) as limits (col);

select pg_temp.limit_text('agent_posts', 'id', col, longest) from (values
    ('car_name', 120), ('model', 120), ('description', 5000), ('image_url', 2048), ('engine_size', 120),
    ('variant', 120), ('transmission', 120), ('fuel_type', 120), ('drivetrain', 120), ('color', 120),
    ('location', 120), ('condition', 120)) as limits (col, longest);
select pg_temp.limit_list('agent_posts', 'id', 'features', 500, 5000);
select pg_temp.limit_list('agent_posts', 'id', 'image_urls', 50, 100000);
select pg_temp.limit_json('agent_posts', 'id', 'specifications', 20000, 'null');

select pg_temp.limit_text('car_requests', 'id', col, 120) from (values
    ('car_make'), ('car_model'), ('year_range'), ('condition'), ('fuel_type'), ('transmission'), ('shipping_port')
) as limits (col);

select pg_temp.limit_text('invitations', 'id', col, 5000) from (values ('message'), ('response_message')) as limits (col);
select pg_temp.limit_text('reviews', 'id', 'comment', 2000);
select pg_temp.limit_text('support_tickets', 'id', 'category', 120);
select pg_temp.limit_list('support_tickets', 'id', 'tags', 50, 2000);

-- what members write by a function
select pg_temp.limit_text('agent_verifications', 'id', col, longest) from (values
    ('company_name', 120), ('experience', 500), ('identity_document_path', 1024), ('company_proof_path', 1024),
    ('picture_path', 1024), ('payment_reference', 200), ('review_note', 5000)) as limits (col, longest);
select pg_temp.limit_list('agent_verifications', 'id', 'languages', 250, 2000);

-- the administrator's
select pg_temp.limit_text('app_settings', 'key', 'key', 120);
select pg_temp.limit_json('app_settings', 'key', 'value', 20000, 'value');

-- An account's metadata may be longer: signing up must not fail for it, so the profile made of them takes what fits.
create function private.fit_sign_up() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user not in ('anon', 'authenticated', 'service_role') then
        new.full_name := left(new.full_name, 120);
        new.country := left(new.country, 120);
        new.city := left(new.city, 120);
        new.company_name := left(new.company_name, 120);
    end if;
    return new;
end
$$;
comment on function private.fit_sign_up() is 'What signing up said of a member, as far as it fits the profile.';
revoke execute on function private.fit_sign_up() from public;
create trigger fit_sign_up before insert on public.profiles
    for each row execute function private.fit_sign_up();
