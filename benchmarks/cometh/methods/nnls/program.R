# Non-negative least squares for each sample, then divided by the sum.
program <- function(bulk, reference) {
  found <- apply(bulk, 2, function(sample) nnls::nnls(reference, sample)$x)
  rownames(found) <- colnames(reference)
  sweep(found, 2, colSums(found), "/")
}
