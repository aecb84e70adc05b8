"""Policies, which approve and merge entries without a person."""
