"""How certain a board's order is: one verdict, which everything that is shown repeats."""
