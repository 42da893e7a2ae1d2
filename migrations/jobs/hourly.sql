select private.tidy()
