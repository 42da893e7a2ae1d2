"""What is made and checked before a release."""
