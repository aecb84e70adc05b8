# Runs the solution of a task.
here="$(dirname "$0")/$TASK"
. "$here/env.sh"
exec bash "$here/solve.sh"
