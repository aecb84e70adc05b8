"""What is known of a pull request that is open: its head laid over the base branch."""
