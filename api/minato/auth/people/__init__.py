"""What a developer does with the accounts of a backend, without their passwords: below `/_dev/v1/users`."""
