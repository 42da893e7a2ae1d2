"""What both sides of SAML 2.0 have in common: auth, and in development the organisation that stands in for others."""
