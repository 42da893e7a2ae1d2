-- What the contract tests stand on. Idempotent; lives in a database of the run's own.
drop table if exists public.orders, public.cars, public.makers, public.car_tags, public.tags cascade;

create table public.makers (
  id int generated always as identity primary key,
  name text not null unique,
  country text not null
);
create table public.cars (
  id int generated always as identity primary key,
  maker_id int not null references public.makers,
  model text not null,
  price numeric(10, 2),
  built daterange,
  features text[] not null default '{}',
  details jsonb,
  sold boolean,
  story tsvector generated always as (to_tsvector('english', model || ' ' || coalesce(details ->> 'story', ''))) stored
);
create table public.tags (id int generated always as identity primary key, label text not null);
create table public.car_tags (
  car_id int references public.cars on delete cascade,
  tag_id int references public.tags on delete cascade,
  primary key (car_id, tag_id)
);
create table public.orders (
  id int generated always as identity primary key,
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  car_id int references public.cars,
  note text not null default ''
);
alter table public.orders enable row level security;
create policy "A buyer sees the own orders" on public.orders for select to authenticated using (user_id = (select auth.uid()));
create policy "A buyer places orders of the own" on public.orders for insert to authenticated with check (user_id = (select auth.uid()));
create policy "A buyer changes the own orders" on public.orders for update to authenticated using (user_id = (select auth.uid()));
create policy "A buyer takes back the own orders" on public.orders for delete to authenticated using (user_id = (select auth.uid()));

insert into public.makers (name, country) values ('Toyota', 'JP'), ('Honda', 'JP'), ('Volvo', 'SE');
insert into public.cars (maker_id, model, price, built, features, details, sold) values
  (1, 'Aqua', 8200, '[2012-01-01,2018-01-01)', '{abs,hybrid}', '{"color":"red","doors":5,"story":"one careful owner"}', false),
  (1, 'Crown', 21500, '[2018-01-01,2022-01-01)', '{abs,leather}', '{"color":"black","doors":4,"story":"a minister''s car"}', true),
  (2, 'Fit', 6400, '[2010-01-01,2013-01-01)', '{abs}', '{"color":"blue","doors":5}', null),
  (3, 'V70', 9900.5, '[2008-01-01,2012-01-01)', '{leather,towbar}', null, false);
insert into public.tags (label) values ('city'), ('family');
insert into public.car_tags values (1, 1), (3, 1), (4, 2);

create or replace function public.cheapest(ceiling numeric) returns setof public.cars language sql stable
as $$ select * from public.cars where price <= ceiling order by price $$;
create or replace function public.add(a int, b int default 1) returns int language sql immutable as $$ select a + b $$;

create schema if not exists personal;
grant usage on schema personal to anon, authenticated, service_role;

do $$ begin
  if not exists (select from pg_publication_tables where pubname = 'supabase_realtime' and tablename = 'orders') then
    alter publication supabase_realtime add table public.orders;
  end if;
end $$;

insert into storage.buckets (id, name, public) values ('public-pictures', 'public-pictures', true), ('papers', 'papers', false)
on conflict do nothing;
drop policy if exists "A user keeps the own papers" on storage.objects;
create policy "A user keeps the own papers" on storage.objects for all to authenticated
  using (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'papers' and (storage.foldername(name))[1] = (select auth.uid())::text);
drop policy if exists "A user uploads pictures" on storage.objects;
create policy "A user uploads pictures" on storage.objects for all to authenticated
  using (bucket_id = 'public-pictures') with check (bucket_id = 'public-pictures');

notify pgrst, 'reload schema';
