"""What is said of entries before anybody approves them."""
