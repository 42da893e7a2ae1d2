"""The providers people sign in through: what each is, and how it is spoken to. No request is known here."""
