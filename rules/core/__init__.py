"""What every system plays on; it knows no system."""
