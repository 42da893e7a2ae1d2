select private.mail_done(:id, :failure)
