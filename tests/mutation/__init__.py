"""Do the tests notice a wrong line? `make mutants`; why so: docs/decisions/0021-wrong-lines-in-forks.md."""
