"""Where encounters are kept: a Redis, of one's own or of the operator, of which the rest of the service sees bytes."""
