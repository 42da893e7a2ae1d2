create table public.carts (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users,
  paid boolean not null default false
);
alter table public.carts enable row level security;
create policy "People see and pay their own carts" on public.carts
  for all to authenticated using (owner = auth.uid());
alter publication supabase_realtime add table public.carts;
insert into storage.buckets (id, name) values ('receipts', 'receipts');
create policy "People keep receipts" on storage.objects
  for all to authenticated using (bucket_id = 'receipts' and owner_id = auth.uid()::text);
