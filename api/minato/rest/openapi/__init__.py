"""The root document: what a schema offers to a role, as OpenAPI 2.0."""
