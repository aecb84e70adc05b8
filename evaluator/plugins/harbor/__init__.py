"""Tasks of Harbor, brought in as one benchmark."""
