# Non-negative matrix factorisation of the bulk samples alone: of the reference, the number of
# cell types is all that is used. Lee and Seung's multiplicative updates for squared error, on
# values whose variation is alike; the best of several starts.
ITERATIONS <- 400
STARTS <- 3

factorise <- function(bulk, count) {
  profiles <- matrix(runif(nrow(bulk) * count), ncol = count)
  shares <- matrix(runif(count * ncol(bulk)), nrow = count)
  small <- 1e-12
  for (step in seq_len(ITERATIONS)) {
    shares <- shares * crossprod(profiles, bulk) / (crossprod(profiles) %*% shares + small)
    profiles <- profiles * tcrossprod(bulk, shares) /
      (profiles %*% tcrossprod(shares) + small)
  }
  list(shares = shares, profiles = profiles, loss = sum((bulk - profiles %*% shares)^2))
}

program <- function(bulk, reference) {
  set.seed(0)
  # Genes weigh alike, however strongly they are expressed.
  bulk <- bulk / pmax(sqrt(rowMeans(bulk^2)), 1e-9)
  tries <- replicate(STARTS, factorise(bulk, ncol(reference)), simplify = FALSE)
  best <- tries[[which.min(vapply(tries, function(one) one$loss, 0))]]
  # A component's scale is free: it goes into the profile, so that profiles weigh alike.
  found <- best$shares * colSums(best$profiles)
  sweep(found, 2, colSums(found), "/")
}
