-- Nobody is to be told of what was only made up; now() is this transaction's, so nothing older is touched.
delete from public.notification_outbox where created_at = now();
