"""Token buckets: how often something may be done, in this process or over all that share a Redis."""
