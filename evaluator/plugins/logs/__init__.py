"""How cells ended."""
