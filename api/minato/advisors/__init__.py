"""What hurts in a project's database, and the statement that mends it: `minato db advisors`."""
