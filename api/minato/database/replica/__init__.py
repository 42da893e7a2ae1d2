"""A read replica: who may read there what, and how far it has come."""
