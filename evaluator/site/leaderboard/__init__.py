"""What pages tell of a board besides its ranks: history, news, resources, changes of the scorer."""
