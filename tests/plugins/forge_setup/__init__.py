"""`pullbench github setup` against what forges publish of their interfaces."""
