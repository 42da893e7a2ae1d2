-- Completing a request a second time changes nothing and refuses nothing.

-- A press that is repeated, because the answer to the first one was lost, finds what it asked for.
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
    elsif p_value is null or p_value < 0 then
        raise exception 'Please enter the agreed price' using errcode = '22023';
    elsif request.status = 'completed' then
        select id into deal from public.deals
        where request_id = request.id and invitation_id = p_invitation and status = 'completed'
            and value_usd = round(p_value, 2);
        if deal is not null then
            return deal;
        end if;
    end if;
    if request.status <> 'active' then
        raise exception 'Only an active request can be completed' using errcode = 'P0001';
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
