"""What scoring programs tell of single samples, and over time."""
