"""Fights kept on the server: who may do what, how a change is made, and what each one sees."""
