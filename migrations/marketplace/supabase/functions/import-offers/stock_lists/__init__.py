"""Stock lists of agents: read, checked row by row, and written as the agent who sends them."""
