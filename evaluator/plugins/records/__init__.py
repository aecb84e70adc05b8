"""Records of a race: which entries beat all before them, by how much and how certainly."""
