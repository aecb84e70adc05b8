"""The workflows: read for what no run can show, and run for the rest."""
