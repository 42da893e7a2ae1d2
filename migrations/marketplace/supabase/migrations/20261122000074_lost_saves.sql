-- Members learn which of their saved cars are gone.

-- A saved car vanished without a word when its offer was deleted. Its name stays with those who had saved it, until they
-- have read it; saved_posts itself is as documented.
create table public.lost_saves (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null constraint lost_saves_user_id_fkey references public.profiles (user_id) on delete cascade,
    car_name text not null,
    model text not null,
    lost_at timestamptz not null default now()
);
comment on table public.lost_saves is 'Saved cars whose offer was deleted, until the member has taken note.';
create index lost_saves_user_id_idx on public.lost_saves (user_id, lost_at desc);

alter table public.lost_saves enable row level security;
create policy "Members see which saved cars are gone" on public.lost_saves
    for select to authenticated using (user_id = (select auth.uid()));
create policy "Members put away what they read" on public.lost_saves
    for delete to authenticated using (user_id = (select auth.uid()) and (select private.is_active()));

-- Whoever leaves with the offer has no profile any more at this point, and needs no note.
create function private.note_lost_saves() returns trigger language plpgsql security definer set search_path = '' as $$
begin
    insert into public.lost_saves (user_id, car_name, model)
    select s.user_id, old.car_name, old.model
    from public.saved_posts s join public.profiles p on p.user_id = s.user_id
    where s.post_id = old.id and s.user_id <> old.agent_id;
    return old;
end
$$;
comment on function private.note_lost_saves() is 'Keeps the name of an offer for those who saved it, when it is deleted.';
revoke execute on function private.note_lost_saves() from public;
create trigger note_lost_saves before delete on public.agent_posts
    for each row execute function private.note_lost_saves();
