"""One request to the room, and what all requests share: passwords, rates, work that answers do not wait for."""
