"""Connections to clients, below HTTP: how many there are, how long each may take, and how much its requests' heads may hold."""
