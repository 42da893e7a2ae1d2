-- A suspended member reads, and writes to the team; nothing else.

-- A suspended member reads, writes to the team, changes the password and may leave. Everything else is refused: an
-- error where a row would be written, no row where one would be deleted. What a screen writes by itself (a message was
-- read) finds no row either, so that reading goes on without an error.
comment on column public.profiles.status is 'A suspended member reads, and writes to the team alone.';

create or replace function private.is_active() returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (
        select from public.profiles where user_id = auth.uid() and status <> 'suspended' and is_confirmed)
$$;
comment on function private.is_active() is 'Whether the caller has a profile that is confirmed and not suspended.';

alter policy "Members change their own profile" on public.profiles
    with check (user_id = (select auth.uid()) and (select private.is_active()));

alter policy "Members set their own preferences" on public.notification_preferences
    with check (user_id = (select auth.uid()) and (select private.is_active()));
alter policy "Members change their own preferences" on public.notification_preferences
    with check (user_id = (select auth.uid()) and (select private.is_active()));

alter policy "Agents change their own offers" on public.agent_posts
    with check (agent_id = (select auth.uid()) and (select private.is_active()));
alter policy "Agents withdraw their own offers" on public.agent_posts
    using (agent_id = (select auth.uid()) and (select private.is_active()));
alter policy "Members save offers for themselves" on public.saved_posts
    with check (user_id = (select auth.uid()) and (select private.is_active()));
alter policy "Members unsave what they saved" on public.saved_posts
    using (user_id = (select auth.uid()) and (select private.is_active()));

alter policy "Importers change their own requests" on public.car_requests
    with check (importer_id = (select auth.uid()) and (select private.is_active()));
alter policy "Importers withdraw their own requests" on public.car_requests
    using (importer_id = (select auth.uid()) and (select private.is_active()));
alter policy "Active agents see active requests" on public.car_requests
    using (status = 'active' and (select private.is_active_agent())
        and not importer_id = any (array(select private.suspended_users())));
alter policy "Agents see the requests they invited for" on public.car_requests
    using (private.invited_to(id) and not importer_id = any (array(select private.suspended_users())));

alter policy "Importers answer open invitations once" on public.invitations
    with check (importer_id = (select auth.uid()) and status in ('accepted', 'declined')
        and (select private.is_active()));

alter policy "Receivers mark messages as read" on public.messages
    using (receiver_id = (select auth.uid()) and (select private.is_active()));

alter policy "Members review those they dealt with" on public.reviews
    with check (
        reviewer_id = (select auth.uid()) and (select private.is_active())
        and private.are_connected(reviewer_id, reviewed_id)
        and private.user_type_of(reviewed_id) <> (select private.my_user_type()));
alter policy "Members change their own reviews" on public.reviews
    with check (reviewer_id = (select auth.uid()) and (select private.is_active()));
alter policy "Members delete their own reviews" on public.reviews
    using (reviewer_id = (select auth.uid()) and (select private.is_active()));

alter policy "Members follow as themselves" on public.follows
    with check (follower_id = (select auth.uid()) and (select private.is_active())
        and not private.is_unconfirmed(following_id));
alter policy "Members stop following" on public.follows
    using (follower_id = (select auth.uid()) and (select private.is_active()));

create function private.is_confirmed_member() returns boolean
language sql stable security definer set search_path = '' as $$
    select exists (select from public.profiles where user_id = auth.uid() and is_confirmed)
$$;
comment on function private.is_confirmed_member() is 'Whether the caller is a member others may know.';
revoke execute on function private.is_confirmed_member() from public;
grant execute on function private.is_confirmed_member() to authenticated, service_role;

-- who is suspended must be able to say that it is a mistake
alter policy "Active members open tickets" on public.support_tickets rename to "Members open tickets";
alter policy "Members open tickets" on public.support_tickets
    with check (user_id = (select auth.uid()) and (select private.is_confirmed_member()));
alter policy "Active members write to their own tickets" on public.ticket_messages
    rename to "Members write to their own tickets";
alter policy "Members write to their own tickets" on public.ticket_messages
    with check (author_id = (select auth.uid()) and private.owns_ticket(ticket_id));

alter policy "Members upload their own avatar" on storage.objects
    with check (bucket_id = 'profiles' and private.is_own_avatar(name) and (select private.is_active()));
alter policy "Members replace their own avatar" on storage.objects
    with check (bucket_id = 'profiles' and private.is_own_avatar(name) and (select private.is_active()));
alter policy "Members remove their own avatar" on storage.objects
    using (bucket_id = 'profiles' and private.is_own_avatar(name) and (select private.is_active()));
alter policy "Agents remove their own pictures" on storage.objects
    using (bucket_id = 'car-images' and private.is_in_own_folder(name) and (select private.is_active()));

-- Functions run as their owner, past the policies, so they ask themselves.
create function private.require_active() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
    if not private.is_active() then
        raise exception 'Only active members may do this' using errcode = '42501';
    end if;
end
$$;
comment on function private.require_active() is 'Refuses whoever is suspended or no member.';
revoke execute on function private.require_active() from public;

create or replace function public.report_conversation(p_counterpart uuid, p_reason text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    report uuid;
begin
    perform private.require_active();
    if auth.uid() is null or not exists (
        select from public.messages
        where (sender_id = auth.uid() and receiver_id = p_counterpart)
        or (sender_id = p_counterpart and receiver_id = auth.uid())) then
        raise exception 'You can only report a conversation you take part in' using errcode = '42501';
    elsif coalesce(btrim(p_reason), '') = '' then
        raise exception 'Please say why you report this conversation' using errcode = '22023';
    end if;
    insert into public.conversation_reports (reporter_id, counterpart_id, reason)
    values (auth.uid(), p_counterpart, p_reason)
    on conflict (reporter_id, counterpart_id) where status = 'open' do update set reason = excluded.reason
    returning id into report;
    return report;
end
$$;

create or replace function public.complete_request(
    p_request uuid, p_invitation uuid, p_value numeric, p_satisfaction integer default null
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
    request public.car_requests;
    deal uuid;
begin
    if not private.is_admin() then
        perform private.require_active();
    end if;
    select * into request from public.car_requests
    where id = p_request and (importer_id = auth.uid() or private.is_admin()) for update;
    if not found then
        raise exception 'Only the importer can complete a request' using errcode = '42501';
    elsif request.status <> 'active' then
        raise exception 'Only an active request can be completed' using errcode = 'P0001';
    elsif p_value is null or p_value < 0 then
        raise exception 'Please enter the agreed price' using errcode = '22023';
    end if;
    update public.deals d
    set status = 'completed', completed_at = now(), value_usd = p_value, satisfaction = p_satisfaction,
        request_id = request.id, make = request.car_make, model = request.car_model,
        category = private.category_of(request.car_make, request.car_model)
    from public.invitations i
    where d.invitation_id = i.id and i.id = p_invitation and i.status = 'accepted'
        and i.importer_id = request.importer_id and coalesce(i.request_id, request.id) = request.id
        and d.status in ('open', 'disputed')
    returning d.id into deal;
    if deal is null then
        raise exception 'Only with an accepted invitation can a request be completed' using errcode = 'P0001';
    end if;
    update public.car_requests set status = 'completed' where id = request.id;
    return deal;
end
$$;
