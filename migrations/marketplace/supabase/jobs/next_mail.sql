select private.next_mail()
