# Read a submission's proportions: a matrix as it should be, or the first thing that is wrong.

MAX_BYTES <- 8 * 2^20
TOLERANCE <- 0.001
NUMBER <- "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?$"

# Ends the reading with a message for the participant.
refuse <- function(...) {
  stop(structure(class = c("refused", "error", "condition"),
                 list(message = paste0(...), call = NULL)))
}

# Somebody else's text, to stand in a message: short, and without control characters.
shown <- function(text) {
  text <- gsub("[[:cntrl:]]", "?", text)
  if (nchar(text) > 40) text <- paste0(substr(text, 1, 40), "...")
  paste0("'", text, "'")
}

read_lines <- function(path) {
  name <- basename(path)
  if (!file.exists(path) || dir.exists(path)) {
    refuse(name, " is missing: the prediction step did not finish")
  }
  if (file.size(path) > MAX_BYTES) {
    refuse(name, " has more than ", MAX_BYTES / 2^20, " MiB")
  }
  bytes <- readBin(path, "raw", file.size(path))
  if (any(bytes == as.raw(0))) {
    refuse(name, " holds a zero byte: it is not text")
  }
  text <- rawToChar(bytes)
  if (!validUTF8(text)) {
    refuse(name, " is not UTF-8")
  }
  Encoding(text) <- "UTF-8"
  strsplit(sub("\n$", "", gsub("\r\n", "\n", text)), "\n", fixed = TRUE)[[1]]
}

words_of <- function(line) {
  # strsplit drops an empty word at the end.
  words <- strsplit(paste0(line, "\t."), "\t", fixed = TRUE)[[1]]
  words[-length(words)]
}

# Values of one row, by sample.
read_row <- function(words, where, samples) {
  if (length(words) - 1 != length(samples)) {
    refuse(where, " has ", length(words) - 1, " values for ", length(samples), " samples")
  }
  values <- words[-1]
  bad <- which(!grepl(NUMBER, values))
  if (length(bad) > 0) {
    refuse(where, ", sample ", samples[bad[1]], ": ", shown(values[bad[1]]),
           " is not a finite number")
  }
  numbers <- as.numeric(values)
  bad <- which(!is.finite(numbers))
  if (length(bad) > 0) {
    refuse(where, ", sample ", samples[bad[1]], ": ", shown(values[bad[1]]),
           " is not a finite number")
  }
  bad <- which(numbers < 0)
  if (length(bad) > 0) {
    refuse(where, ", sample ", samples[bad[1]], ": ", shown(values[bad[1]]),
           " is negative; a proportion is not")
  }
  numbers
}

check_header <- function(header, samples) {
  corner <- header[1]
  if (!corner %in% c("cell_type", "component")) {
    refuse("line 1 begins with ", shown(corner), "; expected is cell_type or component")
  }
  given <- header[-1]
  if (length(given) != length(samples)) {
    refuse("line 1 names ", length(given), " samples; expected are ", length(samples))
  }
  bad <- which(given != samples)
  if (length(bad) > 0) {
    refuse("line 1 has ", shown(given[bad[1]]), " where sample ", samples[bad[1]], " is expected")
  }
  corner
}

check_names <- function(names, types) {
  for (row in seq_along(names)) {
    if (!names[row] %in% types) {
      refuse("line ", row + 1, ": ", shown(names[row]), " is none of the cell types: ",
             paste(types, collapse = ", "))
    }
    if (names[row] %in% names[seq_len(row - 1)]) {
      refuse("line ", row + 1, ": ", names[row], " stands there twice")
    }
  }
}

# Cell types x samples in the order of the truth, or components in the order of the file. The
# attribute "named" says which. Nothing is rounded, clipped or normalised.
read_proportions <- function(path, truth) {
  lines <- read_lines(path)
  if (length(lines) == 0) {
    refuse(basename(path), " is empty")
  }
  types <- rownames(truth)
  samples <- colnames(truth)
  corner <- check_header(words_of(lines[1]), samples)
  if (length(lines) - 1 != nrow(truth)) {
    refuse("there are ", length(lines) - 1, " rows for ", nrow(truth), " cell types")
  }
  rows <- lapply(lines[-1], words_of)
  names <- vapply(rows, function(words) words[1], "")
  if (corner == "cell_type") {
    check_names(names, types)
  }
  found <- matrix(0, nrow(truth), ncol(truth), dimnames = list(names, samples))
  for (row in seq_along(rows)) {
    where <- paste0("line ", row + 1, ", ", shown(names[row]))
    found[row, ] <- read_row(rows[[row]], where, samples)
  }
  sums <- colSums(found)
  bad <- which(abs(sums - 1) > TOLERANCE)
  if (length(bad) > 0) {
    refuse("the proportions of sample ", samples[bad[1]], " sum to ",
           format(sums[[bad[1]]], digits = 6), ", not to 1 within ", TOLERANCE,
           "; they are not normalised for you")
  }
  if (corner == "cell_type") {
    found <- found[types, , drop = FALSE]
  }
  structure(found, named = corner == "cell_type")
}
