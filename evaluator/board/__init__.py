"""From records to leaderboards, tables and pages. Pure: no git, no network, no clock."""
