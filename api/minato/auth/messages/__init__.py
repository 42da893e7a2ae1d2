"""Mails and text messages: what they say, whether they may leave, and how they leave after the commit."""
