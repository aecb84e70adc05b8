"""What files of code a benchmark asks its entries for."""
