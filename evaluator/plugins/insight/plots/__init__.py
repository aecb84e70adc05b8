"""Figures of a board, drawn when the site is built; scripts add to them and are not needed.

``entries`` reads a published board once, one module each makes a figure of it, ``registry`` lists
them, ``files`` writes the data behind each. What a figure costs does not grow with the board beyond
reading it: past ``MAX_MARKS`` submissions it shows densities and the best.
"""
