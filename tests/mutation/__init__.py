"""Do the tests notice a wrong line? `make mutants`; why so: docs/decisions/0020-wrong-lines-in-forks.md."""
