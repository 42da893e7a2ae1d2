"""`minato functions serve`, `list`, `invoke` and `logs`: the functions of a project that is served."""
