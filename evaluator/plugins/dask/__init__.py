"""Cells on a cluster, through Dask."""
