"""What the workflows need of a repository's forge: what of it is missing, and how it is set."""

from evaluator.plugins.forge_setup.inspection import Checked, inspect
from evaluator.plugins.forge_setup.token import token_address
from evaluator.plugins.forge_setup.wanted import Missing, Request, Wanted

__all__ = ["Checked", "Missing", "Request", "Wanted", "inspect", "token_address"]
