"""How ranks are made: ties, missing values, rounding, and each rule by which a board may rank."""
