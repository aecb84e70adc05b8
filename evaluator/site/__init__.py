"""Boards and records -> the static site: pages, and MkDocs around them."""
