"""Boards in formats of others: Every Eval Ever, and statements of in-toto."""
