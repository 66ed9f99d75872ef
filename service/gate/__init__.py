"""Who may call, and how much: keys, client addresses, rate limits, and what a worker refuses when it has too much to do."""
