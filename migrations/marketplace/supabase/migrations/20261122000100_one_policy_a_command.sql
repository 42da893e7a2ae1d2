-- What `minato db advisors` found: tables with several permissive policies for one command and role. PostgreSQL joins
-- them by OR, so each pair becomes the one policy that it was already; nobody sees, changes or removes anything else.

drop policy "Agents withdraw their own offers" on public.agent_posts;
drop policy "The administrator removes offers" on public.agent_posts;
create policy "Agents withdraw their own offers, the administrator any" on public.agent_posts
    for delete to authenticated using (
        (agent_id = (select auth.uid()) and (select private.is_active())) or (select private.is_admin()));

drop policy "Agents see their own submissions" on public.agent_verifications;
drop policy "The administrator sees every submission" on public.agent_verifications;
create policy "Agents see their own submissions, the administrator all" on public.agent_verifications
    for select to authenticated using (agent_id = (select auth.uid()) or (select private.is_admin()));

drop policy "Active agents see active requests" on public.car_requests;
drop policy "Agents see the requests they invited for" on public.car_requests;
drop policy "Importers see their own requests" on public.car_requests;
drop policy "The administrator sees every request" on public.car_requests;
create policy "Importers see their own requests, agents open and invited ones" on public.car_requests
    for select to authenticated using (
        importer_id = (select auth.uid())
        or (select private.is_admin())
        or (
            ((status = 'active' and (select private.is_active_agent())) or private.invited_to(id))
            and not (importer_id = any (array(select private.suspended_users())))
        ));
comment on policy "Importers see their own requests, agents open and invited ones" on public.car_requests is
    'Requests of a suspended importer only that importer and the administrator see.';

drop policy "Reporters see their own reports" on public.conversation_reports;
drop policy "The administrator sees every report" on public.conversation_reports;
create policy "Reporters see their own reports, the administrator all" on public.conversation_reports
    for select to authenticated using (reporter_id = (select auth.uid()) or (select private.is_admin()));

drop policy "Members delete their own reviews" on public.reviews;
drop policy "The administrator deletes reviews" on public.reviews;
create policy "Members delete their own reviews, the administrator any" on public.reviews
    for delete to authenticated using (
        (reviewer_id = (select auth.uid()) and (select private.is_active())) or (select private.is_admin()));

drop policy "Members see their own tickets" on public.support_tickets;
drop policy "The administrator sees every ticket" on public.support_tickets;
create policy "Members see their own tickets, the administrator all" on public.support_tickets
    for select to authenticated using (user_id = (select auth.uid()) or (select private.is_admin()));

drop policy "Members read the messages of their own tickets" on public.ticket_messages;
drop policy "The administrator reads the messages of every ticket" on public.ticket_messages;
create policy "Members read their own tickets, the administrator all" on public.ticket_messages
    for select to authenticated using ((select private.is_admin()) or private.owns_ticket(ticket_id));

-- A member who leaves takes the own reports along: without an index that reads all of them.
create index conversation_reports_reporter_id_idx on public.conversation_reports (reporter_id);
