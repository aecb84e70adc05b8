"""Figures of the analysis as SVG: text is text, colours follow the page."""
