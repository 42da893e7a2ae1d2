"""`minato gen types`: a database's schemas as the types of a language.

`load` reads the catalogue into a `model`, sorted by `order`; one module a language prints it. TypeScript, Python, Go
and Swift are to the byte what `@supabase/postgres-meta` 0.99 prints, which `supabase gen types` runs; zod is ours.
"""
