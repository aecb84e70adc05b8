"""Verbs of pull requests and of the branch that scores lie on."""
