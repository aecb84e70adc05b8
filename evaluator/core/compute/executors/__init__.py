"""Where cells run: on this machine, or on a cluster. An object for each, and the registry."""
