# Start the submission in a process of its own, and keep the proportions that it writes.
#
# Usage: ingestion.R INPUT OUTPUT SUBMISSION, where INPUT holds bulk.tsv and reference.tsv.
# Base R alone. Which language a submission is in, the name of its program says.

MAX_BYTES <- 8 * 2^20

fail <- function(...) {
  message(...)
  quit(status = 1)
}

# The command that runs a submission; each is given three files: bulk, reference and result.
command_of <- function(submission, program) {
  forms <- c("program.R", "program.py", "program")
  found <- forms[file.exists(file.path(submission, forms))]
  if (length(found) != 1) {
    fail("a submission holds one of program.R, program.py and program; this one holds ",
         if (length(found) == 0) "none" else paste(found, collapse = " and "))
  }
  path <- file.path(submission, found)
  if (found == "program" && file.access(path, mode = 1) != 0) {
    fail("program may not be executed: git update-index --chmod=+x program")
  }
  switch(found,
    program.R = c("Rscript", "--vanilla", file.path(program, "run.R"), path),
    program.py = c("python3", file.path(program, "run.py"), path),
    program = path
  )
}

main <- function(input, output, submission, program) {
  command <- command_of(submission, program)
  # This program loads few packages, to start fast; a submission in R finds the usual ones.
  Sys.unsetenv("R_DEFAULT_PACKAGES")
  work <- tempfile("work-")
  dir.create(work)
  result <- file.path(work, "proportions.tsv")
  files <- c(file.path(input, "bulk.tsv"), file.path(input, "reference.tsv"), result)
  status <- system2(command[1], shQuote(c(command[-1], files)))
  if (status != 0) {
    fail("the submission ended with exit code ", status)
  }
  # What it left is data. A link would be followed, and is not.
  if (!file.exists(result) || nzchar(Sys.readlink(result)) || dir.exists(result)) {
    fail("the submission wrote no proportions")
  }
  if (file.size(result) > MAX_BYTES) {
    fail("the submission wrote more than ", MAX_BYTES / 2^20, " MiB of proportions")
  }
  if (!file.copy(result, file.path(output, "proportions.tsv"), overwrite = TRUE)) {
    fail("the proportions could not be kept")
  }
}

words <- commandArgs(trailingOnly = TRUE)
itself <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
main(words[1], words[2], words[3], dirname(itself))
