"""The Model Context Protocol at `/mcp`: what an assistant may see and do in a developer's server."""
