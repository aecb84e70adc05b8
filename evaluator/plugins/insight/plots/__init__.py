"""Figures of a board, drawn when the site is built; scripts add to them and are not needed.

``entries`` is a published board as figures see it, one module each makes a figure of it, and
``figure`` writes the data behind it. What a figure costs does not grow with the board beyond
reading it: past ``MAX_MARKS`` submissions it shows densities and the best.
"""
