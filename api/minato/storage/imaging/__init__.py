"""Pictures made smaller on the way out: what is asked for, the making, and the pool it happens in."""
