"""What keeps strangers out, and the service up."""
