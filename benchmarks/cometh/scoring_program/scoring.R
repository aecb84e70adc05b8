# Compare estimated proportions with the true ones.
#
# Usage: scoring.R INPUT OUTPUT, where INPUT holds ref/proportions.tsv and res/proportions.tsv.

itself <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(itself), "proportions.R"))

# Give each component the cell type for which the sum of all errors is least: the assignment
# problem, solved by the Hungarian method. The truth decides, which favours such methods.
match_components <- function(found, truth) {
  cost <- as.matrix(apply(truth, 1, function(type) rowSums(abs(sweep(found, 2, type)))))
  to <- as.integer(clue::solve_LSAP(cost))
  matched <- truth
  matched[to, ] <- found
  matched
}

escaped <- function(text) gsub("<", "&lt;", gsub("&", "&amp;", text, fixed = TRUE), fixed = TRUE)

page <- function(found, truth) {
  error <- found - truth
  cells <- function(tag, words) paste0("<", tag, ">", words, "</", tag, ">", collapse = "")
  body <- vapply(rownames(truth), function(type) {
    values <- c(mean(truth[type, ]), mean(found[type, ]), mean(abs(error[type, ])))
    paste0("<tr>", cells("td", c(escaped(type), sprintf("%.4f", values))), "</tr>")
  }, "")
  c("<!doctype html>", "<meta charset=\"utf-8\">", "<title>By cell type</title>",
    "<style>body{font-family:sans-serif}td,th{padding:.2em .8em;text-align:right}",
    "td:first-child,th:first-child{text-align:left}</style>",
    "<table>",
    paste0("<tr>", cells("th", c("Cell type", "True mean", "Estimated mean",
                                 "Mean absolute error")), "</tr>"),
    body, "</table>")
}

main <- function(input, output) {
  truth <- as.matrix(read.delim(file.path(input, "ref", "proportions.tsv"), row.names = 1,
                                check.names = FALSE, quote = "", comment.char = ""))
  found <- tryCatch(
    read_proportions(file.path(input, "res", "proportions.tsv"), truth),
    # pullbench shows participants rejected.txt, Codabench the log.
    refused = function(problem) {
      writeLines(enc2utf8(problem$message), file.path(output, "rejected.txt"), useBytes = TRUE)
      message(problem$message)
      quit(status = 1)
    }
  )
  named <- attr(found, "named")
  if (!named) {
    found <- match_components(found, truth)
  }
  error <- abs(found - truth)
  scores <- list(
    mae = mean(error),
    rmse = sqrt(mean((found - truth)^2)),
    worst_type_mae = max(rowMeans(error)),
    matched = as.integer(!named)
  )
  writeLines(page(found, truth), file.path(output, "detailed_results.html"), useBytes = TRUE)
  # 17 digits are every bit of a number.
  text <- paste0("{", paste0('"', names(scores), '": ', sprintf("%.17g", unlist(scores)),
                             collapse = ", "), "}")
  writeLines(text, file.path(output, "scores.json"))
  cat(text, "\n")
}

words <- commandArgs(trailingOnly = TRUE)
main(words[1], words[2])
