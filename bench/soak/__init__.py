"""A load like that of many tables, on the whole service for minutes: what fails, what takes long, what grows."""
