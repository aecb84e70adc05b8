"""What is read, and data of boards -> HTML: templates, what fills them, scripts and styles."""
