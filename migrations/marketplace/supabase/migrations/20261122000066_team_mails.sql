-- Mails about the fee and about suggested agents say that the team sent them.

-- What a mail of the team is about stands in it as a quotation, as in the mails of members.
update private.notification_texts set is_from_team = true
where kind in ('verification_submitted', 'payment_received', 'payment_waived', 'payment_missing', 'assignment', 'invitation_assigned');
update private.notification_texts t set body = n.body, quoted = 'note'
from (values
    ('payment_waived', 'Our team has waived it, for this reason:'),
    ('payment_missing', 'Our team has looked for it:')
) as n (kind, body) where n.kind = t.kind;
