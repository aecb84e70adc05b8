"""What decides who leads and who goes on: records, promotion, and how often a task is passed."""
