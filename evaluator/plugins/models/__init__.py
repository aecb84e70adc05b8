"""Programs that ask models, through a gateway that holds key, budget and transcript."""
