# Least squares among the proportions themselves: a quadratic programme for each sample, with
# the sum of one as an equation and no proportion below zero.
program <- function(bulk, reference) {
  count <- ncol(reference)
  # quadprog measures the constraints in absolute numbers.
  scale <- sqrt(mean(reference^2))
  reference <- reference / scale
  bulk <- bulk / scale
  squares <- crossprod(reference)
  constraints <- cbind(1, diag(count))
  found <- apply(bulk, 2, function(sample) {
    solved <- quadprog::solve.QP(
      squares, crossprod(reference, sample), constraints, c(1, rep(0, count)), meq = 1
    )
    # The solver's last digit may be below zero.
    pmax(solved$solution, 0)
  })
  rownames(found) <- colnames(reference)
  sweep(found, 2, colSums(found), "/")
}
