"""Programs on this machine without isolation: for those that one trusts, where no Docker is."""
