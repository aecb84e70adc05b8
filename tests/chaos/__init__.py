"""Kills, faults and wrong clocks at random; the seeds are printed."""
