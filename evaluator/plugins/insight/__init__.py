"""Plots of boards, and the analysis of their results."""
