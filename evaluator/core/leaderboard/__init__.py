"""From scores to ranked rows. Pure: no git, no network, no clock."""
