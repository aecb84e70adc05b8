"""The only git writer: objects, branches by compare-and-swap, and what goes to a remote."""
