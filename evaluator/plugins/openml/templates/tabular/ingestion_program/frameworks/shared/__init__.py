"""What framework modules share; written anew from what they import."""
