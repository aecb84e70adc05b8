"""Runs one program on an engine, from its start to its end."""

from evaluator.core.compute.engine.spec import Engine, ExitReport, RunSpec


def run_program(engine: Engine, spec: RunSpec) -> ExitReport:
    return engine.create(spec).start().wait()
