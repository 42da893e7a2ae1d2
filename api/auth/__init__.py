"""`/auth/v1`: what GoTrue does."""
