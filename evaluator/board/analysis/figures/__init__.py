"""Studies as SVG: text is text, colours follow the page, nothing runs, bytes repeat."""
