"""Settings of a forge that the workflows need: which are missing, and how they are set."""
