# Run a submission in R: the function program(bulk, reference) of its program.R.
#
# Usage: run.R PROGRAM BULK REFERENCE RESULT

read_matrix <- function(path) {
  as.matrix(read.delim(path, row.names = 1, check.names = FALSE, quote = "", comment.char = ""))
}

# A matrix with row names is of cell types; without, of components that nobody has named.
write_proportions <- function(found, samples, path) {
  if (!is.matrix(found) || !is.numeric(found)) {
    stop("program() returned something else than a numeric matrix: ", class(found)[1])
  }
  if (is.null(colnames(found))) {
    colnames(found) <- samples[seq_len(ncol(found))]
  }
  corner <- "cell_type"
  if (is.null(rownames(found))) {
    corner <- "component"
    rownames(found) <- seq_len(nrow(found))
  }
  values <- format(found, digits = 15, trim = TRUE)
  lines <- c(paste(c(corner, colnames(found)), collapse = "\t"),
             paste(rownames(found), apply(values, 1, paste, collapse = "\t"), sep = "\t"))
  writeLines(lines, path, useBytes = TRUE)
}

words <- commandArgs(trailingOnly = TRUE)
own <- new.env()
source(words[1], local = own, chdir = TRUE)
if (!is.function(own$program)) {
  stop("program.R has no function program(bulk, reference)")
}
bulk <- read_matrix(words[2])
found <- own$program(bulk, read_matrix(words[3]))
write_proportions(found, colnames(bulk), words[4])
