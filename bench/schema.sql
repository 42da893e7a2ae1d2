-- The fixture: 10,000 items with 5 reviews each, 10,000 notes of 100 owners under row-level security. Deterministic.
drop schema if exists api cascade;
create schema api;
grant usage on schema api to anon, authenticated;

create table api.items (
  id int generated always as identity primary key,
  name text,
  price numeric,
  created_at timestamptz default now(),
  owner uuid
);
create table api.notes (
  id int generated always as identity primary key,
  owner uuid,
  body text
);
create table api.reviews (
  id int generated always as identity primary key,
  item_id int references api.items,
  rating int,
  comment text
);

insert into api.items (name, price, created_at, owner)
select 'item ' || n, (n % 1000) + 0.99, timestamptz '2024-01-01 00:00:00+00' + n * interval '1 minute',
       ('00000000-0000-4000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid
from generate_series(1, 10000) as n;

insert into api.notes (owner, body)
select ('00000000-0000-4000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid, 'note ' || n || repeat(' and on', 10)
from generate_series(1, 10000) as n;

insert into api.reviews (item_id, rating, comment)
select 1 + (n - 1) % 10000, 1 + n % 5, 'review ' || n || ' of this item' from generate_series(1, 50000) as n;

create index on api.notes (owner);
create index on api.reviews (item_id);

alter table api.notes enable row level security;
create policy "An owner sees and writes the own notes" on api.notes
  using (owner = (current_setting('request.jwt.claims', true)::json ->> 'sub')::uuid)
  with check (owner = (current_setting('request.jwt.claims', true)::json ->> 'sub')::uuid);

grant select, insert on api.items to anon, authenticated;
grant select on api.reviews to anon, authenticated;
grant select, insert on api.notes to authenticated;
analyze api.items, api.notes, api.reviews;
notify pgrst, 'reload schema';
