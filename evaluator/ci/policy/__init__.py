"""What needs no person: who is approved, within which budget, and what is merged by itself."""
