"""Published boards -> data: what pages and other programs show of a board."""
