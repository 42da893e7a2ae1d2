"""Single sign-on: organisations whose people sign in through their own identity provider, by SAML 2.0."""
