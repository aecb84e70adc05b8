"""Records of a race: who bettered all that came before, by how much and how surely."""
