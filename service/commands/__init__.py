"""The commands of `rulewright`, a file each: `add_to` tells the command line about it, and the rest is what it does."""
