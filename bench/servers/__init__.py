"""What answers over HTTP beside the service."""
