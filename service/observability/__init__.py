"""What an operator sees of the service: ids of requests, a log in JSON, metrics, and spans."""
