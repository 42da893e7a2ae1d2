"""`minato serve --workers`: one parent, and workers that share its port."""
