"""Pull request -> approved -> evaluated -> collected."""
