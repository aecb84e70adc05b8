"""Entry point: runs a command and turns every error into a message and an exit code."""

import gc
import os
import sys

import click

from evaluator.core.cli import cli
from evaluator.core.errors import PullbenchError, StoppedError, host_fault
from evaluator.core.log import complain, in_ci
from evaluator.core.plugins import lacking

INTERNAL_ERROR = 4
INTERRUPTED = 130


def main() -> None:
    """Run ``pullbench``; the only place that catches everything."""
    debug = "--debug" in sys.argv
    gc.set_threshold(100_000)  # an eighth of a command was to look for rubbish, and it made little
    # Its threads wait for one another by spinning: on busy cores, many times what they compute.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # pydantic would search all packages for plugins, and none may change how files are read.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    try:
        code = cli.main(prog_name="pullbench", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt, StoppedError):
        complain("interrupted; what was finished is kept, run it again for the rest")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # the reader left; nothing more can be told
        sys.exit(0)
    except PullbenchError as error:
        _trace(debug)
        complain(f"error: {error}")
        sys.exit(error.exit_code)
    except Exception as error:
        _trace(debug)
        fault: PullbenchError | None = None
        if isinstance(error, OSError):
            fault = host_fault(error, named=not in_ci())
        elif isinstance(error, ModuleNotFoundError):
            fault = lacking((error.name or "").partition(".")[0])
        if fault is not None:
            complain(f"error: {fault}")
            sys.exit(fault.exit_code)
        # Its text may hold what a stranger chose, or what is hidden, and CI shows its logs to all.
        text = type(error).__name__ if in_ci() else repr(error)
        complain(
            f"defect of pullbench: {text}\n  Run it again with --debug and report what it prints."
        )
        sys.exit(INTERNAL_ERROR)


def _trace(debug: bool) -> None:
    if debug:
        import traceback  # most commands meet no error

        traceback.print_exc()


if __name__ == "__main__":
    main()
