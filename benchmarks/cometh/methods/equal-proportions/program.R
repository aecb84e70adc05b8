# Every cell type has the same share, whatever was measured.
program <- function(bulk, reference) {
  types <- colnames(reference)
  matrix(1 / length(types), length(types), ncol(bulk), dimnames = list(types, colnames(bulk)))
}
