"""What GoTrue's API looks like from outside: bodies, refusals, JSON, times, redirects, pages."""
