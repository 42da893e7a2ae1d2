"""zod: schemas of rows, of what is written, of functions' arguments and results. They have no counterpart elsewhere."""
