"""HTTP only: paths, methods and what they are called in the contract."""
