-- What members say to and about each other.

create table public.messages (
    id uuid primary key default gen_random_uuid(),
    sender_id uuid constraint messages_sender_id_fkey references public.profiles (user_id) on delete set null,
    receiver_id uuid constraint messages_receiver_id_fkey references public.profiles (user_id) on delete set null,
    content text not null
        constraint messages_content_check check (btrim(content) <> '' and char_length(content) <= 4000),
    is_read boolean not null default false,
    created_at timestamptz not null default now()
);
comment on table public.messages is 'What one member wrote to another. Stays with the other when one leaves.';
create index messages_receiver_id_created_at_idx on public.messages (receiver_id, created_at);
create index messages_sender_id_created_at_idx on public.messages (sender_id, created_at);

create table public.reviews (
    id uuid primary key default gen_random_uuid(),
    reviewed_id uuid not null constraint reviews_reviewed_id_fkey references public.profiles (user_id) on delete cascade,
    reviewer_id uuid constraint reviews_reviewer_id_fkey references public.profiles (user_id) on delete set null,
    rating integer not null constraint reviews_rating_check check (rating between 1 and 5),
    comment text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint reviews_reviewer_id_reviewed_id_key unique (reviewer_id, reviewed_id),
    constraint reviews_not_oneself_check check (reviewer_id <> reviewed_id)
);
comment on table public.reviews is 'What a member thinks of another after dealing with them: one review each way.';
create index reviews_reviewed_id_idx on public.reviews (reviewed_id, created_at desc);

create table public.follows (
    follower_id uuid not null constraint follows_follower_id_fkey references public.profiles (user_id) on delete cascade,
    following_id uuid not null
        constraint follows_following_id_fkey references public.profiles (user_id) on delete cascade,
    created_at timestamptz not null default now(),
    primary key (follower_id, following_id),
    constraint follows_not_oneself_check check (follower_id <> following_id)
);
comment on table public.follows is 'Who follows whom.';
create index follows_following_id_idx on public.follows (following_id);

alter table public.messages enable row level security;
create policy "Sender and receiver read a message" on public.messages
    for select to authenticated using (sender_id = (select auth.uid()) or receiver_id = (select auth.uid()));
create policy "Active members write to others" on public.messages
    for insert to authenticated with check (
        sender_id = (select auth.uid()) and receiver_id <> (select auth.uid()) and (select private.is_active()));
create policy "Receivers mark messages as read" on public.messages
    for update to authenticated
    using (receiver_id = (select auth.uid())) with check (receiver_id = (select auth.uid()) and is_read);

alter table public.reviews enable row level security;
create policy "Members read reviews" on public.reviews
    for select to authenticated using (true);
create policy "Members review those they dealt with" on public.reviews
    for insert to authenticated with check (
        reviewer_id = (select auth.uid())
        and private.are_connected(reviewer_id, reviewed_id)
        and private.user_type_of(reviewed_id) <> (select private.my_user_type()));
create policy "Members change their own reviews" on public.reviews
    for update to authenticated
    using (reviewer_id = (select auth.uid())) with check (reviewer_id = (select auth.uid()));
create policy "Members delete their own reviews" on public.reviews
    for delete to authenticated using (reviewer_id = (select auth.uid()));
create policy "The administrator deletes reviews" on public.reviews
    for delete to authenticated using ((select private.is_admin()));

alter table public.follows enable row level security;
create policy "Both sides see who follows whom" on public.follows
    for select to authenticated using (follower_id = (select auth.uid()) or following_id = (select auth.uid()));
create policy "Members follow as themselves" on public.follows
    for insert to authenticated with check (follower_id = (select auth.uid()));
create policy "Members stop following" on public.follows
    for delete to authenticated using (follower_id = (select auth.uid()));

create function private.default_message_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.is_read := false;
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_message_columns() is 'A message starts unread, now: its time is what the rate limit counts.';
create trigger default_columns before insert on public.messages
    for each row execute function private.default_message_columns();
create trigger guard_columns before update on public.messages
    for each row execute function private.guard_all_columns_but('is_read');

create function private.messages_rate_limit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
    if (select count(*) from public.messages
        where sender_id = new.sender_id and created_at > now() - interval '1 minute') >= 30 then
        raise exception 'Too many messages. Please wait a moment.' using errcode = 'P0001';
    end if;
    return new;
end
$$;
comment on function private.messages_rate_limit() is 'At most 30 messages a minute from one member.';
create trigger messages_rate_limit before insert on public.messages
    for each row when (new.created_at > now() - interval '1 minute') execute function private.messages_rate_limit();

create function private.default_review_columns() returns trigger language plpgsql set search_path = '' as $$
begin
    if current_user in ('anon', 'authenticated') then
        new.created_at := now();
    end if;
    return new;
end
$$;
comment on function private.default_review_columns() is 'A review is as old as it is.';
create trigger default_columns before insert on public.reviews
    for each row execute function private.default_review_columns();
create trigger guard_columns before update on public.reviews
    for each row execute function private.guard_columns('id', 'reviewer_id', 'reviewed_id', 'created_at');
create trigger set_updated_at before update on public.reviews
    for each row execute function private.set_updated_at();
