"""The append-only branch: what was received, approved, handed out and withdrawn, and attempts."""
