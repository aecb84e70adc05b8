"""How often one of k repeats passes, or all of them."""
