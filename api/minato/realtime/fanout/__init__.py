"""How a message reaches the listeners of a topic on every process: one protocol, one backend per way."""
