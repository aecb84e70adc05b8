"""Data sets as submissions, which programs are tried on."""
