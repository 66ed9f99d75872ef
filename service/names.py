"""What the names that people are shown may not have in them, whoever gives them."""

UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb"
"""Control characters, ends of lines, what turns the direction of the text, and what has no width; joiners are of use."""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look like nothing: a name has others too."""
