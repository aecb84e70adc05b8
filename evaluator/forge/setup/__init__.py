"""What the workflows need of a repository's forge: what of it is missing, and how it is set."""

from evaluator.forge.setup.inspection import Checked, inspect
from evaluator.forge.setup.token import token_address
from evaluator.forge.setup.wanted import Missing, Request, Wanted

__all__ = ["Checked", "Missing", "Request", "Wanted", "inspect", "token_address"]
