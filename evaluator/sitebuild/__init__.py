"""Pages and files -> the built site: only what changed is rendered, and only that is written."""
