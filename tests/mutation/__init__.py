"""Do the tests notice a wrong line? `make mutants`; see docs/decisions/0019-mutants.md."""
