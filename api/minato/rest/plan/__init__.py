"""What is asked + the schema cache → what to do. Pure."""
