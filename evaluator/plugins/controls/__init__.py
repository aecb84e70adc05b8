"""What an organiser's programs did on other files."""
