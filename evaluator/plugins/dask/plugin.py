"""Cells on a cluster, through Dask.

Without it cells run on this machine, and in jobs of CI.
"""

from evaluator.core.plugins import Plugin

PLUGIN = Plugin(
    offers={
        "executors.dask": "evaluator.plugins.dask.executor:DaskExecutor",
        "stores.shared": "evaluator.plugins.dask.shared_store:shared_store",
    },
)
