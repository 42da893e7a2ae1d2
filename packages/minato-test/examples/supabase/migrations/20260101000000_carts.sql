create table public.carts (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users,
  paid boolean not null default false
);
alter table public.carts enable row level security;
create policy "People see and pay their own carts" on public.carts
  for all to authenticated using (owner = auth.uid());
